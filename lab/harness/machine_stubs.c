/* What malloc does with freed memory; a matter of glibc's. */
#include <caml/mlvalues.h>
#ifdef __linux__
#include <malloc.h>
#endif

value weir_lab_keep_memory(value unit) {
#ifdef __GLIBC__
  mallopt(M_TRIM_THRESHOLD, 1 << 30);
  mallopt(M_TOP_PAD, 16 << 20);
#endif
  return unit;
}
