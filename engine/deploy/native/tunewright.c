/* Runs a module that Tunewright exported, from C: see tunewright.h.
 *
 * Compiled into a program, beside the wheels of apache-tvm and apache-tvm-ffi that
 * requirements.txt names; Python is needed to install those, not to run:
 *
 *   TVM=$(python -c "import os, tvm; print(os.path.dirname(tvm.__file__))")
 *   FFI=$(python -m tvm_ffi.config --libdir)
 *   gcc -O2 -o app app.c tunewright.c -I"$TVM/include" $(python -m tvm_ffi.config --cflags) \
 *     -L"$TVM/lib" -L"$FFI" -Wl,--no-as-needed -ltvm_runtime -ltvm_ffi -ldl \
 *     -Wl,-rpath,"$TVM/lib" -Wl,-rpath,"$FFI"
 *
 * What groups of a stage run side by side elsewhere run one after another here, and on a GPU
 * each kernel is launched by itself, in no CUDA Graph.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#define _GNU_SOURCE
#include "tunewright.h"

#include <dlfcn.h>
#include <inttypes.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <strings.h>
#include <tvm/ffi/c_api.h>
#include <tvm/runtime/base.h>

#include "tunewright_reading.h"

#define ELSEWHERE "Export it again for this machine."

/* ---- What is loaded ---- */

typedef struct {
  const char *name;
  TVMFFIObjectHandle kernel;
  TVMFFIAny *buffers;
  int32_t count; /* a step without buffers does nothing */
} step;

enum { INPUT = 0, OUTPUT = 1 };

struct tw_module {
  parser manifest, plan;
  char *manifest_text, *plan_text;
  unsigned char *weights;
  size_t weights_bytes;
  DLDevice device;
  TVMFFIObjectHandle library;
  void **rooms; /* memory of a CPU, tensors of another device */
  size_t room_count;
  DLTensor *buffers; /* those that nothing touches have no data */
  size_t buffer_count;
  step *steps;
  size_t step_count, *order, order_count;
  tw_tensor *tensors[2]; /* inputs, outputs */
  DLTensor **own[2];
  size_t counts[2];
};

/* ---- TVM ---- */

static void release(TVMFFIAny *value) {
  if (value->type_index >= kTVMFFIStaticObjectBegin) TVMFFIObjectDecRef(value->v_obj);
  value->type_index = kTVMFFINone;
}

/* A failure with the first line of what TVM raised. */
static int tvm_failed(const char *what) {
  TVMFFIObjectHandle error = NULL;
  TVMFFIErrorMoveFromRaised(&error);
  if (!error) return fail(TW_FAILED, "%s.", what);
  const TVMFFIErrorCell *cell = (const TVMFFIErrorCell *)((char *)error + sizeof(TVMFFIObject));
  int line = (int)cell->message.size;
  const char *end = memchr(cell->message.data, '\n', cell->message.size);
  if (end) line = (int)(end - cell->message.data);
  while (line && strchr(".: ", cell->message.data[line - 1])) line--;
  fail(TW_FAILED, "%s: %.*s.", what, line > 300 ? 300 : line, cell->message.data);
  TVMFFIObjectDecRef(error);
  return TW_FAILED;
}

static int call(const char *name, TVMFFIAny *arguments, int count, TVMFFIAny *result) {
  TVMFFIByteArray text = {name, strlen(name)};
  TVMFFIObjectHandle function = NULL;
  int failed = TVMFFIFunctionGetGlobal(&text, &function) || !function;
  if (!failed) {
    failed = TVMFFIFunctionCall(function, arguments, count, result);
    TVMFFIObjectDecRef(function);
  }
  return failed;
}

static TVMFFIAny of_pointer(int32_t type, const void *pointer) {
  TVMFFIAny made = {0};
  made.type_index = type;
  made.v_ptr = (void *)pointer;
  return made;
}

static TVMFFIAny of_int(int64_t value) {
  TVMFFIAny made = {0};
  made.type_index = kTVMFFIInt;
  made.v_int64 = value;
  return made;
}

/* Bytes between the host and a buffer. */
static int copied(tw_module *module, DLTensor *buffer, void *host, size_t bytes, int in) {
  if (!bytes) return TW_OK;
  if (module->device.device_type == kDLCPU) {
    memcpy(in ? buffer->data : host, in ? host : buffer->data, bytes);
    return TW_OK;
  }
  TVMFFIAny result = {0}, arguments[3] = {of_pointer(kTVMFFIDLTensorPtr, buffer),
                                          of_pointer(kTVMFFIOpaquePtr, host), of_int((int64_t)bytes)};
  const char *name = in ? "runtime.TVMTensorCopyFromBytes" : "runtime.TVMTensorCopyToBytes";
  return call(name, arguments, 3, &result) ? tvm_failed("Data were not copied") : TW_OK;
}

/* Room for some bytes on the device, which is full of zeros. */
static int room(tw_module *module, size_t bytes, void **data) {
  size_t size = (bytes + !bytes + ALIGNMENT - 1) / ALIGNMENT * ALIGNMENT;
  if (module->device.device_type == kDLCPU) {
    *data = aligned_alloc(ALIGNMENT, size);
    if (!*data) return no_memory();
    memset(*data, 0, size);
    module->rooms[module->room_count++] = *data;
    return TW_OK;
  }
  TVMFFIAny shape = {0}, result = {0}, arguments[4] = {of_int((int64_t)size)};
  if (call("ffi.Shape", arguments, 1, &shape)) return tvm_failed("Memory is not to be had");
  arguments[0] = shape;
  arguments[1] = (TVMFFIAny){.type_index = kTVMFFIDataType, .v_dtype = {kDLUInt, 8, 1}};
  arguments[2] = (TVMFFIAny){.type_index = kTVMFFIDevice, .v_device = module->device};
  arguments[3] = (TVMFFIAny){.type_index = kTVMFFINone};
  int failed = call("runtime.TVMTensorAllocWithScope", arguments, 4, &result);
  release(&shape);
  if (failed) return tvm_failed("Memory is not to be had");
  module->rooms[module->room_count++] = result.v_obj;
  DLTensor *made = (DLTensor *)((char *)result.v_obj + sizeof(TVMFFIObject));
  *data = made->data;
  void *zeros = calloc(1, size);
  if (!zeros) return no_memory();
  int code = copied(module, made, zeros, size, 1);
  free(zeros);
  return code;
}

/* ---- The folder ---- */

static int read_manifest(tw_module *module, const char *folder, const char *pinned, json **root) {
  size_t size;
  char hex[65], *copy;
  int code = read_file(folder, "manifest.json", (size_t)64 << 20, &module->manifest_text, &size);
  if (code) return code;
  if (!(copy = strdup(module->manifest_text))) return no_memory(); /* reading writes over it */
  code = parsed(&module->manifest, module->manifest_text, size, "manifest.json", root);
  const json *told = code ? NULL : get(*root, "sha256", '"');
  if (!code && !told)
    code = fail(TW_FOLDER, "manifest.json was written by an earlier version, or is damaged. " AGAIN);
  if (!code) code = manifest_sha256(copy, size, told->text, hex);
  free(copy);
  if (!code && strcmp(hex, told->text))
    code = fail(TW_FOLDER, "manifest.json is damaged or was changed. " AGAIN);
  if (!code && pinned && strcasecmp(pinned, told->text))
    code = fail(TW_FOLDER, "This is another export than the one of the given SHA-256. " AGAIN);
  return code;
}

static int require_sha256(const json *manifest, const char *name, const void *data, size_t size) {
  char hex[65];
  const json *told = get(get(manifest, "files", '{'), name, '"');
  file_sha256(data, size, hex);
  if (told && !strcmp(told->text, hex)) return TW_OK;
  return fail(TW_FOLDER, "%s is not the file that was exported. " AGAIN, name);
}

static int read_files(tw_module *module, const char *folder, const json *manifest, json **plan) {
  char *data = NULL;
  size_t size;
  int code = read_file(folder, "module.so", 0, &data, &size);
  if (!code) code = require_sha256(manifest, "module.so", data, size);
  free(data);
  if (!code) code = read_file(folder, "plan.json", 0, &module->plan_text, &size);
  if (!code) code = require_sha256(manifest, "plan.json", module->plan_text, size);
  if (!code) code = parsed(&module->plan, module->plan_text, size, "plan.json", plan);
  if (!code) code = read_file(folder, "weights.bin", 0, (char **)&module->weights, &size);
  module->weights_bytes = size;
  return code ? code : require_sha256(manifest, "weights.bin", module->weights, size);
}

/* ---- The machine ---- */

/* Refuses a processor that would end in SIGILL, where Linux tells what it has. */
static int require_instructions(const json *manifest) {
  const json *needed = get(manifest, "instructions", '[');
  char *line = NULL, have[16384] = " ";
  size_t room_of_line = 0;
  FILE *file = fopen("/proc/cpuinfo", "r");
  if (!needed) return fail(TW_FOLDER, "manifest.json is damaged. " AGAIN);
  while (file && getline(&line, &room_of_line, file) > 0) {
    if (strncmp(line, "flags", 5)) continue;
    char *out = have + 1;
    for (const char *at = strchr(line, ':'); at && *at && out < have + sizeof have - 2; at++)
      if (*at != '_' && *at != ':') *out++ = *at == '\n' ? ' ' : *at;
    *out = 0;
    break;
  }
  free(line);
  if (file) fclose(file);
  for (const json *one = needed->child; one && have[1]; one = one->next) {
    char wanted[80];
    if (one->kind != '"') return fail(TW_FOLDER, "manifest.json is damaged. " AGAIN);
    snprintf(wanted, sizeof wanted, " %.70s ", one->text);
    if (!strstr(have, wanted))
      return fail(TW_MACHINE, "The module uses %.70s, which this processor lacks. " ELSEWHERE,
                  one->text);
  }
  return TW_OK;
}

/* The number of "sm_90a" or "9.0": 90. */
static int arch_number(const char *text, size_t size) {
  int found = 0;
  for (size_t i = 0; i < size && found < 100000; i++)
    if (text[i] >= '0' && text[i] <= '9') found = found * 10 + text[i] - '0';
  return found;
}

static int require_gpu(DLDevice device, const char *name, const json *manifest) {
  const json *arch = get(get(manifest, "target", '{'), "arch", '"');
  TVMFFIAny result = {0}, arguments[3] = {of_int(device.device_type), of_int(device.device_id),
                                          of_int(0 /* whether it exists */)};
  dlopen("libtvm_runtime_cuda.so", RTLD_NOW | RTLD_GLOBAL);
  if (call("runtime.GetDeviceAttr", arguments, 3, &result) || result.type_index == kTVMFFINone ||
      !result.v_int64)
    return fail(TW_MACHINE, "There is no %.40s here. Name another of its kind.", name);
  arguments[2] = of_int(4 /* its architecture */);
  result = (TVMFFIAny){0};
  if (!arch || call("runtime.GetDeviceAttr", arguments, 3, &result)) return TW_OK;
  TVMFFIByteArray text = {result.v_bytes, result.small_str_len};
  if (result.type_index == kTVMFFIStr)
    text = *(TVMFFIByteArray *)((char *)result.v_obj + sizeof(TVMFFIObject));
  int here = arch_number(text.data, text.size);
  release(&result);
  if (here >= arch_number(arch->text, strlen(arch->text))) return TW_OK;
  return fail(TW_MACHINE, "It was compiled for %.40s, and %.40s is older. " ELSEWHERE, arch->text,
              name);
}

static int require_machine(tw_module *module, const json *manifest, const char *name) {
  const json *version = get(manifest, "tvm_version", '"'), *made_on = get(manifest, "device", '"');
  int64_t threads = number(manifest, "threads");
  size_t length = strlen(TVM_VERSION);
  if (!version || !made_on || threads < 1)
    return fail(TW_FOLDER, "manifest.json is damaged. " AGAIN);
  if (strncmp(version->text, TVM_VERSION, length) ||
      (version->text[length] >= '0' && version->text[length] <= '9'))
    return fail(TW_MACHINE,
                "It was compiled by TVM %.40s, and this program with %s. Install that version, or "
                "export it again.",
                version->text, TVM_VERSION);
  if (!name || !*name) name = made_on->text;
  size_t kind = strcspn(name, ":");
  char *end = "";
  long index = name[kind] ? strtol(name + kind + 1, &end, 10) : 0;
  int cpu = kind == 3 && !strncmp(name, "cpu", 3), cuda = kind == 4 && !strncmp(name, "cuda", 4);
  if (!(cpu || cuda) || *end || index < 0 || index > 4096 || kind != strcspn(made_on->text, ":") ||
      strncmp(name, made_on->text, kind))
    return fail(TW_MACHINE, "There is no %.40s like %.40s here. Name another of its kind.", name,
                made_on->text);
  char text[32];
  snprintf(text, sizeof text, "%" PRId64, threads);
  setenv("TVM_NUM_THREADS", text, 0); /* TVM reads it when it first needs threads */
  module->device = (DLDevice){cpu ? kDLCPU : kDLCUDA, (int32_t)index};
  int code = require_instructions(manifest);
  return code || cpu ? code : require_gpu(module->device, name, manifest);
}

/* ---- The plan ---- */

static int unfit(void) {
  return fail(TW_FOLDER, "plan.json does not fit weights.bin, or itself. " AGAIN);
}

/* The bytes that a buffer's shape and type take, or -1. */
static int64_t shaped(const json *shape, DLDataType dtype) {
  int64_t bits = (int64_t)dtype.bits * dtype.lanes;
  for (const json *one = shape->child; one; one = one->next)
    if (one->number < 0 || __builtin_mul_overflow(bits, one->number, &bits)) return -1;
  return bits / 8 + (bits % 8 != 0);
}

/* The members of the plan's lists, so that they can be asked for by their number. */
enum { STORAGES, BUFFERS, INPUTS, OUTPUTS, STEPS, LISTS };

typedef struct {
  json **of[LISTS];
  size_t count[LISTS];
  void **storages, **inputs;
} lists;

static int read_lists(const json *plan, lists *all) {
  static const char *const names[LISTS] = {"storage_bytes", "buffers", "inputs", "outputs", "steps"};
  for (int i = 0; i < LISTS; i++) {
    const json *list = get(plan, names[i], '[');
    if (!list) return unfit();
    for (const json *one = list->child; one; one = one->next) all->count[i]++;
    if (!(all->of[i] = calloc(all->count[i] + 1, sizeof(json *)))) return no_memory();
    size_t index = 0;
    for (json *one = list->child; one; one = one->next) all->of[i][index++] = one;
  }
  all->storages = calloc(all->count[STORAGES] + 1, sizeof(void *));
  all->inputs = calloc(all->count[INPUTS] + 1, sizeof(void *));
  return all->storages && all->inputs ? TW_OK : no_memory();
}

static void free_lists(lists *all) {
  for (int i = 0; i < LISTS; i++) free(all->of[i]);
  free(all->storages);
  free(all->inputs);
}

/* The buffer that a number stands for, NULL where there is none that is used. */
static const json *buffer_of(const lists *all, int64_t index) {
  if (index < 0 || (size_t)index >= all->count[BUFFERS]) return NULL;
  const json *one = all->of[BUFFERS][index];
  return one->kind == '{' ? one : NULL;
}

static int make_rooms(tw_module *module, lists *all) {
  size_t most = all->count[STORAGES] + all->count[INPUTS] + all->count[BUFFERS];
  if (!(module->rooms = calloc(most + 1, sizeof(void *)))) return no_memory();
  for (size_t i = 0; i < all->count[STORAGES]; i++) {
    int64_t bytes = all->of[STORAGES][i]->number;
    if (bytes < 0) return unfit();
    int code = room(module, (size_t)bytes, &all->storages[i]);
    if (code) return code;
  }
  for (size_t i = 0; i < all->count[INPUTS]; i++) {
    const json *one = buffer_of(all, number(all->of[INPUTS][i], "buffer"));
    int64_t bytes = number(one, "bytes");
    if (bytes < 0 || number(one, "input") != (int64_t)i) return unfit();
    int code = room(module, (size_t)bytes, &all->inputs[i]);
    if (code) return code;
  }
  return TW_OK;
}

/* Where a buffer lies: in a storage, an input or the weights, wholly. */
static int place(tw_module *module, const lists *all, const json *one, int64_t bytes,
                 DLTensor *buffer) {
  int64_t at;
  if ((at = number(one, "storage")) >= 0) {
    if ((size_t)at >= all->count[STORAGES] || bytes > all->of[STORAGES][at]->number) return unfit();
    buffer->data = all->storages[at];
    return TW_OK;
  }
  if ((at = number(one, "input")) >= 0) {
    if ((size_t)at >= all->count[INPUTS]) return unfit();
    const json *own = buffer_of(all, number(all->of[INPUTS][at], "buffer"));
    if (bytes > number(own, "bytes")) return unfit();
    buffer->data = all->inputs[at];
    return TW_OK;
  }
  at = number(one, "weights");
  int64_t end = (int64_t)module->weights_bytes;
  if (at < 0 || at > end || bytes > end - at) return unfit();
  buffer->data = module->weights + at;
  if (module->device.device_type == kDLCPU && at % ALIGNMENT == 0) return TW_OK;
  int code = room(module, (size_t)bytes, &buffer->data);
  return code ? code : copied(module, buffer, module->weights + at, (size_t)bytes, 1);
}

static int make_buffer(tw_module *module, const lists *all, const json *one, DLTensor *buffer) {
  const json *shape = get(one, "shape", '['), *dtype = get(one, "dtype", '"');
  TVMFFIByteArray text = {dtype ? dtype->text : "", dtype ? strlen(dtype->text) : 0};
  if (!shape || !dtype || TVMFFIDataTypeFromString(&text, &buffer->dtype)) return unfit();
  int64_t bytes = shaped(shape, buffer->dtype), stride = 1;
  if (bytes < 0 || bytes != number(one, "bytes")) return unfit();
  for (const json *size = shape->child; size; size = size->next) buffer->ndim++;
  buffer->device = module->device;
  if (!(buffer->shape = calloc(2 * (size_t)buffer->ndim + 1, sizeof(int64_t)))) return no_memory();
  buffer->strides = buffer->shape + buffer->ndim;
  int axis = 0;
  for (const json *size = shape->child; size; size = size->next) buffer->shape[axis++] = size->number;
  while (axis--) {
    buffer->strides[axis] = stride;
    stride *= buffer->shape[axis] ? buffer->shape[axis] : 1;
  }
  return place(module, all, one, bytes, buffer);
}

static int make_buffers(tw_module *module, const lists *all) {
  module->buffers = calloc(all->count[BUFFERS] + 1, sizeof(DLTensor));
  if (!module->buffers) return no_memory();
  module->buffer_count = all->count[BUFFERS];
  for (size_t i = 0; i < all->count[BUFFERS]; i++) {
    const json *one = all->of[BUFFERS][i];
    if (one->kind == '0') continue;
    int code = make_buffer(module, all, one, &module->buffers[i]);
    if (code) return code;
  }
  return TW_OK;
}

static int make_tensors(tw_module *module, const lists *all, int which, int list) {
  size_t count = all->count[list];
  module->tensors[which] = calloc(count + 1, sizeof(tw_tensor));
  module->own[which] = calloc(count + 1, sizeof(DLTensor *));
  if (!module->tensors[which] || !module->own[which]) return no_memory();
  module->counts[which] = count;
  for (size_t i = 0; i < count; i++) {
    const json *item = all->of[list][i], *name = get(item, "name", '"');
    const json *one = buffer_of(all, number(item, "buffer"));
    if (!name || !one) return unfit();
    DLTensor *own = module->own[which][i] = &module->buffers[number(item, "buffer")];
    module->tensors[which][i] = (tw_tensor){name->text, get(one, "dtype", '"')->text, own->shape,
                                            own->ndim, (size_t)number(one, "bytes")};
  }
  return TW_OK;
}

static int make_step(tw_module *module, const lists *all, const json *one, step *made) {
  const json *name = one->kind == '[' ? one->child : NULL, *used = name ? name->next : NULL;
  if (!name || name->kind != '"' || !used || used->kind != '[' || used->next) return unfit();
  made->name = name->text;
  for (const json *index = used->child; index; index = index->next) made->count++;
  if (!made->count) return TW_OK;
  if (!(made->buffers = calloc((size_t)made->count, sizeof(TVMFFIAny)))) return no_memory();
  int32_t at = 0;
  for (const json *index = used->child; index; index = index->next) {
    if (!buffer_of(all, index->number)) return unfit();
    made->buffers[at++] = of_pointer(kTVMFFIDLTensorPtr, &module->buffers[index->number]);
  }
  TVMFFIAny result = {0}, arguments[3] = {of_pointer(kTVMFFIModule, module->library),
                                          of_pointer(kTVMFFIRawStr, name->text),
                                          {.type_index = kTVMFFIBool, .v_int64 = 1}};
  if (call("ffi.ModuleGetFunction", arguments, 3, &result)) return tvm_failed("No kernel was found");
  if (result.type_index != kTVMFFIFunction) return release(&result), unfit();
  made->kernel = result.v_obj;
  return TW_OK;
}

/* Every step of every stage in turn; without stages, one after another. */
static int make_order(tw_module *module, const json *plan) {
  const json *stages = get(plan, "stages", '[');
  size_t most = 0;
  for (const json *stage = stages ? stages->child : NULL; stage; stage = stage->next)
    for (const json *group = stage->child; group; group = group->next)
      for (const json *index = group->child; index; index = index->next) most++;
  int listed = most > 0;
  if (!(module->order = calloc((listed ? most : module->step_count) + 1, sizeof(size_t))))
    return no_memory();
  for (size_t i = 0; !listed && i < module->step_count; i++) module->order[module->order_count++] = i;
  for (const json *stage = stages ? stages->child : NULL; stage; stage = stage->next)
    for (const json *group = stage->child; group; group = group->next)
      for (const json *index = group->child; index; index = index->next) {
        if (index->number < 0 || (size_t)index->number >= module->step_count) return unfit();
        module->order[module->order_count++] = (size_t)index->number;
      }
  return TW_OK;
}

static int make_steps(tw_module *module, const lists *all, const json *plan) {
  module->steps = calloc(all->count[STEPS] + 1, sizeof(step));
  if (!module->steps) return no_memory();
  module->step_count = all->count[STEPS];
  for (size_t i = 0; i < module->step_count; i++) {
    int code = make_step(module, all, all->of[STEPS][i], &module->steps[i]);
    if (code) return code;
  }
  return make_order(module, plan);
}

/* Kernels that call a library of Python's executor cannot run here. */
static int require_no_libraries(const json *plan) {
  const json *libraries = get(plan, "libraries", '[');
  if (!libraries || !libraries->child) return TW_OK;
  return fail(TW_MACHINE, "The module calls cuBLASLt, which only the executor in Python does. "
                          "Run it there, or export it without that library.");
}

static int load_plan(tw_module *module, const json *plan) {
  lists all = {0};
  int code = require_no_libraries(plan);
  if (!code) code = read_lists(plan, &all);
  if (!code) code = make_rooms(module, &all);
  if (!code) code = make_buffers(module, &all);
  if (!code) code = make_tensors(module, &all, INPUT, INPUTS);
  if (!code) code = make_tensors(module, &all, OUTPUT, OUTPUTS);
  if (!code) code = make_steps(module, &all, plan);
  free_lists(&all);
  return code;
}

static int load_library(tw_module *module, const char *folder) {
  char path[4096];
  TVMFFIAny result = {0}, argument = of_pointer(kTVMFFIRawStr, path);
  snprintf(path, sizeof path, "%s/module.so", folder);
  if (call("ffi.ModuleLoadFromFile", &argument, 1, &result)) {
    tvm_failed("It does not load"); /* TVM's own words are about its sources */
    return fail(TW_MACHINE, "The module does not load here. " ELSEWHERE);
  }
  module->library = result.v_obj;
  return TW_OK;
}

/* ---- What a program calls ---- */

int tw_load(const char *folder, const char *device, const char *sha256, tw_module **module) {
  json *manifest = NULL, *plan = NULL;
  tw_module *made = *module = calloc(1, sizeof *made);
  if (!made) return no_memory();
  int code = read_manifest(made, folder, sha256, &manifest);
  if (!code) code = read_files(made, folder, manifest, &plan);
  if (!code) code = require_machine(made, manifest, device);
  if (!code) code = load_library(made, folder);
  if (!code) code = load_plan(made, plan);
  if (code) tw_free(made), *module = NULL;
  return code;
}

void tw_free(tw_module *module) {
  if (!module) return;
  for (size_t i = 0; i < module->step_count; i++) {
    if (module->steps[i].kernel) TVMFFIObjectDecRef(module->steps[i].kernel);
    free(module->steps[i].buffers);
  }
  for (size_t i = 0; i < module->room_count; i++) {
    if (module->device.device_type == kDLCPU) free(module->rooms[i]);
    else TVMFFIObjectDecRef(module->rooms[i]);
  }
  for (size_t i = 0; i < module->buffer_count; i++) free(module->buffers[i].shape);
  for (int i = 0; i < 2; i++) {
    free(module->tensors[i]);
    free(module->own[i]);
  }
  if (module->library) TVMFFIObjectDecRef(module->library);
  free_json(&module->manifest);
  free_json(&module->plan);
  free(module->steps);
  free(module->order);
  free(module->rooms);
  free(module->buffers);
  free(module->weights);
  free(module->manifest_text);
  free(module->plan_text);
  free(module);
}

const char *tw_error(void) { return said; }

const tw_tensor *tw_tensors(const tw_module *module, int outputs, size_t *count) {
  *count = module->counts[outputs != 0];
  return module->tensors[outputs != 0];
}

/* An input or output by its name, of which the caller has as many bytes as it takes. */
static int find(tw_module *module, int which, const char *name, size_t bytes, DLTensor **found) {
  const char *kind = which == INPUT ? "input" : "output";
  for (size_t i = 0; i < module->counts[which]; i++) {
    const tw_tensor *one = &module->tensors[which][i];
    if (strcmp(one->name, name)) continue;
    *found = module->own[which][i];
    if (bytes == one->bytes) return TW_OK;
    return fail(TW_ARGUMENT, "The %s %.200s takes %zu bytes, not %zu.", kind, name, one->bytes,
                bytes);
  }
  return fail(TW_ARGUMENT, "The module has no %s %.200s.", kind, name);
}

int tw_set(tw_module *module, const char *input, const void *data, size_t bytes) {
  DLTensor *own = NULL;
  int code = find(module, INPUT, input, bytes, &own);
  return code ? code : copied(module, own, (void *)data, bytes, 1);
}

int tw_get(tw_module *module, const char *output, void *data, size_t bytes) {
  DLTensor *own = NULL;
  int code = find(module, OUTPUT, output, bytes, &own);
  return code ? code : copied(module, own, data, bytes, 0);
}

int tw_run(tw_module *module) {
  TVMFFIAny result = {0};
  for (size_t i = 0; i < module->order_count; i++) {
    step *one = &module->steps[module->order[i]];
    if (one->count && TVMFFIFunctionCall(one->kernel, one->buffers, one->count, &result)) {
      char what[160];
      snprintf(what, sizeof what, "The kernel %.120s failed", one->name);
      return tvm_failed(what);
    }
    release(&result);
  }
  if (module->device.device_type == kDLCPU) return TW_OK;
  TVMFFIAny arguments[2] = {{.type_index = kTVMFFIDevice, .v_device = module->device}, of_int(0)};
  return call("runtime.Device_StreamSync", arguments, 2, &result) ? tvm_failed("The GPU failed")
                                                                  : TW_OK;
}
