/* Runs a module that Tunewright exported, from C. How it is compiled: see tunewright.c.
 *
 * Each function but the last three returns TW_OK, or a code; tw_error() then says in a sentence
 * what is wrong. A module is used by one thread at a time; several modules by several threads.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#ifndef TUNEWRIGHT_H
#define TUNEWRIGHT_H

#include <stddef.h>
#include <stdint.h>

#ifdef __cplusplus
extern "C" {
#endif

enum {
  TW_OK = 0,
  TW_FOLDER = 1,   /* the folder is not what was exported: copy it again, or export it again */
  TW_MACHINE = 2,  /* it does not run on this machine or device, or with this TVM */
  TW_ARGUMENT = 3, /* what was given does not fit the module */
  TW_FAILED = 4    /* a kernel or TVM failed, or there is no memory left */
};

typedef struct tw_module tw_module;

/* An input or output: `bytes` in C order, numbers of `dtype` ("float32", "int64", "bool"). */
typedef struct {
  const char *name;
  const char *dtype;
  const int64_t *shape;
  int ndim;
  size_t bytes;
} tw_tensor;

/* Loads an exported folder after it checked the files and the machine. `device` is NULL for the
 * one that it was made for, else another of its kind ("cuda:1"). `sha256` is NULL, or what the
 * export told: then no other export is taken. `*module` is NULL after an error. */
int tw_load(const char *folder, const char *device, const char *sha256, tw_module **module);

/* Copies an input in: exactly its bytes. */
int tw_set(tw_module *module, const char *input, const void *data, size_t bytes);

/* Runs all kernels over the inputs that were set (zeros at first), and waits for them. */
int tw_run(tw_module *module);

/* Copies an output of the last run out: exactly its bytes. */
int tw_get(tw_module *module, const char *output, void *data, size_t bytes);

/* Gives back all that it holds; NULL is allowed. */
void tw_free(tw_module *module);

/* The inputs, or with `outputs` other than 0 the outputs, `*count` of them. */
const tw_tensor *tw_tensors(const tw_module *module, int outputs, size_t *count);

/* What was wrong with the last call of this thread that returned a code. */
const char *tw_error(void);

#ifdef __cplusplus
}
#endif

#endif
