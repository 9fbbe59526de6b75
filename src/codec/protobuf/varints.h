/* Varints, a word at a time: what arrays (packed_stubs.c) and lists (list_stubs.c) share. */

#include <stdint.h>
#include <string.h>

#include <caml/mlvalues.h>

#ifdef __SSE2__
#include <emmintrin.h>
#endif

#define HIGH UINT64_C(0x8080808080808080)

/* As arrays.ml and number_lists.ml have them. */
enum kind { INT32, UINT32, SINT32, BOOL, INT64, SINT64 };

static inline uint64_t load64(const unsigned char *p) {
  uint64_t w;
  memcpy(&w, p, 8);
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64(w);
#endif
  return w;
}

static inline void store64(unsigned char *p, uint64_t w) {
#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
  w = __builtin_bswap64(w);
#endif
  memcpy(p, &w, 8);
}

/* Seven bits a byte, eight bytes, joined. */
static inline uint64_t join(uint64_t x) {
  x &= ~HIGH;
  x = (x & UINT64_C(0x007f007f007f007f)) | ((x & UINT64_C(0x7f007f007f007f00)) >> 1);
  x = (x & UINT64_C(0x00003fff00003fff)) | ((x & UINT64_C(0x3fff00003fff0000)) >> 2);
  return (x & UINT64_C(0x000000000fffffff)) | ((x & UINT64_C(0x0fffffff00000000)) >> 4);
}

/* 56 bits taken apart: [join]'s inverse. */
static inline uint64_t part(uint64_t x) {
  x = (x & UINT64_C(0x000000000fffffff)) | ((x & UINT64_C(0x00fffffff0000000)) << 4);
  x = (x & UINT64_C(0x00003fff00003fff)) | ((x & UINT64_C(0x0fffc0000fffc000)) << 2);
  return (x & UINT64_C(0x007f007f007f007f)) | ((x & UINT64_C(0x3f803f803f803f80)) << 1);
}

/* A byte at a time: its width, or 0 if it is cut off or longer than ten bytes. */
static inline int slow(const unsigned char *p, const unsigned char *end, uint64_t *v) {
  uint64_t x = 0;
  for (int i = 0; i < 10 && p + i < end; i++) {
    x |= (uint64_t)(p[i] & 127) << (7 * i);
    if (p[i] < 128) {
      *v = x;
      return i + 1;
    }
  }
  return 0;
}

static inline int64_t meaning(uint64_t v, enum kind kind) {
  uint32_t low = (uint32_t)v;
  switch (kind) {
    case INT32: return (int32_t)low;
    case UINT32: return low;
    case SINT32: return (int32_t)((low >> 1) ^ -(low & 1));
    case BOOL: return v != 0;
    case INT64: return (int64_t)v;
    default: return (int64_t)((v >> 1) ^ -(v & 1));
  }
}

/* The width of the number at p, or 0. */
static inline int read_one(const unsigned char *p, const unsigned char *end, uint64_t *v) {
  if (end - p >= 8) {
    uint64_t w = load64(p), ends = ~w & HIGH;
    if (ends != 0) {
      *v = join(w & (ends ^ (ends - 1)));
      return (__builtin_ctzll(ends) >> 3) + 1;
    }
  }
  return slow(p, end, v);
}

/* A bit for each of 64 bytes that ends a number. */
static inline uint64_t ends_of(const unsigned char *p) {
#ifdef __SSE2__
  uint64_t more = 0;
  for (int i = 0; i < 4; i++) {
    __m128i v = _mm_loadu_si128((const __m128i *)(p + 16 * i));
    more |= (uint64_t)(uint32_t)_mm_movemask_epi8(v) << (16 * i);
  }
  return ~more;
#else
  uint64_t ends = 0;
  for (int i = 0; i < 8; i++) {
    uint64_t each = (~load64(p + 8 * i) & HIGH) >> 7;
    ends |= ((each * UINT64_C(0x0102040810204080)) >> 56) << (8 * i);
  }
  return ends;
#endif
}

/* The number at p of a width of ten or less; ten bytes can be read. */
static inline uint64_t cut(const unsigned char *p, int width, enum kind kind) {
  static const uint64_t low[] = {0,          0xff,           0xffff,           0xffffff,
                                 0xffffffff, 0xffffffffff,   0xffffffffffff,   0xffffffffffffff,
                                 ~0ULL,      ~0ULL,          ~0ULL};
  static const uint16_t high[] = {0, 0, 0, 0, 0, 0, 0, 0, 0, 0x7f, 0x17f};
  uint64_t v = join(load64(p) & low[width]);
  if (kind <= SINT32) return v;
  uint64_t rest = (p[8] | p[9] << 8) & high[width];
  return v | (rest & 0x7f) << 56 | (rest & 0x100) << 55;
}

/* Reads numbers of [p, end), n at most, to words, as an OCaml array holds them if [tagged]: the
   position behind them, and in *count how many. It stops early at one that is not whole. The ends of
   64 bytes are found at once, so that a number need not wait for the width of the one before. */
static inline const unsigned char *read_numbers(const unsigned char *p, const unsigned char *end,
                                                int64_t *to, intnat n, enum kind kind, int tagged,
                                                intnat *count) {
  intnat i = 0;
#define PUT(v) to[i++] = tagged ? (int64_t)Val_long(meaning(v, kind)) : meaning(v, kind)
  while (end - p >= 64 + 10 && n - i >= 64) {
    uint64_t ends = ends_of(p);
    if (ends == ~UINT64_C(0)) {
      for (int k = 0; k < 64; k++) PUT(p[k]);
      p += 64;
      continue;
    }
    int from = 0;
    for (; ends != 0; ends &= ends - 1) {
      int last = __builtin_ctzll(ends), width = last - from + 1;
      if (width > 10) break;
      uint64_t v = cut(p + from, width, kind);
      PUT(v);
      from = last + 1;
    }
    p += from;
    if (from < 64 - 10) break;
  }
  while (i < n && p < end) {
    uint64_t v;
    int width = read_one(p, end, &v);
    if (width == 0) break;
    PUT(v);
    p += width;
  }
#undef PUT
  *count = i;
  return p;
}

/* What stands on the wire for a value. */
static inline uint64_t coded(int64_t v, enum kind kind) {
  if (kind == SINT32 || kind == SINT64) return ((uint64_t)v << 1) ^ (uint64_t)(v >> 63);
  return (uint64_t)v;
}

static inline int fits(int64_t v, enum kind kind) {
  switch (kind) {
    case INT32:
    case SINT32: return v == (int32_t)v;
    case UINT32: return v == (uint32_t)v;
    default: return 1;
  }
}

/* Seven bits a byte: (9 * the top bit's place + 73) / 64. */
static inline int width_of(uint64_t v) { return (9 * (63 - __builtin_clzll(v | 1)) + 73) >> 6; }

/* Writes v, of that width, at p; there is room for it. */
static inline void write_one(unsigned char *p, const unsigned char *end, uint64_t v, int width) {
  if (end - p >= 8 && width <= 8)
    store64(p, part(v) | (HIGH & ((UINT64_C(1) << (8 * (width - 1))) - 1)));
  else {
    for (; v >= 128; v >>= 7) *p++ = (unsigned char)(v | 128);
    *p = (unsigned char)v;
  }
}
