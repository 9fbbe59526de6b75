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

intnat weir_checksum(value bytes, intnat off, intnat len) {
  return big_endian(fold(sum_words((unsigned char *)Bytes_val(bytes) + off, (uintnat)len)));
}

value weir_checksum_byte(value bytes, value off, value len) {
  return Val_long(weir_checksum(bytes, Long_val(off), Long_val(len)));
}

/* Copies, then sums what was copied while it is still in the first cache. */
intnat weir_copy_checksum(value src, intnat src_off, value dst, intnat dst_off, intnat len) {
  unsigned char *to = (unsigned char *)Bytes_val(dst) + dst_off;
  memmove(to, (unsigned char *)Bytes_val(src) + src_off, (size_t)len);
  return big_endian(fold(sum_words(to, (uintnat)len)));
}

value weir_copy_checksum_byte(value src, value src_off, value dst, value dst_off, value len) {
  return Val_long(weir_copy_checksum(src, Long_val(src_off), dst, Long_val(dst_off), Long_val(len)));
}
