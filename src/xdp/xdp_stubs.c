/* XDP sockets (AF_XDP): the memory whose chunks the kernel and this process
   hand each other by four rings, and one frame a call into it and out of it.

   The kernel writes into that memory at any time, and everything that it says
   about a chunk is checked: that the chunk is there, and that it is the
   kernel's. One call at a time uses a link; a second one, from another domain,
   does nothing. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <caml/alloc.h>
#include <caml/custom.h>
#include <caml/fail.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/unixsupport.h>
#include <errno.h>

/* As those of link_unix's device_stubs.c, and FULL. */
enum { EMPTY = -1, REFUSED = -2, GONE = -3, DOWN = -4, UNREADABLE = -5, FULL = -6 };

#ifdef __linux__
#include <linux/ethtool.h>
#include <linux/sockios.h>
#include <net/if.h>
#include <string.h>
#include <sys/ioctl.h>
#endif

#ifdef WEIR_LIBXDP
#include "xdp_program.h"
#include <sched.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <sys/epoll.h>
#include <sys/mman.h>
#include <sys/socket.h>
#include <unistd.h>

enum { MAC = 6, MOST_KICKS = 128 };

/* Whose a chunk is. */
enum { OURS, KERNELS };

struct xdp {
  atomic_flag busy;
  int is_open, is_native;
  int program, map, link, ready; /* descriptors */
  unsigned char *area;
  uint32_t chunk, half;   /* bytes of a chunk; chunks for each direction, received ones first */
  unsigned char *owner;   /* of each chunk */
  uint32_t *free;         /* a stack of chunks to send */
  uint32_t free_count, taken; /* [taken]: received, not given back yet */
  uint64_t drops;         /* told already */
  struct xsk_umem *umem;
  struct xsk_socket *socket;
  struct xsk_ring_prod fill, tx;
  struct xsk_ring_cons completion, rx;
};

#define Xdp_val(v) (*(struct xdp **)Data_custom_val(v))

/* Chunks given back to the kernel together. */
enum { BATCH = 32 };

static int descriptor(const struct xdp *x) { return lib.xsk_socket__fd(x->socket); }

static int begin(struct xdp *x) {
  if (atomic_flag_test_and_set_explicit(&x->busy, memory_order_acquire)) return 0;
  if (x->is_open) return 1;
  atomic_flag_clear_explicit(&x->busy, memory_order_release);
  return 0;
}

static intnat end(struct xdp *x, intnat result) {
  atomic_flag_clear_explicit(&x->busy, memory_order_release);
  return result;
}

/* -- opening and closing --------------------------------------------------- */

static void close_one(int *fd) {
  if (*fd >= 0) close(*fd);
  *fd = -1;
}

static void release(struct xdp *x) {
  x->is_open = 0;
  close_one(&x->link); /* the program leaves the interface */
  if (x->socket) lib.xsk_socket__delete(x->socket);
  if (x->umem) lib.xsk_umem__delete(x->umem);
  x->socket = NULL;
  x->umem = NULL;
  close_one(&x->map);
  close_one(&x->program);
  close_one(&x->ready);
  if (x->area) munmap(x->area, (size_t)x->chunk * x->half * 2);
  x->area = NULL;
  free(x->owner);
  free(x->free);
  x->owner = NULL;
  x->free = NULL;
}

static void finalize(value v) {
  struct xdp *x = Xdp_val(v);
  if (x) release(x);
  free(x);
}

static struct custom_operations operations = {
    .identifier = "weir.xdp",
    .finalize = finalize,
    .compare = custom_compare_default,
    .hash = custom_hash_default,
    .serialize = custom_serialize_default,
    .deserialize = custom_deserialize_default,
};

/* Ends the attempt to open [x]. */
static void fail(struct xdp *x, int error, const char *call, value name) {
  release(x);
  caml_unix_error(error < 0 ? -error : error, call, name);
}

static int make_memory(struct xdp *x) {
  uint32_t n = x->half;
  struct xsk_umem_config config = {
      .fill_size = n, .comp_size = n, .frame_size = x->chunk, .frame_headroom = 0, .flags = 0};
  uint64_t size = (uint64_t)x->chunk * n * 2;
  void *area = mmap(NULL, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0);
  if (area == MAP_FAILED) return errno;
  x->area = area;
  x->owner = calloc(n, 2);
  x->free = calloc(n, sizeof *x->free);
  if (!x->owner || !x->free) return ENOMEM;
  for (uint32_t i = 0; i < n; i++) x->free[i] = 2 * n - 1 - i;
  x->free_count = n;
  return -lib.xsk_umem__create(&x->umem, area, size, &x->fill, &x->completion, &config);
}

/* All of the first half is the kernel's to fill. */
static void give_all(struct xdp *x) {
  uint32_t at;
  if (xsk_ring_prod__reserve(&x->fill, x->half, &at) != x->half) return;
  for (uint32_t i = 0; i < x->half; i++) {
    *xsk_ring_prod__fill_addr(&x->fill, at + i) = (uint64_t)i * x->chunk;
    x->owner[i] = KERNELS;
  }
  xsk_ring_prod__submit(&x->fill, x->half);
}

static int wait_for(int ready, int fd) {
  struct epoll_event event = {.events = EPOLLIN, .data.fd = fd};
  return epoll_ctl(ready, EPOLL_CTL_ADD, fd, &event);
}

static int quiet(enum libbpf_print_level level, const char *format, va_list arguments) {
  (void)level, (void)format, (void)arguments;
  return 0;
}

enum { BEST, COPY, ZERO_COPY, GENERIC };

/* weir_xdp_open name index mac other mode chunk half: (link, descriptor). The
   descriptor is ready when the link or [other] is. [half] is a power of 2. */
CAMLprim value weir_xdp_open(value name, value index, value mac, value other, value mode,
                             value chunk, value half) {
  CAMLparam5(name, index, mac, other, mode);
  CAMLxparam2(chunk, half);
  CAMLlocal2(handle, pair);
  unsigned char own[MAC];
  int for_one = caml_string_length(mac) == MAC;
  int how = Int_val(mode), error, key = 0, fd, size = 4 << 20, budget = 64;
  struct xsk_socket_config config = {.rx_size = (uint32_t)Int_val(half),
                                     .tx_size = (uint32_t)Int_val(half),
                                     .libxdp_flags = XSK_LIBXDP_FLAGS__INHIBIT_PROG_LOAD};
  struct xdp *x;
  if (!weir_xdp_load_libraries()) caml_unix_error(ENOSYS, "libxdp", Nothing);
  x = calloc(1, sizeof *x);
  if (!x) caml_raise_out_of_memory();
  if (for_one) memcpy(own, String_val(mac), MAC);
  atomic_flag_clear(&x->busy);
  x->program = x->map = x->link = x->ready = -1;
  x->chunk = (uint32_t)Int_val(chunk);
  x->half = (uint32_t)Int_val(half);
  handle = caml_alloc_custom_mem(&operations, sizeof x, (mlsize_t)x->chunk * x->half * 2);
  Xdp_val(handle) = x;
  lib.libbpf_set_print(quiet);
  config.bind_flags = XDP_USE_NEED_WAKEUP | (how == ZERO_COPY               ? XDP_ZEROCOPY
                                             : how == COPY || how == GENERIC ? XDP_COPY
                                                                             : 0);
  x->map = lib.bpf_map_create(BPF_MAP_TYPE_XSKMAP, "weir", 4, 4, 1, NULL);
  if (x->map < 0) fail(x, x->map, "XDP program", name);
  x->program = weir_xdp_load_program(x->map, for_one ? own : NULL);
  if (x->program < 0) fail(x, x->program, "XDP program", name);
  if ((error = make_memory(x)) != 0) fail(x, error, "XDP memory", name);
  /* Drivers that have zero-copy want the program before the socket. */
  x->link = weir_xdp_attach(x->program, Int_val(index), how != GENERIC, how != ZERO_COPY,
                            &x->is_native);
  if (x->link < 0) fail(x, x->link, "XDP program", name);
  error = lib.xsk_socket__create(&x->socket, String_val(name), 0, x->umem, &x->rx, &x->tx, &config);
  if (error != 0) fail(x, error, "XDP socket", name);
  give_all(x);
  fd = descriptor(x);
  setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size);
#ifdef XDP_MAX_TX_SKB_BUDGET /* how many frames a call sends, 32 else */
  setsockopt(fd, SOL_XDP, XDP_MAX_TX_SKB_BUDGET, &budget, sizeof budget);
#endif
  x->ready = epoll_create1(EPOLL_CLOEXEC);
  if (x->ready < 0 || wait_for(x->ready, fd) < 0 || wait_for(x->ready, Int_val(other)) < 0)
    fail(x, errno, "epoll", name);
  if (lib.bpf_map_update_elem(x->map, &key, &fd, BPF_ANY) < 0) fail(x, errno, "XDP program", name);
  x->is_open = 1;
  pair = caml_alloc_tuple(2);
  Store_field(pair, 0, handle);
  Store_field(pair, 1, Val_int(x->ready));
  CAMLreturn(pair);
}

/* Bit 0: the driver runs the program. Bit 1: it uses the memory itself. */
CAMLprim value weir_xdp_kind(value v) {
  struct xdp *x = Xdp_val(v);
  struct xdp_options options = {0};
  socklen_t size = sizeof options;
  if (!begin(x)) return Val_int(0);
  getsockopt(descriptor(x), SOL_XDP, XDP_OPTIONS, &options, &size);
  return Val_int(
      end(x, (x->is_native ? 1 : 0) | (options.flags & XDP_OPTIONS_ZEROCOPY ? 2 : 0)));
}

CAMLprim value weir_xdp_close(value v) {
  struct xdp *x = Xdp_val(v);
  while (atomic_flag_test_and_set_explicit(&x->busy, memory_order_acquire)) sched_yield();
  release(x);
  end(x, 0);
  return Val_unit;
}

/* -- receiving ------------------------------------------------------------- */

static void give_back(struct xdp *x) {
  if (x->taken == 0) return;
  xsk_ring_cons__release(&x->rx, x->taken);
  xsk_ring_prod__submit(&x->fill, x->taken);
  x->taken = 0;
  if (xsk_ring_prod__needs_wakeup(&x->fill)) recv(descriptor(x), NULL, 0, MSG_DONTWAIT);
}

/* The next frame's length, and its bytes at [off]; at most [len]. */
intnat weir_xdp_receive(value v, value bytes, intnat off, intnat len) {
  struct xdp *x = Xdp_val(v);
  uint32_t at, to;
  if (!begin(x)) return EMPTY;
  if (x->taken >= BATCH) give_back(x);
  if (xsk_ring_cons__peek(&x->rx, 1, &at) == 0) {
    give_back(x);
    return end(x, EMPTY);
  }
  const struct xdp_desc d = *xsk_ring_cons__rx_desc(&x->rx, at);
  uint64_t index = d.addr / x->chunk, in = d.addr % x->chunk;
  if (index >= x->half || x->owner[index] != KERNELS ||
      xsk_ring_prod__reserve(&x->fill, 1, &to) == 0) {
    xsk_ring_cons__release(&x->rx, 1); /* no chunk of the kernel's: it is not given back */
    return end(x, UNREADABLE);
  }
  int fits = d.len <= x->chunk - in && (intnat)d.len <= len && !(d.options & XDP_PKT_CONTD);
  if (fits) memcpy(Bytes_val(bytes) + off, x->area + d.addr, d.len);
  *xsk_ring_prod__fill_addr(&x->fill, to) = index * x->chunk;
  x->taken++;
  return end(x, fits ? (intnat)d.len : UNREADABLE);
}

/* How many frames were lost since it was last asked. */
intnat weir_xdp_drops(value v) {
  struct xdp *x = Xdp_val(v);
  struct xdp_statistics s = {0};
  socklen_t size = sizeof s;
  if (!begin(x)) return 0;
  if (getsockopt(descriptor(x), SOL_XDP, XDP_STATISTICS, &s, &size) < 0) return end(x, 0);
  uint64_t drops = s.rx_dropped + s.rx_ring_full, before = x->drops;
  x->drops = drops;
  return end(x, (intnat)(drops - before));
}

/* -- sending --------------------------------------------------------------- */

static void take_free(struct xdp *x, uint64_t index) {
  if (index < x->half || index >= 2 * (uint64_t)x->half || x->owner[index] != KERNELS) return;
  x->owner[index] = OURS;
  x->free[x->free_count++] = (uint32_t)index;
}

static void take_sent(struct xdp *x) {
  uint32_t at, n = xsk_ring_cons__peek(&x->completion, x->half, &at);
  for (uint32_t i = 0; i < n; i++)
    take_free(x, *xsk_ring_cons__comp_addr(&x->completion, at + i) / x->chunk);
  if (n > 0) xsk_ring_cons__release(&x->completion, n);
}

/* Puts a frame into the ring: 0, FULL, or REFUSED. */
intnat weir_xdp_send(value v, value bytes, intnat off, intnat len) {
  struct xdp *x = Xdp_val(v);
  uint32_t at;
  if (!begin(x)) return REFUSED;
  if (len <= 0 || len > (intnat)x->chunk) return end(x, REFUSED);
  if (x->free_count == 0) take_sent(x);
  if (x->free_count == 0 || xsk_ring_prod__reserve(&x->tx, 1, &at) == 0) return end(x, FULL);
  uint32_t index = x->free[--x->free_count];
  uint64_t address = (uint64_t)index * x->chunk;
  x->owner[index] = KERNELS;
  memcpy(x->area + address, Bytes_val(bytes) + off, (size_t)len);
  *xsk_ring_prod__tx_desc(&x->tx, at) = (struct xdp_desc){.addr = address, .len = (uint32_t)len};
  xsk_ring_prod__submit(&x->tx, 1);
  return end(x, 0);
}

static uint32_t waiting(const struct xdp *x) {
  return *x->tx.producer - __atomic_load_n(x->tx.consumer, __ATOMIC_ACQUIRE);
}

/* Frames that wait while the interface is down are not to go out later: the
   kernel skips those without bytes. */
static void forget(struct xdp *x) {
  uint32_t n = waiting(x);
  for (uint32_t i = 0; i < n && n <= x->half; i++) {
    struct xdp_desc *d = xsk_ring_prod__tx_desc(&x->tx, *x->tx.producer - n + i);
    d->len = 0;
    take_free(x, d->addr / x->chunk);
  }
}

/* Makes the kernel send what is in the ring: how much is still there, or why
   nothing can be sent. */
intnat weir_xdp_flush(value v) {
  struct xdp *x = Xdp_val(v);
  uint32_t left;
  intnat failed = 0;
  if (!begin(x)) return 0;
  for (int i = 0; i < MOST_KICKS && (left = waiting(x)) > 0; i++) {
    if (!xsk_ring_prod__needs_wakeup(&x->tx)) break;
    if (sendto(descriptor(x), NULL, 0, MSG_DONTWAIT, NULL, 0) >= 0) continue;
    if (errno == ENETDOWN) {
      forget(x);
      failed = DOWN;
    } else if (errno == ENXIO || errno == ENODEV || errno == EBADF) {
      failed = GONE;
    }
    if (failed || waiting(x) == left) break;
  }
  take_sent(x);
  return end(x, failed ? failed : (intnat)waiting(x));
}

#else /* without libxdp */

CAMLprim value weir_xdp_open(value name, value index, value mac, value other, value mode,
                             value chunk, value half) {
  (void)name, (void)index, (void)mac, (void)other, (void)mode, (void)chunk, (void)half;
  caml_unix_error(ENOSYS, "libxdp", Nothing);
  return Val_unit;
}
CAMLprim value weir_xdp_kind(value v) { (void)v; return Val_int(0); }
CAMLprim value weir_xdp_close(value v) { (void)v; return Val_unit; }
intnat weir_xdp_receive(value v, value bytes, intnat off, intnat len) {
  (void)v, (void)bytes, (void)off, (void)len;
  return GONE;
}
intnat weir_xdp_drops(value v) { (void)v; return 0; }
intnat weir_xdp_send(value v, value bytes, intnat off, intnat len) {
  (void)v, (void)bytes, (void)off, (void)len;
  return REFUSED;
}
intnat weir_xdp_flush(value v) { (void)v; return GONE; }
#endif

/* The name of the driver of an interface, or "". */
CAMLprim value weir_xdp_driver(value fd, value name) {
  CAMLparam2(fd, name);
  char driver[33] = "";
#ifdef __linux__
  struct ethtool_drvinfo information = {.cmd = ETHTOOL_GDRVINFO};
  struct ifreq interface;
  memset(&interface, 0, sizeof interface);
  strncpy(interface.ifr_name, String_val(name), IFNAMSIZ - 1);
  interface.ifr_data = (char *)&information;
  if (ioctl(Int_val(fd), SIOCETHTOOL, &interface) == 0)
    memcpy(driver, information.driver, sizeof information.driver);
#endif
  CAMLreturn(caml_copy_string(driver));
}

/* The same for bytecode. */
CAMLprim value weir_xdp_open_byte(value *arg, int count) {
  (void)count;
  return weir_xdp_open(arg[0], arg[1], arg[2], arg[3], arg[4], arg[5], arg[6]);
}
CAMLprim value weir_xdp_receive_byte(value v, value b, value off, value len) {
  return Val_long(weir_xdp_receive(v, b, Long_val(off), Long_val(len)));
}
CAMLprim value weir_xdp_drops_byte(value v) { return Val_long(weir_xdp_drops(v)); }
CAMLprim value weir_xdp_send_byte(value v, value b, value off, value len) {
  return Val_long(weir_xdp_send(v, b, Long_val(off), Long_val(len)));
}
CAMLprim value weir_xdp_flush_byte(value v) { return Val_long(weir_xdp_flush(v)); }
