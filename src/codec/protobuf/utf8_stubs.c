/* Copying bytes and testing them for ASCII in one pass, a vector at a time: the
   vector extension of GCC and Clang becomes the processor's own instructions. */

#include <stdint.h>
#include <string.h>

#include <caml/mlvalues.h>

/* n is at least a vector's size; the last one may overlap the one before. */
#define COPY(name, attributes, size)                                                    \
  attributes static intnat name(unsigned char *to, const unsigned char *from, intnat n) { \
    typedef uint64_t chunk __attribute__((vector_size(size)));                          \
    chunk seen, a, b;                                                                   \
    uint64_t high = 0;                                                                  \
    intnat i = 0;                                                                       \
    memcpy(&seen, from + n - size, size);                                               \
    memcpy(to + n - size, &seen, size);                                                 \
    for (; i + 2 * size <= n; i += 2 * size) {                                          \
      memcpy(&a, from + i, size);                                                       \
      memcpy(&b, from + i + size, size);                                                \
      memcpy(to + i, &a, size);                                                         \
      memcpy(to + i + size, &b, size);                                                  \
      seen |= a | b;                                                                    \
    }                                                                                   \
    if (i + size <= n) {                                                                \
      memcpy(&a, from + i, size);                                                       \
      memcpy(to + i, &a, size);                                                         \
      seen |= a;                                                                        \
    }                                                                                   \
    for (int k = 0; k < size / 8; k++) high |= seen[k];                                 \
    return (high & UINT64_C(0x8080808080808080)) == 0;                                  \
  }

COPY(copy16, , 16)
#ifdef __x86_64__
COPY(copy32, __attribute__((target("avx2"))), 32)
#endif

/* n is at least 16. */
intnat weir_protobuf_copy_ascii(value source, intnat pos, value target, intnat at, intnat n) {
  const unsigned char *from = (const unsigned char *)String_val(source) + pos;
  unsigned char *to = Bytes_val(target) + at;
#ifdef __x86_64__
  if (n >= 64 && __builtin_cpu_supports("avx2")) return copy32(to, from, n);
#endif
  return copy16(to, from, n);
}

value weir_protobuf_copy_ascii_byte(value source, value pos, value target, value at, value n) {
  return Val_long(weir_protobuf_copy_ascii(source, Long_val(pos), target, Long_val(at), Long_val(n)));
}
