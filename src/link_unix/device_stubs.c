/* Reading and writing one frame a call on the descriptor of a device.

   The calls neither allocate nor release the runtime lock: the descriptor does
   not block, so a call ends within a microsecond or so. Instead of a length
   they return one of the codes below. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <caml/mlvalues.h>
#include <errno.h>
#include <stdint.h>

enum { EMPTY = -1, REFUSED = -2, GONE = -3, DOWN = -4, UNREADABLE = -5 };

#ifdef __linux__
#include <fcntl.h>
#include <linux/virtio_net.h>
#include <sys/eventfd.h>
#include <sys/uio.h>
#include <unistd.h>

/* A device that was deleted is ready for ever; what replaces its descriptor
   never is, so that whoever waits on it sleeps. */
CAMLprim value weir_device_silence(value fd) {
  int never = eventfd(0, EFD_NONBLOCK | EFD_CLOEXEC);
  if (never >= 0) {
    dup3(never, Int_val(fd), O_CLOEXEC);
    close(never);
  }
  return Val_unit;
}

static intnat failure(void) {
  switch (errno) {
    case EAGAIN:
      return EMPTY;
    case EBADF:
    case EBADFD:
    case ENODEV:
    case ENXIO:
      return GONE;
    case ENETDOWN:
      return DOWN;
    default: /* EIO: the interface is down. EINVAL: no Ethernet frame. */
      return REFUSED;
  }
}

intnat weir_device_read(value fd, value bytes, intnat off, intnat len) {
  ssize_t n;
  do n = read(Int_val(fd), Bytes_val(bytes) + off, (size_t)len);
  while (n < 0 && errno == EINTR);
  return n >= 0 ? n : failure();
}

intnat weir_device_write(value fd, value bytes, intnat off, intnat len) {
  ssize_t n;
  do n = write(Int_val(fd), Bytes_val(bytes) + off, (size_t)len);
  while (n < 0 && errno == EINTR);
  return n >= 0 ? n : failure();
}

/* With offload: from the lowest bit on, in 2 bits what is known of the
   transport checksum, 0 nothing, 1 that it is right, 2 that only the pseudo
   header's sum is filled in; in 32 bits the frame's length; then the size of
   its segments if it stands for many. */
intnat weir_device_read_offload(value fd, value bytes, intnat off, intnat len) {
  struct virtio_net_hdr header;
  struct iovec parts[2] = {{&header, sizeof header}, {Bytes_val(bytes) + off, (size_t)len}};
  ssize_t n;
  do n = readv(Int_val(fd), parts, 2);
  while (n < 0 && errno == EINTR);
  /* The frame is of a kind that the header has no word for; it is consumed. */
  if (n < 0 && errno == EINVAL) return UNREADABLE;
  if (n < 0) return failure();
  if (n < (ssize_t)sizeof header) return EMPTY;
  return (header.gso_type != VIRTIO_NET_HDR_GSO_NONE ? (intnat)header.gso_size << 34 : 0) +
         ((intnat)(n - (ssize_t)sizeof header) << 2) +
         (header.flags & VIRTIO_NET_HDR_F_NEEDS_CSUM  ? 2
          : header.flags & VIRTIO_NET_HDR_F_DATA_VALID ? 1
                                                       : 0);
}

enum { ETHERNET = 14, TCP = 6, UDP = 17, CWR = 0x80 };

static unsigned get16(const unsigned char *p) { return (unsigned)p[0] << 8 | p[1]; }

static uint32_t sum16(const unsigned char *p, int len) {
  uint32_t sum = 0;
  for (int i = 0; i < len; i += 2) sum += get16(p + i);
  return sum;
}

/* Where the transport header of the frame is; all 0 if it has none that a
   device can sum: not TCP or UDP, a fragment, cut short. */
struct transport {
  int protocol, start, length, version;
  uint32_t addresses; /* the sum of the pseudo header's addresses */
};

/* [len] bytes of the frame's [total] are at [p]. */
static struct transport find_transport(const unsigned char *p, intnat len, intnat total) {
  struct transport none = {0}, t = {0};
  unsigned type = len >= ETHERNET + 20 ? get16(p + 12) : 0;
  const unsigned char *ip = p + ETHERNET;
  if (type == 0x0800) {
    int header = (ip[0] & 15) * 4;
    t.version = 4;
    t.protocol = ip[9];
    t.start = ETHERNET + header;
    t.length = (int)get16(ip + 2) - header;
    t.addresses = sum16(ip + 12, 8);
    if (header < 20 || (get16(ip + 6) & 0x3fff) != 0) return none;
  } else if (type == 0x86dd && len >= ETHERNET + 40) {
    t.version = 6;
    t.protocol = ip[6];
    t.start = ETHERNET + 40;
    t.length = (int)get16(ip + 4);
    t.addresses = sum16(ip + 8, 32);
  }
  if (t.protocol != TCP && t.protocol != UDP) return none;
  if (t.length < (t.protocol == TCP ? 20 : 8) || t.start + t.length > total) return none;
  if (t.start + (t.protocol == TCP ? 20 : 8) > len) return none;
  return t;
}

/* Fills the header so that the kernel sums the frame itself and cuts it: into
   segments of [segment] bytes, also if the whole would fit, as the peer's MSS
   may be less than the link allows; or, without [segment], as [mtu] allows.
   The checksum field then has to hold the pseudo header's sum. Returns 0 if
   the frame has to be cut and cannot be. */
static int ask_offload(struct virtio_net_hdr *header, unsigned char *p, intnat head, intnat len,
                       intnat mtu, intnat segment) {
  struct transport t = find_transport(p, head, len);
  int sum_at = t.start + (t.protocol == TCP ? 16 : 6);
  int cut = segment > 0 || len > ETHERNET + mtu;
  uint32_t sum;
  if (t.protocol == 0) return !cut;
  sum = t.addresses + (uint32_t)t.protocol + (uint32_t)t.length;
  sum = (sum & 0xffff) + (sum >> 16);
  sum = (sum & 0xffff) + (sum >> 16);
  p[sum_at] = (unsigned char)(sum >> 8);
  p[sum_at + 1] = (unsigned char)sum;
  header->flags = VIRTIO_NET_HDR_F_NEEDS_CSUM;
  header->csum_start = (uint16_t)t.start;
  header->csum_offset = (uint16_t)(sum_at - t.start);
  if (cut) {
    int data = t.start + (p[t.start + 12] >> 4) * 4;
    if (t.protocol != TCP || data - ETHERNET + (segment > 0 ? segment : 1) > mtu) return 0;
    if (segment >= t.start + t.length - data) return 1;
    header->gso_type = t.version == 4 ? VIRTIO_NET_HDR_GSO_TCPV4 : VIRTIO_NET_HDR_GSO_TCPV6;
    if (p[t.start + 13] & CWR) header->gso_type |= VIRTIO_NET_HDR_GSO_ECN;
    header->hdr_len = (uint16_t)data;
    header->gso_size = (uint16_t)(segment > 0 ? segment : mtu - (data - ETHERNET));
  }
  return 1;
}

static intnat write_parts(value fd, unsigned char *p, intnat len, struct iovec *rest, int count,
                          intnat total, intnat mtu, intnat facts) {
  intnat partial = facts & 1, segment = facts >> 1;
  struct virtio_net_hdr header = {0};
  struct iovec parts[4] = {{&header, sizeof header}, {p, (size_t)len}};
  ssize_t n;
  for (int i = 0; i < count; i++) parts[2 + i] = rest[i];
  if ((partial || segment > 0 || total > ETHERNET + mtu) &&
      !ask_offload(&header, p, len, total, mtu, segment))
    return REFUSED;
  do n = writev(Int_val(fd), parts, 2 + count);
  while (n < 0 && errno == EINTR);
  return n >= 0 ? n - (ssize_t)sizeof header : failure();
}

intnat weir_device_write_offload(value fd, value bytes, intnat off, intnat len, intnat mtu,
                              intnat facts) {
  return write_parts(fd, Bytes_val(bytes) + off, len, NULL, 0, len, mtu, facts);
}

/* The frame's headers are in [bytes], its data in [ring] from [at], and from
   the ring's start what is beyond its end. */
intnat weir_device_write_gathered(value fd, value bytes, intnat off, intnat len, value ring,
                                  intnat at, intnat tail, intnat mtu, intnat facts) {
  intnat left = (intnat)caml_string_length(ring) - at, first = tail < left ? tail : left;
  struct iovec rest[2] = {{Bytes_val(ring) + at, (size_t)first},
                          {Bytes_val(ring), (size_t)(tail - first)}};
  return write_parts(fd, Bytes_val(bytes) + off, len, rest, 2, len + tail, mtu, facts);
}

#else /* not Linux */

CAMLprim value weir_device_silence(value fd) { (void)fd; return Val_unit; }
intnat weir_device_read(value fd, value b, intnat off, intnat len) {
  (void)fd, (void)b, (void)off, (void)len;
  return GONE;
}
intnat weir_device_write(value fd, value b, intnat off, intnat len) {
  (void)fd, (void)b, (void)off, (void)len;
  return GONE;
}
intnat weir_device_read_offload(value fd, value b, intnat off, intnat len) {
  (void)fd, (void)b, (void)off, (void)len;
  return GONE;
}
intnat weir_device_write_offload(value fd, value b, intnat off, intnat len, intnat mtu,
                              intnat facts) {
  (void)fd, (void)b, (void)off, (void)len, (void)mtu, (void)facts;
  return GONE;
}
intnat weir_device_write_gathered(value fd, value b, intnat off, intnat len, value ring, intnat at,
                                  intnat tail, intnat mtu, intnat facts) {
  (void)fd, (void)b, (void)off, (void)len, (void)ring, (void)at, (void)tail, (void)mtu, (void)facts;
  return GONE;
}
#endif

/* The same for bytecode. */
CAMLprim value weir_device_read_byte(value fd, value b, value off, value len) {
  return Val_long(weir_device_read(fd, b, Long_val(off), Long_val(len)));
}
CAMLprim value weir_device_write_byte(value fd, value b, value off, value len) {
  return Val_long(weir_device_write(fd, b, Long_val(off), Long_val(len)));
}
CAMLprim value weir_device_read_offload_byte(value fd, value b, value off, value len) {
  return Val_long(weir_device_read_offload(fd, b, Long_val(off), Long_val(len)));
}
CAMLprim value weir_device_write_offload_byte(value *arg, int count) {
  (void)count;
  return Val_long(weir_device_write_offload(arg[0], arg[1], Long_val(arg[2]), Long_val(arg[3]),
                                         Long_val(arg[4]), Long_val(arg[5])));
}
CAMLprim value weir_device_write_gathered_byte(value *arg, int count) {
  (void)count;
  return Val_long(weir_device_write_gathered(arg[0], arg[1], Long_val(arg[2]), Long_val(arg[3]),
                                          arg[4], Long_val(arg[5]), Long_val(arg[6]),
                                          Long_val(arg[7]), Long_val(arg[8])));
}
