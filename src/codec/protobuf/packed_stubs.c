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

/* Of an OCaml array of ints, or of the bytes that hold numbers of 64 bits, from byte [at] on. */
static unsigned char *words(value array, intnat at) { return (unsigned char *)Op_val(array) + at; }

/* Another domain may change an array of ints: each is read once. */
static inline int64_t get(const unsigned char *from, intnat i, enum kind kind) {
  if (kind >= INT64) return (int64_t)load64(from + 8 * i);
  return (int64_t)Long_val(((const volatile int64_t *)from)[i]);
}

static inline intnat read_all(const unsigned char *base, intnat first, intnat stop,
                              unsigned char *words, intnat n, enum kind kind) {
  int64_t *to = (int64_t *)words;
  intnat read;
  const unsigned char *p =
      read_numbers(base + first, base + stop, to, n, kind, kind < INT64, &read);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  if (kind >= INT64)
    for (intnat i = 0; i < read; i++) store64(words + 8 * i, to[i]);
#endif
  return read < n ? -1 - (p - base) : p - base;
}

/* Reads n numbers: the position behind them, or -1 - that of one that is not whole. */
intnat weir_protobuf_read_varints(value source, intnat first, intnat stop, value array, intnat at,
                                  intnat n, intnat kind) {
  const unsigned char *base = (const unsigned char *)String_val(source);
  switch (kind) {
#define READ(k) \
  case k: return read_all(base, first, stop, words(array, at), n, k);
    READ(INT32)
    READ(UINT32)
    READ(SINT32)
    READ(BOOL)
    READ(INT64)
    default: return read_all(base, first, stop, words(array, at), n, SINT64);
#undef READ
  }
}

/* Of n numbers, or -1 - the index of one out of range. */
static inline intnat size_all(const unsigned char *from, intnat n, enum kind kind) {
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

__attribute__((target("avx2"))) static inline four load_four(const unsigned char *from,
                                                             enum kind kind) {
  four x;
  memcpy(&x, from, sizeof x);
  x >>= 1;
  return kind == SINT32 ? (x << 1) ^ (x >> 63) : x;
}

#define SIZE_FOURS(name, kind)                                                              \
  __attribute__((target("avx2"))) static intnat name(const unsigned char *from, intnat n) { \
    four more = {0}, wrong = {0};                                                           \
    intnat i = 0;                                                                           \
    for (; i + 4 <= n; i += 4) {                                                            \
      four x = load_four(from + 8 * i, kind);                                               \
      four low = kind == INT32 ? x & ~(x >> 63) : x;                                        \
      wrong |= (kind == INT32 ? x + INT64_C(0x80000000) : x) >> 32;                         \
      more -= (low > 127) + (low > 0x3fff) + (low > 0x1fffff) + (low > 0xfffffff);          \
      if (kind == INT32) more -= 9 * (x < 0);                                               \
    }                                                                                       \
    if (wrong[0] | wrong[1] | wrong[2] | wrong[3]) return size_all(from, n, kind);          \
    intnat rest = size_all(from + 8 * i, n - i, kind);                                      \
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
    const unsigned char *from = words(array, at);
    return kind == INT32    ? size_int32(from, n)
           : kind == UINT32 ? size_uint32(from, n)
                            : size_sint32(from, n);
  }
#endif
  switch (kind) {
#define SIZE(k) \
  case k: return size_all(words(array, at), n, k);
    SIZE(INT32)
    SIZE(UINT32)
    SIZE(SINT32)
    SIZE(INT64)
    SIZE(SINT64)
    default: return n;
#undef SIZE
  }
}

/* Writes the bytes of v, of that width, before p; sixteen bytes before p may be written. */
static inline void write_before(unsigned char *p, uint64_t v, int width) {
  static const uint64_t more[] = {0, 0, 0x80, 0x8080, 0x808080, 0x80808080, 0x8080808080,
                                  0x808080808080, 0x80808080808080, HIGH, HIGH};
  uint64_t low = part(v) | more[width];
  if (width <= 8)
    store64(p - 8, low << (8 * (8 - width)));
  else {
    /* All bits of an int32 below 0 above the lowest are ones. */
    uint64_t rest = (v >> 56 & 0x7f) | (width == 10 ? 0x80 : 0);
    store64(p - width, low);
    p[8 - width] = (unsigned char)rest;
    if (width == 10) p[-1] = 1;
  }
}

/* Writes n numbers before stop, the last first: where they begin, -1 if there is no room for them,
   or -2 if one is out of range. */
static inline intnat write_all(unsigned char *base, intnat stop, const unsigned char *from,
                               intnat n, enum kind kind) {
  unsigned char *p = base + stop;
  intnat i = n;
  int wrong = 0;
  while (i > 0 && p - base >= 16) {
    int64_t v = get(from, --i, kind);
    wrong |= !fits(v, kind);
    uint64_t bits = coded(v, kind);
    int width = width_of(bits);
    write_before(p, bits, width);
    p -= width;
  }
  while (i > 0) {
    int64_t v = get(from, --i, kind);
    wrong |= !fits(v, kind);
    uint64_t bits = coded(v, kind);
    int width = width_of(bits);
    if (p - base < width) {
      p = base - 1;
      break;
    }
    p -= width;
    write_one(p, p + width, bits, width);
  }
  return wrong ? -2 : p - base;
}

intnat weir_protobuf_write_varints(value target, intnat stop, value array, intnat at, intnat n,
                                   intnat kind) {
  unsigned char *base = Bytes_val(target);
  switch (kind) {
#define WRITE(k) \
  case k: return write_all(base, stop, words(array, at), n, k);
    WRITE(INT32)
    WRITE(UINT32)
    WRITE(SINT32)
    WRITE(BOOL)
    WRITE(INT64)
    default: return write_all(base, stop, words(array, at), n, SINT64);
#undef WRITE
  }
}

/* Doubles between bytes and the words of a floatarray, n of them. */

static void move(unsigned char *to, const unsigned char *from, intnat n) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  for (intnat i = 0; i < n; i++)
    for (int k = 0; k < 8; k++) to[8 * i + k] = from[8 * i + 7 - k];
#else
  memcpy(to, from, 8 * n);
#endif
}

value weir_protobuf_read_doubles(value source, intnat first, value array, intnat at, intnat n) {
  move((unsigned char *)Op_val(array) + 8 * at, (const unsigned char *)String_val(source) + first,
       n);
  return Val_unit;
}

value weir_protobuf_write_doubles(value target, intnat first, value array, intnat at, intnat n) {
  move(Bytes_val(target) + first, (const unsigned char *)Op_val(array) + 8 * at, n);
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
  return Val_long(weir_protobuf_write_varints(v[0], Long_val(v[1]), v[2], Long_val(v[3]),
                                              Long_val(v[4]), Long_val(v[5])));
}

value weir_protobuf_read_doubles_byte(value source, value first, value array, value at, value n) {
  return weir_protobuf_read_doubles(source, Long_val(first), array, Long_val(at), Long_val(n));
}

value weir_protobuf_write_doubles_byte(value target, value first, value array, value at,
                                       value n) {
  return weir_protobuf_write_doubles(target, Long_val(first), array, Long_val(at), Long_val(n));
}
