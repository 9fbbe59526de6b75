/* The C library's free lists: OCaml's large blocks live there. */

#include <caml/mlvalues.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

value weir_memory_trim(value unit)
{
#ifdef __GLIBC__
  malloc_trim(0);
#endif
  return unit;
}
