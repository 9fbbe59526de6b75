/* Copying bytes and testing them for ASCII in one pass, sixteen at a time: the
   vector extension of GCC and Clang becomes the processor's own instructions. */

#include <stdint.h>
#include <string.h>

#include <caml/mlvalues.h>

typedef uint64_t chunk __attribute__((vector_size(16)));

static inline chunk copy(unsigned char *to, const unsigned char *from) {
  chunk c;
  memcpy(&c, from, sizeof c);
  memcpy(to, &c, sizeof c);
  return c;
}

/* n is at least 16; the last chunk may overlap the one before. */
intnat weir_protobuf_copy_ascii(value source, intnat pos, value target, intnat at, intnat n) {
  const unsigned char *from = (const unsigned char *)String_val(source) + pos;
  unsigned char *to = Bytes_val(target) + at;
  chunk seen = copy(to + n - 16, from + n - 16);
  intnat i = 0;
  for (; i + 64 <= n; i += 64) {
    chunk a = copy(to + i, from + i), b = copy(to + i + 16, from + i + 16);
    chunk c = copy(to + i + 32, from + i + 32), d = copy(to + i + 48, from + i + 48);
    seen |= (a | b) | (c | d);
  }
  for (; i + 16 <= n; i += 16) seen |= copy(to + i, from + i);
  return ((seen[0] | seen[1]) & UINT64_C(0x8080808080808080)) == 0;
}

value weir_protobuf_copy_ascii_byte(value source, value pos, value target, value at, value n) {
  return Val_long(weir_protobuf_copy_ascii(source, Long_val(pos), target, Long_val(at), Long_val(n)));
}
