/* Large pages for blocks of megabytes. */

#include <stdint.h>

#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>

#ifdef __linux__
#include <sys/mman.h>
#endif

#define PAGE (UINT64_C(1) << 21)

/* Only a hint, and only for the large pages that lie within the block. */
value weir_protobuf_advise(value block) {
#ifdef MADV_HUGEPAGE
  uintptr_t from = ((uintptr_t)Op_val(block) + PAGE - 1) & ~(PAGE - 1);
  uintptr_t to = (uintptr_t)(Op_val(block) + Wosize_val(block)) & ~(PAGE - 1);
  if (from < to) (void)madvise((void *)from, to - from, MADV_HUGEPAGE);
#else
  (void)block;
#endif
  return Val_unit;
}

/* Zeros, too many for the minor heap. */
value weir_protobuf_large_ints(value length) {
  intnat n = Long_val(length);
  value array = caml_alloc_shr(n, 0);
  weir_protobuf_advise(array);
  for (intnat i = 0; i < n; i++) Field(array, i) = Val_long(0);
  return array;
}
