/* Runs an exported folder once: ./app FOLDER [NAME=FILE]...
 *
 * The file of an input holds its numbers as they lie in memory; that of an output gets them.
 * Inputs that are not given are zeros.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#include "tunewright.h"

/* The file that an argument names for an input or output. */
static const char *file_of(int count, char **arguments, const char *name) {
  size_t length = strlen(name);
  for (int i = 0; i < count; i++)
    if (!strncmp(arguments[i], name, length) && arguments[i][length] == '=')
      return arguments[i] + length + 1;
  return NULL;
}

static int set(tw_module *module, const tw_tensor *input, const char *path) {
  unsigned char *data = malloc(input->bytes + 1);
  FILE *file = fopen(path, "rb");
  size_t size = file && data ? fread(data, 1, input->bytes + 1, file) : 0;
  int code = tw_set(module, input->name, data, size); /* which says so if it is another size */
  if (file) fclose(file);
  free(data);
  return code;
}

static int get(tw_module *module, const tw_tensor *output, const char *path) {
  unsigned char *data = malloc(output->bytes + 1);
  FILE *file = fopen(path, "wb");
  int code = data ? tw_get(module, output->name, data, output->bytes) : TW_FAILED;
  int written = file && !code && fwrite(data, 1, output->bytes, file) == output->bytes;
  if (file && fclose(file)) written = 0;
  free(data);
  if (!code && !written) fprintf(stderr, "%s cannot be written.\n", path);
  return code ? code : written ? TW_OK : TW_FAILED;
}

int main(int count, char **arguments) {
  tw_module *module = NULL;
  size_t inputs = 0, outputs = 0;
  if (count < 2) return fprintf(stderr, "usage: %s FOLDER [NAME=FILE]...\n", arguments[0]), 2;
  int code = tw_load(arguments[1], NULL, NULL, &module);
  const tw_tensor *input = code ? NULL : tw_tensors(module, 0, &inputs);
  const tw_tensor *output = code ? NULL : tw_tensors(module, 1, &outputs);
  for (size_t i = 0; !code && i < inputs; i++) {
    const char *path = file_of(count, arguments, input[i].name);
    if (path) code = set(module, &input[i], path);
  }
  if (!code) code = tw_run(module);
  for (size_t i = 0; !code && i < outputs; i++) {
    const char *path = file_of(count, arguments, output[i].name);
    printf("%s: %s, %zu bytes\n", output[i].name, output[i].dtype, output[i].bytes);
    if (path) code = get(module, &output[i], path);
  }
  if (code && *tw_error()) fprintf(stderr, "%s\n", tw_error());
  tw_free(module);
  return code;
}
