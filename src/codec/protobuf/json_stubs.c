/* The ordinary characters of a JSON string, sixteen at a time: the vector
   extension of GCC and Clang becomes the processor's own instructions. */

#include <stdint.h>

#include <caml/mlvalues.h>

typedef unsigned char chunk __attribute__((vector_size(16)));
typedef signed char signed_chunk __attribute__((vector_size(16)));
typedef uint64_t halves __attribute__((vector_size(16)));

typedef unsigned char loose __attribute__((vector_size(16), aligned(1), may_alias));

static inline chunk load(const unsigned char *from) { return *(const loose *)from; }

static inline chunk copy(unsigned char *to, const unsigned char *from) {
  chunk c = load(from);
  *(loose *)to = c;
  return c;
}

static inline chunk all(unsigned char c) { return (chunk){0} + c; }

/* Bytes above 127 are negative, so they count as control characters do. */
static inline chunk ends(chunk c) {
  return (chunk)((signed_chunk)c < (signed_chunk)all(32)) | (chunk)(c == all('"')) |
         (chunk)(c == all('\\'));
}

static inline int none(chunk c) {
  halves h = (halves)c;
  return (h[0] | h[1]) == 0;
}

/* Where ordinary ASCII from [pos] on reaches, at least. */
intnat weir_protobuf_json_run(value source, intnat pos, intnat limit) {
  const unsigned char *s = (const unsigned char *)String_val(source);
  for (; pos + 64 <= limit; pos += 64) {
    chunk a = ends(load(s + pos)), b = ends(load(s + pos + 16));
    chunk c = ends(load(s + pos + 32)), d = ends(load(s + pos + 48));
    if (!none((a | b) | (c | d))) break;
  }
  for (; pos + 16 <= limit; pos += 16)
    if (!none(ends(load(s + pos)))) break;
  return pos;
}

/* Copies the first [n] bytes, at least 16, to [at], as far as they are ordinary
   ASCII; what is behind those in the target may be overwritten up to
   [at + n]. The last chunk may overlap the one before. */
intnat weir_protobuf_json_copy(value source, intnat n, value target, intnat at) {
  const unsigned char *s = (const unsigned char *)String_val(source);
  unsigned char *to = Bytes_val(target) + at;
  intnat i = 0;
  for (; i + 64 <= n; i += 64) {
    chunk a = ends(copy(to + i, s + i)), b = ends(copy(to + i + 16, s + i + 16));
    chunk c = ends(copy(to + i + 32, s + i + 32));
    chunk d = ends(copy(to + i + 48, s + i + 48));
    if (!none((a | b) | (c | d))) break;
  }
  for (; i + 16 <= n; i += 16)
    if (!none(ends(copy(to + i, s + i)))) return i;
  if (i < n && none(ends(copy(to + n - 16, s + n - 16)))) return n;
  return i;
}

value weir_protobuf_json_run_byte(value source, value pos, value limit) {
  return Val_long(weir_protobuf_json_run(source, Long_val(pos), Long_val(limit)));
}

value weir_protobuf_json_copy_byte(value source, value n, value target, value at) {
  return Val_long(weir_protobuf_json_copy(source, Long_val(n), target, Long_val(at)));
}
