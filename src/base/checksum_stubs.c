/* The Internet checksum (RFC 1071) over OCaml bytes. Both functions return the
   one's complement sum of big-endian 16-bit words, folded to 16 bits and not
   complemented. They neither allocate nor release the runtime lock. */

#define CAML_NAME_SPACE
#include <caml/mlvalues.h>
#include <stdint.h>
#include <string.h>

static inline uint64_t add64(uint64_t sum, uint64_t word) {
  sum += word;
  return sum + (sum < word);
}

static inline intnat fold(uint64_t sum) {
  sum = (sum >> 32) + (sum & 0xffffffffu);
  sum = (sum >> 32) + (sum & 0xffffffffu);
  sum = (sum >> 16) + (sum & 0xffff);
  sum = (sum >> 16) + (sum & 0xffff);
  return (intnat)sum;
}

static inline intnat big_endian(intnat sum) {
#if defined(__BYTE_ORDER__) && __BYTE_ORDER__ == __ORDER_LITTLE_ENDIAN__
  return ((sum & 0xff) << 8) | (sum >> 8);
#else
  return sum;
#endif
}

/* Four accumulators of 32-bit words: the compiler turns the loop into vector
   adds, and 2^32 words fit before one overflows. */
static inline uint64_t sum_words(const unsigned char *p, uintnat len) {
  uint64_t a = 0, b = 0, c = 0, d = 0, sum;
  uint32_t w[4];
  while (len >= 16) {
    memcpy(w, p, 16);
    a += w[0]; b += w[1]; c += w[2]; d += w[3];
    p += 16; len -= 16;
  }
  sum = add64(add64(a, b), add64(c, d));
  while (len >= 4) {
    memcpy(w, p, 4);
    sum = add64(sum, w[0]);
    p += 4; len -= 4;
  }
  if (len > 0) {
    unsigned char last[4] = {0, 0, 0, 0};
    memcpy(last, p, len);
    memcpy(w, last, 4);
    sum = add64(sum, w[0]);
  }
  return sum;
}

#if defined(__x86_64__) && defined(__GNUC__)
#include <immintrin.h>

/* Below, the call costs more than it saves. */
enum { WORTH_WIDE = 128 };
#define IS_WIDE(len) ((len) >= WORTH_WIDE && __builtin_cpu_supports("avx2"))

/* [words] is the sum of 64-bit words modulo 2^64, [high] that of their upper
   halves. What is left of the first without the second is the sum of the lower
   halves, as it is below 2^64. */
__attribute__((target("avx2"))) static inline uint64_t halves(__m256i words, __m256i high) {
  uint64_t w[4], h[4], sum = 0;
  memcpy(w, &words, sizeof w);
  memcpy(h, &high, sizeof h);
  for (int i = 0; i < 4; i++) sum = add64(sum, add64(w[i] - (h[i] << 32), h[i]));
  return sum;
}

#define ADD(at)                                                     \
  do {                                                              \
    __m256i v = _mm256_loadu_si256((const __m256i *)(p + (at)));    \
    if (to) _mm256_storeu_si256((__m256i *)(to + (at)), v);         \
    words = _mm256_add_epi64(words, v);                             \
    high = _mm256_add_epi64(high, _mm256_srli_epi64(v, 32));        \
  } while (0)

/* The sum of what is at [p], which is copied to [to] on the way if that is not
   NULL. */
__attribute__((target("avx2"), always_inline)) static inline uint64_t
wide(const unsigned char *p, unsigned char *to, uintnat len) {
  __m256i words = _mm256_setzero_si256(), high = words;
  uintnat at = 0;
  for (; len - at >= 128; at += 128) {
    ADD(at);
    ADD(at + 32);
    ADD(at + 64);
    ADD(at + 96);
  }
  for (; len - at >= 32; at += 32) ADD(at);
  if (to) memcpy(to + at, p + at, len - at);
  return add64(halves(words, high), sum_words(p + at, len - at));
}

__attribute__((target("avx2"))) static uint64_t sum_wide(const unsigned char *p, uintnat len) {
  return wide(p, NULL, len);
}

__attribute__((target("avx2"))) static uint64_t copy_sum_wide(unsigned char *to,
                                                              const unsigned char *p,
                                                              uintnat len) {
  return wide(p, to, len);
}
#else
#define IS_WIDE(len) 0
#define sum_wide(p, len) 0
#define copy_sum_wide(to, p, len) 0
#endif

static inline uint64_t sum_any(const unsigned char *p, uintnat len) {
  return IS_WIDE(len) ? sum_wide(p, len) : sum_words(p, len);
}

intnat weir_checksum(value bytes, intnat off, intnat len) {
  return big_endian(fold(sum_any((unsigned char *)Bytes_val(bytes) + off, (uintnat)len)));
}

value weir_checksum_byte(value bytes, value off, value len) {
  return Val_long(weir_checksum(bytes, Long_val(off), Long_val(len)));
}

/* In one pass over the bytes, or by summing what was copied while it is still in
   the first cache. */
intnat weir_copy_checksum(value src, intnat src_off, value dst, intnat dst_off, intnat len) {
  unsigned char *to = (unsigned char *)Bytes_val(dst) + dst_off;
  const unsigned char *from = (unsigned char *)Bytes_val(src) + src_off;
  if (IS_WIDE(len)) return big_endian(fold(copy_sum_wide(to, from, (uintnat)len)));
  memcpy(to, from, (size_t)len);
  return big_endian(fold(sum_words(to, (uintnat)len)));
}

value weir_copy_checksum_byte(value src, value src_off, value dst, value dst_off, value len) {
  return Val_long(weir_copy_checksum(src, Long_val(src_off), dst, Long_val(dst_off), Long_val(len)));
}
