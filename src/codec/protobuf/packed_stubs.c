/* Packed numbers between a message's bytes and arrays. Callers have checked that [first, stop)
   lies within the bytes and [at, at + n) within the array; nothing is read or written outside of
   them, whatever the bytes hold and whoever changes the array meanwhile. */

#include "varints.h"

/* How many numbers end here: bytes below 128. */
intnat weir_protobuf_count_varints(value source, intnat first, intnat stop) {
  typedef signed char chunk __attribute__((vector_size(16)));
  const unsigned char *p = (const unsigned char *)String_val(source) + first;
  const unsigned char *end = (const unsigned char *)String_val(source) + stop;
  intnat n = 0;
  while (end - p >= 16) {
    chunk counts = {0}, v;
    /* A count of 8 bits holds for 255 rounds. */
    for (int k = 0; k < 255 && end - p >= 16; k++, p += 16) {
      memcpy(&v, p, 16);
      counts -= (chunk)(v >= 0);
    }
    for (int k = 0; k < 16; k++) n += (unsigned char)counts[k];
  }
  for (; p < end; p++) n += *p < 128;
  return n;
}

/* An OCaml array of ints, or the words of bytes. */
static inline void put(int64_t *to, intnat i, int64_t v, enum kind kind) {
  to[i] = kind >= INT64 ? v : (int64_t)Val_long(v);
}

static inline int64_t get(const int64_t *from, intnat i, enum kind kind) {
  int64_t v = ((const volatile int64_t *)from)[i];
  return kind >= INT64 ? v : (int64_t)Long_val(v);
}

static inline int64_t *words(value array) { return (int64_t *)Op_val(array); }

static inline intnat read_all(const unsigned char *base, intnat first, intnat stop, int64_t *to,
                              intnat n, enum kind kind) {
  const unsigned char *p = base + first, *end = base + stop;
  intnat i = 0;
  while (i < n) {
    if (end - p >= 8 && n - i >= 8 && (load64(p) & HIGH) == 0) {
      for (int k = 0; k < 8; k++) put(to, i + k, meaning(p[k], kind), kind);
      i += 8;
      p += 8;
      continue;
    }
    uint64_t v;
    int width = read_one(p, end, &v);
    if (width == 0) return -1 - (p - base);
    put(to, i, meaning(v, kind), kind);
    p += width;
    i++;
  }
  return p - base;
}

/* Reads n numbers: the position behind them, or -1 - that of one that is not whole. */
intnat weir_protobuf_read_varints(value source, intnat first, intnat stop, value array, intnat at,
                                  intnat n, intnat kind) {
  const unsigned char *base = (const unsigned char *)String_val(source);
  switch (kind) {
#define READ(k) \
  case k: return read_all(base, first, stop, words(array) + at, n, k);
    READ(INT32)
    READ(UINT32)
    READ(SINT32)
    READ(BOOL)
    READ(INT64)
    default: return read_all(base, first, stop, words(array) + at, n, SINT64);
#undef READ
  }
}

/* Of n numbers, or -1 - the index of one out of range. */
static inline intnat size_all(const int64_t *from, intnat n, enum kind kind) {
  intnat size = 0;
  for (intnat i = 0; i < n; i++) {
    int64_t v = get(from, i, kind);
    if (!fits(v, kind)) return -1 - i;
    size += width_of(coded(v, kind));
  }
  return size;
}

#ifdef __x86_64__
/* Four a step: the bytes beyond one of each are counted where a number is not below a power. One
   out of range is left to the others. */
typedef int64_t four __attribute__((vector_size(32)));

__attribute__((target("avx2"))) static inline four load_four(const int64_t *from, enum kind kind) {
  four x;
  memcpy(&x, from, sizeof x);
  x = kind >= INT64 ? x : x >> 1;
  return kind == SINT32 || kind == SINT64 ? (x << 1) ^ (x >> 63) : x;
}

#define SIZE_FOURS(name, kind)                                                              \
  __attribute__((target("avx2"))) static intnat name(const int64_t *from, intnat n) {       \
    four more = {0}, wrong = {0};                                                           \
    intnat i = 0;                                                                           \
    for (; i + 4 <= n; i += 4) {                                                            \
      four x = load_four(from + i, kind);                                                   \
      four low = kind == INT32 ? x & ~(x >> 63) : x;                                        \
      wrong |= (kind == INT32 ? x + INT64_C(0x80000000) : x) >> 32;                         \
      more -= (low > 127) + (low > 0x3fff) + (low > 0x1fffff) + (low > 0xfffffff);          \
      if (kind == INT32) more -= 9 * (x < 0);                                               \
    }                                                                                       \
    if (wrong[0] | wrong[1] | wrong[2] | wrong[3]) return size_all(from, n, kind);          \
    intnat rest = size_all(from + i, n - i, kind);                                          \
    return rest < 0 ? rest - i : rest + i + more[0] + more[1] + more[2] + more[3];          \
  }

SIZE_FOURS(size_int32, INT32)
SIZE_FOURS(size_uint32, UINT32)
SIZE_FOURS(size_sint32, SINT32)
#endif

/* The bytes that n numbers take, or -1 - the index of one out of range. */
intnat weir_protobuf_size_varints(value array, intnat at, intnat n, intnat kind) {
#ifdef __x86_64__
  if (kind <= SINT32 && __builtin_cpu_supports("avx2")) {
    const int64_t *from = words(array) + at;
    return kind == INT32    ? size_int32(from, n)
           : kind == UINT32 ? size_uint32(from, n)
                            : size_sint32(from, n);
  }
#endif
  switch (kind) {
#define SIZE(k) \
  case k: return size_all(words(array) + at, n, k);
    SIZE(INT32)
    SIZE(UINT32)
    SIZE(SINT32)
    SIZE(INT64)
    SIZE(SINT64)
    default: return n;
#undef SIZE
  }
}

static inline intnat write_all(unsigned char *base, intnat first, intnat stop, const int64_t *from,
                               intnat n, enum kind kind) {
  unsigned char *p = base + first, *end = base + stop;
  for (intnat i = 0; i < n; i++) {
    uint64_t v = coded(get(from, i, kind), kind);
    int width = width_of(v);
    if (end - p < width) return -1;
    write_one(p, end, v, width);
    p += width;
  }
  return p - base;
}

/* Writes n numbers: the position behind them, or -1 if they do not fit before stop. */
intnat weir_protobuf_write_varints(value target, intnat first, intnat stop, value array, intnat at,
                                   intnat n, intnat kind) {
  unsigned char *base = Bytes_val(target);
  switch (kind) {
#define WRITE(k) \
  case k: return write_all(base, first, stop, words(array) + at, n, k);
    WRITE(INT32)
    WRITE(UINT32)
    WRITE(SINT32)
    WRITE(BOOL)
    WRITE(INT64)
    default: return write_all(base, first, stop, words(array) + at, n, SINT64);
#undef WRITE
  }
}

/* Fixed-width numbers, n of them: of bytes, or of a floatarray, whose words are doubles. */

enum fixed { OF_32, OF_64, DOUBLES };

static void move(unsigned char *to, const unsigned char *from, intnat n, int width) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (intnat i = 0; i < n; i++)
    for (int k = 0; k < width; k++) to[width * i + k] = from[width * i + width - 1 - k];
#else
  memcpy(to, from, width * n);
#endif
}

static unsigned char *element(value array, intnat at, intnat kind) {
  return (unsigned char *)Op_val(array) + at * (kind == OF_32 ? 4 : 8);
}

value weir_protobuf_read_fixed(value source, intnat first, value array, intnat at, intnat n,
                               intnat kind) {
  move(element(array, at, kind), (const unsigned char *)String_val(source) + first, n,
       kind == OF_32 ? 4 : 8);
  return Val_unit;
}

value weir_protobuf_write_fixed(value target, intnat first, value array, intnat at, intnat n,
                                intnat kind) {
  move(Bytes_val(target) + first, element(array, at, kind), n, kind == OF_32 ? 4 : 8);
  return Val_unit;
}

/* For bytecode. */

value weir_protobuf_count_varints_byte(value source, value first, value stop) {
  return Val_long(weir_protobuf_count_varints(source, Long_val(first), Long_val(stop)));
}

value weir_protobuf_read_varints_byte(value *v, int n) {
  (void)n;
  return Val_long(weir_protobuf_read_varints(v[0], Long_val(v[1]), Long_val(v[2]), v[3],
                                             Long_val(v[4]), Long_val(v[5]), Long_val(v[6])));
}

value weir_protobuf_size_varints_byte(value array, value at, value n, value kind) {
  return Val_long(weir_protobuf_size_varints(array, Long_val(at), Long_val(n), Long_val(kind)));
}

value weir_protobuf_write_varints_byte(value *v, int n) {
  (void)n;
  return Val_long(weir_protobuf_write_varints(v[0], Long_val(v[1]), Long_val(v[2]), v[3],
                                              Long_val(v[4]), Long_val(v[5]), Long_val(v[6])));
}

value weir_protobuf_read_fixed_byte(value *v, int n) {
  (void)n;
  return weir_protobuf_read_fixed(v[0], Long_val(v[1]), v[2], Long_val(v[3]), Long_val(v[4]),
                                  Long_val(v[5]));
}

value weir_protobuf_write_fixed_byte(value *v, int n) {
  (void)n;
  return weir_protobuf_write_fixed(v[0], Long_val(v[1]), v[2], Long_val(v[3]), Long_val(v[4]),
                                   Long_val(v[5]));
}
