/* Finding the libraries, and making the program, of XDP sockets. */

#ifdef WEIR_LIBXDP
#define _GNU_SOURCE
#include "xdp_program.h"
#include <dlfcn.h>
#include <errno.h>
#include <linux/if_link.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

struct weir_xdp_libraries weir_xdp_lib;

#ifdef WEIR_LIBXDP_STATIC
int weir_xdp_load_libraries(void) {
#define TAKE(from, name) lib.name = name;
  FUNCTIONS(TAKE)
  return 1;
}
#else
int weir_xdp_load_libraries(void) {
  void *xdp = dlopen("libxdp.so.1", RTLD_NOW | RTLD_LOCAL);
  void *bpf = dlopen("libbpf.so.1", RTLD_NOW | RTLD_LOCAL);
  if (!xdp || !bpf) return 0;
#define FIND(from, name) \
  if (!(lib.name = (__typeof__(&name))dlsym(from, #name))) return 0;
  FUNCTIONS(FIND)
  return 1;
}
#endif

int weir_xdp_load_program(int map, const unsigned char *mac) {
  struct bpf_insn code[32];
  int n = 0, passing[8], passes = 0;
  uint32_t high = 0;
  uint16_t low = 0;
#define SAY(c, d, s, o, i) \
  (code[n++] = (struct bpf_insn){.code = (c), .dst_reg = (d), .src_reg = (s), .off = (o), .imm = (i)})
#define PASS_IF(c, d, s, i) (passing[passes++] = n, SAY(c, d, s, 0, i))
  SAY(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, data), 0);
  SAY(BPF_LDX | BPF_MEM | BPF_W, 3, 1, offsetof(struct xdp_md, data_end), 0);
  SAY(BPF_ALU64 | BPF_MOV | BPF_X, 4, 2, 0, 0);
  SAY(BPF_ALU64 | BPF_ADD | BPF_K, 4, 0, 0, 14);
  PASS_IF(BPF_JMP | BPF_JGT | BPF_X, 4, 3, 0);
  SAY(BPF_LDX | BPF_MEM | BPF_B, 5, 2, 0, 0);
  PASS_IF(BPF_JMP | BPF_JSET | BPF_K, 5, 0, 1);
  if (mac) {
    memcpy(&high, mac, 4);
    memcpy(&low, mac + 4, 2);
    SAY(BPF_LDX | BPF_MEM | BPF_W, 5, 2, 0, 0);
    PASS_IF(BPF_JMP32 | BPF_JNE | BPF_K, 5, 0, (int32_t)high);
    SAY(BPF_LDX | BPF_MEM | BPF_H, 5, 2, 4, 0);
    PASS_IF(BPF_JMP32 | BPF_JNE | BPF_K, 5, 0, low);
  }
  SAY(BPF_LDX | BPF_MEM | BPF_B, 5, 2, 12, 0);
  SAY(BPF_LDX | BPF_MEM | BPF_B, 4, 2, 13, 0);
  SAY(BPF_ALU64 | BPF_LSH | BPF_K, 5, 0, 0, 8);
  SAY(BPF_ALU64 | BPF_OR | BPF_X, 5, 4, 0, 0);
  PASS_IF(BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 0x8100);
  PASS_IF(BPF_JMP | BPF_JEQ | BPF_K, 5, 0, 0x88a8);
  SAY(BPF_LDX | BPF_MEM | BPF_W, 2, 1, offsetof(struct xdp_md, rx_queue_index), 0);
  SAY(BPF_LD | BPF_IMM | BPF_DW, 1, BPF_PSEUDO_MAP_FD, 0, map);
  SAY(0, 0, 0, 0, 0);
  SAY(BPF_ALU64 | BPF_MOV | BPF_K, 3, 0, 0, XDP_PASS);
  SAY(BPF_JMP | BPF_CALL, 0, 0, 0, BPF_FUNC_redirect_map);
  SAY(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
  for (int i = 0; i < passes; i++) code[passing[i]].off = (int16_t)(n - passing[i] - 1);
  SAY(BPF_ALU64 | BPF_MOV | BPF_K, 0, 0, 0, XDP_PASS);
  SAY(BPF_JMP | BPF_EXIT, 0, 0, 0, 0);
#undef SAY
#undef PASS_IF
  return lib.bpf_prog_load(BPF_PROG_TYPE_XDP, "weir", "ISC", code, (size_t)n, NULL);
}

static int attach(int program, int index, uint32_t flags) {
  LIBBPF_OPTS(bpf_link_create_opts, options, .flags = flags);
  return lib.bpf_link_create(program, index, BPF_XDP, &options);
}

int weir_xdp_attach(int program, int index, int native, int generic, int *is_native) {
  int link = native ? attach(program, index, XDP_FLAGS_DRV_MODE) : -EOPNOTSUPP;
  *is_native = link >= 0;
  if (link >= 0 || !generic) return link;
  if (link == -EBUSY || link == -EEXIST || link == -EPERM || link == -EACCES || link == -ERANGE)
    return link;
  return attach(program, index, XDP_FLAGS_SKB_MODE);
}

#else
typedef int weir_xdp_nothing; /* no empty file in C */
#endif
