/* Packet sockets (packet(7)): opening one on an interface, what it has dropped,
   and whether the interface is still there. */

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
#include <linux/filter.h>
#include <linux/if_ether.h>
#include <linux/if_packet.h>
#include <net/if.h>
#include <net/if_arp.h>
#include <sys/ioctl.h>
#include <sys/socket.h>
#include <unistd.h>

#ifndef PACKET_IGNORE_OUTGOING
#define PACKET_IGNORE_OUTGOING 23
#endif

enum { MAC = 6 };

static void fail(int fd, const char *call, value name) {
  int error = errno;
  close(fd);
  errno = error;
  caml_uerror(call, name);
}

/* As much as this user may have: beyond net.core.rmem_max and wmem_max only the
   machine's root. */
static void enlarge(int fd, int size) {
  if (setsockopt(fd, SOL_SOCKET, SO_RCVBUFFORCE, &size, sizeof size) < 0)
    setsockopt(fd, SOL_SOCKET, SO_RCVBUF, &size, sizeof size);
  if (setsockopt(fd, SOL_SOCKET, SO_SNDBUFFORCE, &size, sizeof size) < 0)
    setsockopt(fd, SOL_SOCKET, SO_SNDBUF, &size, sizeof size);
}

/* Frames of a VLAN are none of ours: the kernel takes off their tag, and they
   would look like the others. With [mac] the interface may still give all
   frames, as other sockets or the card ask for it: those for others are
   dropped here, before they are copied. */
static int attach_filter(int fd, const unsigned char *mac) {
  uint32_t high = 0, low = 0;
  if (mac) {
    high = (uint32_t)mac[0] << 24 | (uint32_t)mac[1] << 16 | (uint32_t)mac[2] << 8 | mac[3];
    low = (uint32_t)mac[4] << 8 | mac[5];
  }
  struct sock_filter code[] = {
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, (uint32_t)(SKF_AD_OFF + SKF_AD_VLAN_TAG_PRESENT)),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, 0, 0, 7),
      BPF_STMT(BPF_LD | BPF_B | BPF_ABS, 0), /* a group's address? */
      BPF_JUMP(BPF_JMP | BPF_JSET | BPF_K, 1, 4, 0),
      BPF_STMT(BPF_LD | BPF_W | BPF_ABS, 0),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, high, 0, 3),
      BPF_STMT(BPF_LD | BPF_H | BPF_ABS, 4),
      BPF_JUMP(BPF_JMP | BPF_JEQ | BPF_K, low, 0, 1),
      BPF_STMT(BPF_RET | BPF_K, 0xffffffff),
      BPF_STMT(BPF_RET | BPF_K, 0),
  };
  struct sock_fprog program = {sizeof code / sizeof code[0], code};
  if (!mac) { /* any address will do */
    code[2] = (struct sock_filter)BPF_STMT(BPF_RET | BPF_K, 0xffffffff);
  }
  return setsockopt(fd, SOL_SOCKET, SO_ATTACH_FILTER, &program, sizeof program);
}

/* Frames for [mac] only, besides those for groups, or all if it is NULL. */
static int join(int fd, int index, const unsigned char *mac) {
  struct packet_mreq request = {0};
  request.mr_ifindex = index;
  request.mr_type = mac ? PACKET_MR_UNICAST : PACKET_MR_PROMISC;
  if (mac) {
    request.mr_alen = MAC;
    memcpy(request.mr_address, mac, MAC);
  }
  return setsockopt(fd, SOL_PACKET, PACKET_ADD_MEMBERSHIP, &request, sizeof request);
}

/* weir_packet_open name mac buffer: (descriptor, index). [name] fits into
   IFNAMSIZ; [mac] has 6 bytes, or none for every address. */
CAMLprim value weir_packet_open(value name, value mac, value buffer) {
  CAMLparam3(name, mac, buffer);
  CAMLlocal1(pair);
  const unsigned char *own =
      caml_string_length(mac) == MAC ? (const unsigned char *)String_val(mac) : NULL;
  struct ifreq interface;
  struct sockaddr_ll address;
  int on = 1, index;
  int fd = socket(AF_PACKET, SOCK_RAW | SOCK_NONBLOCK | SOCK_CLOEXEC, 0);
  if (fd < 0) caml_uerror("packet socket", name);
  memset(&interface, 0, sizeof interface);
  strncpy(interface.ifr_name, String_val(name), IFNAMSIZ - 1);
  if (ioctl(fd, SIOCGIFHWADDR, &interface) < 0) fail(fd, "SIOCGIFHWADDR", name);
  if (interface.ifr_hwaddr.sa_family != ARPHRD_ETHER) {
    errno = EPFNOSUPPORT;
    fail(fd, "packet socket", name);
  }
  if (ioctl(fd, SIOCGIFINDEX, &interface) < 0) fail(fd, "SIOCGIFINDEX", name);
  index = interface.ifr_ifindex;
  enlarge(fd, Int_val(buffer));
  if (setsockopt(fd, SOL_PACKET, PACKET_VNET_HDR, &on, sizeof on) < 0)
    fail(fd, "PACKET_VNET_HDR", name);
  if (setsockopt(fd, SOL_PACKET, PACKET_IGNORE_OUTGOING, &on, sizeof on) < 0)
    fail(fd, "PACKET_IGNORE_OUTGOING", name);
  if (attach_filter(fd, own) < 0) fail(fd, "SO_ATTACH_FILTER", name);
  memset(&address, 0, sizeof address);
  address.sll_family = AF_PACKET;
  address.sll_protocol = htons(ETH_P_ALL);
  address.sll_ifindex = index;
  if (bind(fd, (struct sockaddr *)&address, sizeof address) < 0) fail(fd, "bind", name);
  if (join(fd, index, own) < 0) fail(fd, "PACKET_ADD_MEMBERSHIP", name);
  pair = caml_alloc_tuple(2);
  Store_field(pair, 0, Val_int(fd));
  Store_field(pair, 1, Val_int(index));
  CAMLreturn(pair);
}

/* How many frames the socket had no memory for since it was last asked. */
intnat weir_packet_drops(value fd) {
  struct tpacket_stats stats = {0};
  socklen_t size = sizeof stats;
  if (getsockopt(Int_val(fd), SOL_PACKET, PACKET_STATISTICS, &stats, &size) < 0) return 0;
  return (intnat)stats.tp_drops;
}

/* Whether the socket's network has an interface of this index. */
CAMLprim value weir_packet_is_there(value fd, value index) {
  struct ifreq interface;
  memset(&interface, 0, sizeof interface);
  interface.ifr_ifindex = Int_val(index);
  return Val_bool(ioctl(Int_val(fd), SIOCGIFNAME, &interface) == 0);
}

#else /* not Linux */
CAMLprim value weir_packet_open(value name, value mac, value buffer) {
  (void)name, (void)mac, (void)buffer;
  caml_unix_error(ENOSYS, "packet socket", Nothing);
  return Val_unit;
}
intnat weir_packet_drops(value fd) { (void)fd; return 0; }
CAMLprim value weir_packet_is_there(value fd, value index) {
  (void)fd, (void)index;
  return Val_false;
}
#endif

/* The same for bytecode. */
CAMLprim value weir_packet_drops_byte(value fd) { return Val_long(weir_packet_drops(fd)); }
