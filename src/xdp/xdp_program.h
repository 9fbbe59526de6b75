/* libxdp and libbpf, and the program on an interface. */

#include <bpf/bpf.h>
#include <xdp/xsk.h>

/* The functions of libxdp and libbpf. A static program has them; another loads
   the two when it opens its first link, since few programs do. */
#define FUNCTIONS(OF)                                                                     \
  OF(xdp, xsk_umem__create)                                                               \
  OF(xdp, xsk_umem__delete)                                                               \
  OF(xdp, xsk_socket__create)                                                             \
  OF(xdp, xsk_socket__delete)                                                             \
  OF(xdp, xsk_socket__fd)                                                                 \
  OF(bpf, bpf_map_create)                                                                 \
  OF(bpf, bpf_map_update_elem)                                                            \
  OF(bpf, bpf_prog_load)                                                                  \
  OF(bpf, bpf_link_create)                                                                \
  OF(bpf, libbpf_set_print)

#define MEMBER(from, name) __typeof__(&name) name;
struct weir_xdp_libraries {
  FUNCTIONS(MEMBER)
};
extern struct weir_xdp_libraries weir_xdp_lib;
#define lib weir_xdp_lib

/* 0 if they are not there. */
int weir_xdp_load_libraries(void);

/* The descriptor of a program that gives the sockets of [map] the frames to
   [mac], or to any one host if it is NULL; or a negative error. The kernel gets all
   others: those for groups, those of a VLAN, and those of queues without a socket. */
int weir_xdp_load_program(int map, const unsigned char *mac);

/* The descriptor of a link, with whose closing the program leaves the interface,
   or a negative error. The driver runs the program, or if it cannot (and [generic]
   is set) the kernel does after it; [native] is 0 if the driver is not asked. */
int weir_xdp_attach(int program, int index, int native, int generic, int *is_native);
