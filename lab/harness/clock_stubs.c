/* The two clocks of the harness, read without allocating. */
#include <caml/mlvalues.h>
#include <time.h>

static intnat read_ns(clockid_t id) {
  struct timespec t;
  clock_gettime(id, &t);
  return (intnat)t.tv_sec * 1000000000 + t.tv_nsec;
}

intnat weir_lab_wall_ns(value unit) {
  (void)unit;
  return read_ns(CLOCK_MONOTONIC);
}

intnat weir_lab_cpu_ns(value unit) {
  (void)unit;
  return read_ns(CLOCK_PROCESS_CPUTIME_ID);
}

value weir_lab_wall_ns_byte(value unit) { return Val_long(weir_lab_wall_ns(unit)); }
value weir_lab_cpu_ns_byte(value unit) { return Val_long(weir_lab_cpu_ns(unit)); }
