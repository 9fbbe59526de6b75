/* Memory that OCaml's runtime and the C library keep for another time. */

#define CAML_INTERNALS
#include <caml/fiber.h>
#include <caml/mlvalues.h>
#include <caml/version.h>

#ifdef __GLIBC__
#include <malloc.h>
#endif

/* This domain's stacks of fibers that have ended: the runtime has no call for
   it, and between them the C library could give no page back. Its free lists,
   by size, are known to be these in 5.4. */
static void free_stacks(void)
{
#if OCAML_VERSION >= 50400 && OCAML_VERSION < 50500
  const int sizes = 5;
  for (int i = 0; i < sizes; i++) {
    struct stack_info *stack;
    while ((stack = Caml_state->stack_cache[i]) != NULL) {
      Caml_state->stack_cache[i] = (struct stack_info *)stack->exception_ptr;
      stack->cache_bucket = -1; /* not to be kept again */
      caml_free_stack(stack);
    }
  }
#endif
}

value weir_memory_trim(value unit)
{
  free_stacks();
#ifdef __GLIBC__
  malloc_trim(0); /* OCaml's large blocks, and the stacks */
#endif
  return unit;
}
