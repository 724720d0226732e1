/* What tunewright.c reads files with, which alone includes this: SHA-256, JSON, errors.
 *
 * SPDX-License-Identifier: Apache-2.0 */
#include <fcntl.h>
#include <stdarg.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

#define ALIGNMENT 64             /* of memory that kernels use */
#define PIECE ((size_t)64 << 20) /* bytes of a file that are hashed as one */
#define DEPTH 64                 /* of JSON */
#define AGAIN "Copy the whole folder again, or export it again."

/* ---- Errors ---- */

static _Thread_local char said[640];

static int fail(int code, const char *format, ...) {
  va_list arguments;
  va_start(arguments, format);
  vsnprintf(said, sizeof said, format, arguments);
  va_end(arguments);
  return code;
}

static int no_memory(void) { return fail(TW_FAILED, "There is not enough memory."); }

/* ---- SHA-256 (FIPS 180-4) ---- */

typedef struct {
  uint32_t state[8];
  uint64_t size;
  unsigned char block[64];
} sha256;

static const uint32_t ROUNDS[64] = {
    0x428a2f98, 0x71374491, 0xb5c0fbcf, 0xe9b5dba5, 0x3956c25b, 0x59f111f1, 0x923f82a4, 0xab1c5ed5,
    0xd807aa98, 0x12835b01, 0x243185be, 0x550c7dc3, 0x72be5d74, 0x80deb1fe, 0x9bdc06a7, 0xc19bf174,
    0xe49b69c1, 0xefbe4786, 0x0fc19dc6, 0x240ca1cc, 0x2de92c6f, 0x4a7484aa, 0x5cb0a9dc, 0x76f988da,
    0x983e5152, 0xa831c66d, 0xb00327c8, 0xbf597fc7, 0xc6e00bf3, 0xd5a79147, 0x06ca6351, 0x14292967,
    0x27b70a85, 0x2e1b2138, 0x4d2c6dfc, 0x53380d13, 0x650a7354, 0x766a0abb, 0x81c2c92e, 0x92722c85,
    0xa2bfe8a1, 0xa81a664b, 0xc24b8b70, 0xc76c51a3, 0xd192e819, 0xd6990624, 0xf40e3585, 0x106aa070,
    0x19a4c116, 0x1e376c08, 0x2748774c, 0x34b0bcb5, 0x391c0cb3, 0x4ed8aa4a, 0x5b9cca4f, 0x682e6ff3,
    0x748f82ee, 0x78a5636f, 0x84c87814, 0x8cc70208, 0x90befffa, 0xa4506ceb, 0xbef9a3f7, 0xc67178f2};

static uint32_t rotated(uint32_t x, int by) { return x >> by | x << (32 - by); }

static void sha256_block(uint32_t *state, const unsigned char *block) {
  uint32_t w[64], a = state[0], b = state[1], c = state[2], d = state[3], e = state[4],
                  f = state[5], g = state[6], h = state[7];
  for (int i = 0; i < 16; i++)
    w[i] = (uint32_t)block[4 * i] << 24 | (uint32_t)block[4 * i + 1] << 16 |
           (uint32_t)block[4 * i + 2] << 8 | block[4 * i + 3];
  for (int i = 16; i < 64; i++) {
    uint32_t x = w[i - 15], y = w[i - 2];
    w[i] = w[i - 16] + (rotated(x, 7) ^ rotated(x, 18) ^ x >> 3) + w[i - 7] +
           (rotated(y, 17) ^ rotated(y, 19) ^ y >> 10);
  }
  for (int i = 0; i < 64; i++) {
    uint32_t one = h + (rotated(e, 6) ^ rotated(e, 11) ^ rotated(e, 25)) + ((e & f) ^ (~e & g)) +
                   ROUNDS[i] + w[i];
    uint32_t two = (rotated(a, 2) ^ rotated(a, 13) ^ rotated(a, 22)) +
                   ((a & b) ^ (a & c) ^ (b & c));
    h = g, g = f, f = e, e = d + one, d = c, c = b, b = a, a = one + two;
  }
  state[0] += a, state[1] += b, state[2] += c, state[3] += d;
  state[4] += e, state[5] += f, state[6] += g, state[7] += h;
}

static void sha256_begin(sha256 *of) {
  static const uint32_t first[8] = {0x6a09e667, 0xbb67ae85, 0x3c6ef372, 0xa54ff53a,
                                    0x510e527f, 0x9b05688c, 0x1f83d9ab, 0x5be0cd19};
  memcpy(of->state, first, sizeof first);
  of->size = 0;
}

static void sha256_add(sha256 *of, const void *data, size_t size) {
  const unsigned char *next = data;
  while (size) {
    size_t used = of->size % 64, take = 64 - used < size ? 64 - used : size;
    if (take == 64) {
      sha256_block(of->state, next);
    } else {
      memcpy(of->block + used, next, take);
      if (used + take == 64) sha256_block(of->state, of->block);
    }
    of->size += take;
    next += take;
    size -= take;
  }
}

static void sha256_end(sha256 *of, unsigned char *digest) {
  uint64_t bits = of->size * 8;
  unsigned char length[8];
  sha256_add(of, "\x80", 1);
  while (of->size % 64 != 56) sha256_add(of, "", 1);
  for (int i = 0; i < 8; i++) length[i] = (unsigned char)(bits >> (56 - 8 * i));
  sha256_add(of, length, 8);
  for (int i = 0; i < 32; i++) digest[i] = (unsigned char)(of->state[i / 4] >> (24 - 8 * (i % 4)));
}

/* As a manifest has it of a file: where there are several pieces, of their digests in order. */
static void file_sha256(const unsigned char *data, size_t size, char *hex) {
  sha256 whole, piece;
  unsigned char digest[32];
  sha256_begin(&whole);
  for (size_t start = 0; start == 0 || start < size; start += PIECE) {
    sha256_begin(&piece);
    sha256_add(&piece, data + start, size - start < PIECE ? size - start : PIECE);
    sha256_end(&piece, digest);
    sha256_add(&whole, digest, 32);
  }
  if (size > PIECE) sha256_end(&whole, digest);
  for (int i = 0; i < 32; i++) sprintf(hex + 2 * i, "%02x", digest[i]);
}

/* ---- JSON ---- */

typedef struct json {
  char kind; /* one of {["n, of which n is a number, a truth value or null */
  char *key, *text;
  int64_t number; /* -1 where it is no whole number of 0 or more */
  struct json *child, *next, *made;
} json;

typedef struct {
  char *at;
  json *made; /* all, to be freed */
} parser;

static void skip(parser *p) { p->at += strspn(p->at, " \t\r\n"); }

static char *put_utf8(char *out, uint32_t c) {
  if (c < 0x80) {
    *out++ = (char)c;
  } else if (c < 0x800) {
    *out++ = (char)(0xc0 | c >> 6);
  } else if (c < 0x10000) {
    *out++ = (char)(0xe0 | c >> 12);
    *out++ = (char)(0x80 | (c >> 6 & 0x3f));
  } else {
    *out++ = (char)(0xf0 | c >> 18);
    *out++ = (char)(0x80 | (c >> 12 & 0x3f));
    *out++ = (char)(0x80 | (c >> 6 & 0x3f));
  }
  if (c >= 0x80) *out++ = (char)(0x80 | (c & 0x3f));
  return out;
}

static int read_hex(parser *p, uint32_t *c) {
  *c = 0;
  for (int i = 0; i < 4; i++, p->at++) {
    const char *digits = "0123456789abcdef", *found = *p->at ? strchr(digits, *p->at | 0x20) : NULL;
    if (!found) return 0;
    *c = *c << 4 | (uint32_t)(found - digits);
  }
  return 1;
}

/* A string, written over itself without its escapes; NULL where it is none. */
static char *read_string(parser *p) {
  if (*p->at != '"') return NULL;
  char *begin = ++p->at, *out = begin;
  while (*p->at != '"') {
    if ((unsigned char)*p->at < 0x20) return NULL;
    if (*p->at != '\\') {
      *out++ = *p->at++;
      continue;
    }
    const char *from = "\"\\/bfnrt", *to = "\"\\/\b\f\n\r\t", *found;
    p->at++;
    if (*p->at == 'u') {
      uint32_t c, low;
      p->at++;
      if (!read_hex(p, &c) || !c) return NULL;
      if (c >= 0xd800 && c < 0xdc00 && p->at[0] == '\\' && p->at[1] == 'u') {
        p->at += 2;
        if (!read_hex(p, &low)) return NULL;
        c = 0x10000 + ((c - 0xd800) << 10) + ((low - 0xdc00) & 0x3ff);
      }
      out = put_utf8(out, c);
    } else if (*p->at && (found = strchr(from, *p->at))) {
      *out++ = to[found - from];
      p->at++;
    } else {
      return NULL;
    }
  }
  p->at++;
  *out = 0;
  return begin;
}

static json *read_value(parser *p, int depth) {
  json *one = calloc(1, sizeof *one);
  if (!one || depth > DEPTH) return free(one), NULL;
  one->made = p->made;
  p->made = one;
  one->number = -1;
  skip(p);
  char begin = *p->at;
  if (begin == '"') {
    one->kind = '"';
    return (one->text = read_string(p)) ? one : NULL;
  }
  if (begin != '{' && begin != '[') {
    char *end = p->at + strspn(p->at, "+-.0123456789aefInrlstuyN"); /* numbers, true, null, NaN */
    if (end == p->at) return NULL;
    size_t digits = strspn(p->at, "0123456789");
    if (p->at + digits == end && digits < 19) one->number = strtoll(p->at, NULL, 10);
    one->kind = *p->at == 'n' ? '0' : 'n';
    p->at = end;
    return one;
  }
  json **last = &one->child;
  one->kind = begin;
  p->at++;
  for (skip(p); *p->at != begin + 2; skip(p)) { /* "}" and "]" follow their "{" and "[" by two */
    char *key = NULL;
    if (one->child && *p->at++ != ',') return NULL;
    if (begin == '{') {
      skip(p);
      if (!(key = read_string(p))) return NULL;
      skip(p);
      if (*p->at++ != ':') return NULL;
    }
    if (!(*last = read_value(p, depth + 1))) return NULL;
    (*last)->key = key;
    last = &(*last)->next;
  }
  p->at++;
  return one;
}

static json *get(const json *of, const char *key, char kind) {
  if (!of || of->kind != '{') return NULL;
  for (json *one = of->child; one; one = one->next)
    if (!strcmp(one->key, key)) return one->kind == kind ? one : NULL;
  return NULL;
}

static int64_t number(const json *of, const char *key) {
  json *found = get(of, key, 'n');
  return found ? found->number : -1;
}

static void free_json(parser *p) {
  for (json *one = p->made, *next; one; one = next) {
    next = one->made;
    free(one);
  }
}

/* ---- Files ---- */

/* A whole file, ended by a zero and aligned, if it is one and no link. */
static int read_file(const char *folder, const char *name, size_t most, char **data, size_t *size) {
  char path[4096];
  struct stat about;
  if (snprintf(path, sizeof path, "%s/%s", folder, name) >= (int)sizeof path)
    return fail(TW_FOLDER, "The path of the folder is too long. Move it.");
  int file = open(path, O_RDONLY | O_NOFOLLOW | O_CLOEXEC | O_NONBLOCK);
  if (file < 0 || fstat(file, &about) || !S_ISREG(about.st_mode)) {
    if (file >= 0) close(file);
    return fail(TW_FOLDER, "%.200s/%s is missing, a link, or no file at all. " AGAIN, folder, name);
  }
  *size = (size_t)about.st_size;
  if (most && *size > most) {
    close(file);
    return fail(TW_FOLDER, "%s is far too long. " AGAIN, name);
  }
  *data = aligned_alloc(ALIGNMENT, (*size / ALIGNMENT + 1) * ALIGNMENT);
  if (!*data) return close(file), no_memory();
  size_t got = 0;
  ssize_t more = 1;
  while (got < *size && more > 0) {
    more = read(file, *data + got, *size - got);
    if (more > 0) got += (size_t)more;
  }
  close(file);
  (*data)[got] = 0;
  return got == *size ? TW_OK : fail(TW_FOLDER, "%s cannot be read. " AGAIN, name);
}

static int parsed(parser *p, char *text, size_t size, const char *name, json **root) {
  p->at = text;
  *root = strlen(text) == size ? read_value(p, 0) : NULL;
  if (*root) skip(p);
  return *root && !*p->at && (*root)->kind == '{'
             ? TW_OK
             : fail(TW_FOLDER, "%s is not valid JSON. " AGAIN, name);
}

/* The SHA-256 of a manifest in whose text its own, the one `told`, is left empty. */
static int manifest_sha256(const char *text, size_t size, const char *told, char *hex) {
  char quoted[80], *rest = malloc(size + 1), *out = rest;
  if (!rest) return no_memory();
  size_t length = (size_t)snprintf(quoted, sizeof quoted, "\"%.70s\"", told);
  for (const char *at = text, *found; *at; at = found + length) {
    found = strstr(at, quoted);
    size_t kept = found ? (size_t)(found - at) : strlen(at);
    memcpy(out, at, kept);
    out += kept;
    if (!found) break;
    memcpy(out, "\"\"", 2);
    out += 2;
  }
  file_sha256((unsigned char *)rest, (size_t)(out - rest), hex); /* far less than a piece */
  free(rest);
  return TW_OK;
}
