/* Opening TAP devices. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/unixsupport.h>
#include <errno.h>
#include <string.h>

#ifdef __linux__
#include <fcntl.h>
#include <linux/if_tun.h>
#include <linux/virtio_net.h>
#include <net/if.h>
#include <sys/ioctl.h>
#include <unistd.h>

static void close_and_raise(int fd, const char *call, value name) {
  int error = errno;
  close(fd);
  errno = error;
  caml_uerror(call, name);
}

/* weir_tap_open name offload persistent queue tun: (descriptor, name).
   [name] fits into IFNAMSIZ; [persistent] is 0 or 1, or 2 to leave it as is; with [queue] the
   descriptor is one of several queues. */
CAMLprim value weir_tap_open(value name, value offload, value persistent, value queue, value tun) {
  CAMLparam5(name, offload, persistent, queue, tun);
  CAMLlocal2(pair, device);
  struct ifreq request;
  int fd = open("/dev/net/tun", O_RDWR | O_NONBLOCK | O_CLOEXEC);
  if (fd < 0) caml_uerror("open /dev/net/tun", name);
  memset(&request, 0, sizeof request);
  strncpy(request.ifr_name, String_val(name), IFNAMSIZ - 1);
  request.ifr_flags = (Bool_val(tun) ? IFF_TUN : IFF_TAP) | IFF_NO_PI;
  if (Bool_val(offload)) request.ifr_flags |= IFF_VNET_HDR;
  if (Bool_val(queue)) request.ifr_flags |= IFF_MULTI_QUEUE;
  if (ioctl(fd, TUNSETIFF, &request) < 0) close_and_raise(fd, "TUNSETIFF", name);
  if (Bool_val(offload)) {
    int size = sizeof(struct virtio_net_hdr);
    unsigned features = TUN_F_CSUM | TUN_F_TSO4 | TUN_F_TSO6 | TUN_F_TSO_ECN;
    if (ioctl(fd, TUNSETVNETHDRSZ, &size) < 0) close_and_raise(fd, "TUNSETVNETHDRSZ", name);
    if (ioctl(fd, TUNSETOFFLOAD, features) < 0) close_and_raise(fd, "TUNSETOFFLOAD", name);
  }
  if (Int_val(persistent) < 2 && ioctl(fd, TUNSETPERSIST, Int_val(persistent)) < 0)
    close_and_raise(fd, "TUNSETPERSIST", name);
  device = caml_copy_string(request.ifr_name);
  pair = caml_alloc_tuple(2);
  Store_field(pair, 0, Val_int(fd));
  Store_field(pair, 1, device);
  CAMLreturn(pair);
}

#else /* not Linux */

static value unsupported(void) {
  caml_unix_error(ENOSYS, "open /dev/net/tun", Nothing);
  return Val_unit;
}

CAMLprim value weir_tap_open(value name, value offload, value persistent, value queue, value tun) {
  (void)name, (void)offload, (void)persistent, (void)queue, (void)tun;
  return unsupported();
}
#endif
