/* The ioctls of netdevice(7) on an interface by name, and unshare(2). Names
   fit into IFNAMSIZ; failures raise Unix_error. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <caml/unixsupport.h>
#include <errno.h>
#include <string.h>

#ifdef __linux__
#include <arpa/inet.h>
#include <fcntl.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sched.h>
#include <stdint.h>
#include <stdio.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <sys/wait.h>
#include <unistd.h>

/* linux/ipv6.h cannot be included beside net/if.h. */
struct ipv6_request {
  unsigned char address[16];
  uint32_t prefix;
  int index;
};

static void call(int family, unsigned long request, const char *what, void *argument, value name) {
  int error = 0, fd = socket(family, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) caml_uerror("socket", name);
  if (ioctl(fd, request, argument) < 0) error = errno;
  close(fd);
  if (error != 0) caml_unix_error(error, what, name);
}

static void ask(struct ifreq *request, value name) {
  memset(request, 0, sizeof *request);
  strncpy(request->ifr_name, String_val(name), IFNAMSIZ - 1);
}

CAMLprim value weir_interface_is_up(value name) {
  CAMLparam1(name);
  struct ifreq r;
  ask(&r, name);
  call(AF_INET, SIOCGIFFLAGS, "SIOCGIFFLAGS", &r, name);
  CAMLreturn(Val_bool(r.ifr_flags & IFF_UP));
}

CAMLprim value weir_interface_switch(value name, value up) {
  CAMLparam2(name, up);
  struct ifreq r;
  ask(&r, name);
  call(AF_INET, SIOCGIFFLAGS, "SIOCGIFFLAGS", &r, name);
  if (Bool_val(up)) r.ifr_flags |= IFF_UP;
  else r.ifr_flags &= ~IFF_UP;
  call(AF_INET, SIOCSIFFLAGS, "SIOCSIFFLAGS", &r, name);
  CAMLreturn(Val_unit);
}

static void set_address4(const char *octets, int prefix, value name) {
  struct ifreq r;
  struct sockaddr_in *address = (struct sockaddr_in *)&r.ifr_addr;
  ask(&r, name);
  address->sin_family = AF_INET;
  memcpy(&address->sin_addr, octets, 4);
  call(AF_INET, SIOCSIFADDR, "SIOCSIFADDR", &r, name);
  address->sin_addr.s_addr = prefix == 0 ? 0 : htonl(~(uint32_t)0 << (32 - prefix));
  call(AF_INET, SIOCSIFNETMASK, "SIOCSIFNETMASK", &r, name);
}

static void set_address6(const char *octets, int prefix, value name) {
  struct ipv6_request r;
  struct ifreq index;
  ask(&index, name);
  call(AF_INET6, SIOCGIFINDEX, "SIOCGIFINDEX", &index, name);
  memcpy(r.address, octets, 16);
  r.prefix = (uint32_t)prefix;
  r.index = index.ifr_ifindex;
  call(AF_INET6, SIOCSIFADDR, "SIOCSIFADDR", &r, name);
}

/* [octets] is 4 or 16 bytes. */
CAMLprim value weir_interface_set_address(value name, value octets, value prefix) {
  CAMLparam3(name, octets, prefix);
  char copy[16];
  int length = (int)caml_string_length(octets);
  memcpy(copy, String_val(octets), length == 4 ? 4 : 16);
  if (length == 4) set_address4(copy, Int_val(prefix), name);
  else set_address6(copy, Int_val(prefix), name);
  CAMLreturn(Val_unit);
}

/* The IPv4 address and mask, 8 bytes; empty if there is none. */
CAMLprim value weir_interface_address(value name) {
  CAMLparam1(name);
  struct ifreq r;
  char octets[8];
  int error = 0, fd = socket(AF_INET, SOCK_DGRAM | SOCK_CLOEXEC, 0);
  if (fd < 0) caml_uerror("socket", name);
  ask(&r, name);
  if (ioctl(fd, SIOCGIFADDR, &r) < 0) error = errno;
  else {
    memcpy(octets, &((struct sockaddr_in *)&r.ifr_addr)->sin_addr, 4);
    if (ioctl(fd, SIOCGIFNETMASK, &r) < 0) error = errno;
    else memcpy(octets + 4, &((struct sockaddr_in *)&r.ifr_netmask)->sin_addr, 4);
  }
  close(fd);
  if (error != 0 && error != EADDRNOTAVAIL) caml_unix_error(error, "SIOCGIFADDR", name);
  CAMLreturn(caml_alloc_initialized_string(error == 0 ? 8 : 0, octets));
}

CAMLprim value weir_interface_mtu(value name) {
  CAMLparam1(name);
  struct ifreq r;
  ask(&r, name);
  call(AF_INET, SIOCGIFMTU, "SIOCGIFMTU", &r, name);
  CAMLreturn(Val_int(r.ifr_mtu));
}

CAMLprim value weir_interface_set_mtu(value name, value mtu) {
  CAMLparam2(name, mtu);
  struct ifreq r;
  ask(&r, name);
  r.ifr_mtu = Int_val(mtu);
  call(AF_INET, SIOCSIFMTU, "SIOCSIFMTU", &r, name);
  CAMLreturn(Val_unit);
}

/* Six bytes. */
CAMLprim value weir_interface_hardware_address(value name) {
  CAMLparam1(name);
  struct ifreq r;
  ask(&r, name);
  call(AF_INET, SIOCGIFHWADDR, "SIOCGIFHWADDR", &r, name);
  CAMLreturn(caml_alloc_initialized_string(6, r.ifr_hwaddr.sa_data));
}

/* 0, or -1 and errno. */
static int write_file(const char *path, const char *text) {
  int error, fd = open(path, O_WRONLY | O_CLOEXEC);
  if (fd < 0) return -1;
  error = write(fd, text, strlen(text)) < 0 ? errno : 0;
  close(fd);
  errno = error;
  return error ? -1 : 0;
}

/* A network namespace, and the user namespace that owns it where the process
   may not make one otherwise; in that one, the user is root. */
static int enter(void) {
  char map[32];
  unsigned uid = geteuid(), gid = getegid();
  if (unshare(CLONE_NEWNET) == 0) return 0;
  if (errno != EPERM || unshare(CLONE_NEWUSER | CLONE_NEWNET) < 0) return -1;
  if (write_file("/proc/self/setgroups", "deny") < 0 && errno != ENOENT) return -1;
  snprintf(map, sizeof map, "0 %u 1", uid);
  if (write_file("/proc/self/uid_map", map) < 0) return -1;
  snprintf(map, sizeof map, "0 %u 1", gid);
  return write_file("/proc/self/gid_map", map);
}

CAMLprim value weir_namespace_enter(value unit) {
  if (enter() < 0) caml_uerror("unshare", Nothing);
  return unit;
}

/* A child tries it; it makes system calls only, and is gone at once. */
CAMLprim value weir_namespace_possible(value unit) {
  int status;
  pid_t child = fork();
  if (child < 0) caml_uerror("fork", Nothing);
  if (child == 0) _exit(enter() < 0 ? (errno < 255 ? errno : 255) : 0);
  while (waitpid(child, &status, 0) < 0)
    if (errno != EINTR) caml_uerror("waitpid", Nothing);
  if (status != 0) caml_unix_error(WIFEXITED(status) ? WEXITSTATUS(status) : EPERM, "unshare", Nothing);
  return unit;
}

#else /* not Linux */

static value unsupported(void) {
  caml_unix_error(ENOSYS, "ioctl", Nothing);
  return Val_unit;
}

CAMLprim value weir_interface_is_up(value n) { (void)n; return unsupported(); }
CAMLprim value weir_interface_switch(value n, value u) { (void)n, (void)u; return unsupported(); }
CAMLprim value weir_interface_set_address(value n, value o, value p) {
  (void)n, (void)o, (void)p;
  return unsupported();
}
CAMLprim value weir_interface_address(value n) { (void)n; return unsupported(); }
CAMLprim value weir_interface_mtu(value n) { (void)n; return unsupported(); }
CAMLprim value weir_interface_set_mtu(value n, value m) { (void)n, (void)m; return unsupported(); }
CAMLprim value weir_interface_hardware_address(value n) { (void)n; return unsupported(); }
CAMLprim value weir_namespace_enter(value u) { (void)u; return unsupported(); }
CAMLprim value weir_namespace_possible(value u) { (void)u; return unsupported(); }
#endif
