/* Packed numbers between a message's bytes and lists. Callers have checked that [first, stop) lies
   within the bytes; nothing is written outside of it. Nothing is allocated here. */

#include "varints.h"

#define AT_ONCE 65536

/* Reads all numbers of [first, stop), which ends with one, to words, of which there are stop -
   first: how many, or -1 - the position of one that is not whole. */
static inline intnat read_words(const unsigned char *base, intnat first, intnat stop, int64_t *to,
                                enum kind kind) {
  const unsigned char *end = base + stop;
  intnat n;
  const unsigned char *p = read_numbers(base + first, end, to, stop - first, kind, 0, &n);
  return p < end ? -1 - (p - base) : n;
}

intnat weir_protobuf_read_words(value source, intnat first, intnat stop, value target,
                                intnat kind) {
  const unsigned char *base = (const unsigned char *)String_val(source);
  int64_t *to = (int64_t *)Bytes_val(target);
  switch (kind) {
#define READ(k) \
  case k: return read_words(base, first, stop, to, k);
    READ(INT32)
    READ(UINT32)
    READ(SINT32)
    READ(BOOL)
    READ(INT64)
    default: return read_words(base, first, stop, to, SINT64);
#undef READ
  }
}

static inline int64_t element(value list, enum kind kind) {
  value v = Field(list, 0);
  return kind >= INT64 ? *(int64_t *)Data_custom_val(v) : (int64_t)Long_val(v);
}

/* Adds to the int of a reference what the first numbers of a list take; the rest of the list, of
   which the first is out of range if the int is negative. */
static inline value size_list(value list, value sum, enum kind kind) {
  intnat size = Long_val(Field(sum, 0));
  for (int i = 0; i < AT_ONCE && Is_block(list); i++, list = Field(list, 1)) {
    int64_t v = element(list, kind);
    if (!fits(v, kind)) {
      size = -1;
      break;
    }
    size += width_of(coded(v, kind));
  }
  Field(sum, 0) = Val_long(size);
  return list;
}

value weir_protobuf_size_list(value list, value sum, intnat kind) {
  switch (kind) {
#define SIZE(k) \
  case k: return size_list(list, sum, k);
    SIZE(INT32)
    SIZE(UINT32)
    SIZE(SINT32)
    SIZE(BOOL)
    SIZE(INT64)
    default: return size_list(list, sum, SINT64);
#undef SIZE
  }
}

/* Writes the first numbers of a list from the position of a reference on, and moves it; what does
   not fit before stop is not written. The rest of the list. */
static inline value write_list(unsigned char *base, value at, intnat stop, value list,
                               enum kind kind) {
  unsigned char *p = base + Long_val(Field(at, 0)), *end = base + stop;
  for (int i = 0; i < AT_ONCE && Is_block(list); i++, list = Field(list, 1)) {
    uint64_t v = coded(element(list, kind), kind);
    int width = width_of(v);
    if (end - p < width) break;
    write_one(p, end, v, width);
    p += width;
  }
  Field(at, 0) = Val_long(p - base);
  return list;
}

value weir_protobuf_write_list(value target, value at, intnat stop, value list, intnat kind) {
  unsigned char *base = Bytes_val(target);
  switch (kind) {
#define WRITE(k) \
  case k: return write_list(base, at, stop, list, k);
    WRITE(INT32)
    WRITE(UINT32)
    WRITE(SINT32)
    WRITE(BOOL)
    WRITE(INT64)
    default: return write_list(base, at, stop, list, SINT64);
#undef WRITE
  }
}

/* For bytecode. */

value weir_protobuf_read_words_byte(value source, value first, value stop, value target,
                                    value kind) {
  return Val_long(weir_protobuf_read_words(source, Long_val(first), Long_val(stop), target,
                                           Long_val(kind)));
}

value weir_protobuf_size_list_byte(value list, value sum, value kind) {
  return weir_protobuf_size_list(list, sum, Long_val(kind));
}

value weir_protobuf_write_list_byte(value target, value at, value stop, value list, value kind) {
  return weir_protobuf_write_list(target, at, Long_val(stop), list, Long_val(kind));
}
