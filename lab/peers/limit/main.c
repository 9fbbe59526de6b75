/* The limit: what the wire demands of a TCP, and no more, over a TAP that is
   standard input. No sockets, no copies, no congestion control: the peer's
   window alone holds it back, and what is unacknowledged for 200 ms is sent
   again from the first byte. A real stack cannot be faster by much.

   limit in|out|http plain|offload BYTES ANSWER (see ../README.md). */

#include <errno.h>
#include <poll.h>
#include <stdbool.h>
#include <stdint.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/uio.h>
#include <time.h>
#include <unistd.h>

#include <linux/virtio_net.h>

enum { ETHERNET = 14, IP = 20, TCP = 20, HEADERS = ETHERNET + IP + TCP };
enum { FIN = 1, SYN = 2, RST = 4, PSH = 8, ACK = 16 };
enum { MSS = 1460, SUPER = 44 * MSS, SCALE = 7, WINDOW = 1 << 20, BATCH = 64, PATIENCE_MS = 200 };

static const uint8_t my_mac[6] = {2, 0, 0, 0, 0, 11}, my_ip[4] = {10, 0, 0, 11};
static uint8_t its_mac[6], its_ip[4];
static bool offload, http;
static uint16_t port;

/* What is sent is [period] bytes again and again; a frame's worth more of it
   is kept, so that each piece is in one place. */
static uint8_t *text;
static uint64_t period, bulk_out;

/* Offsets count the bytes of the stream after the SYN; a FIN counts as one. */
struct connection {
  enum { CLOSED, HALF_OPEN, OPEN } state;
  bool ack_due, queued, fin_came, ends;
  uint32_t rcv_nxt, window;
  uint64_t una, nxt, limit, sent_at;
  uint8_t scale;
  unsigned matched;
  uint32_t iss;
};

/* The peer has one address: its port names a connection. */
static struct connection table[65536];
static uint16_t due[65536];
static unsigned due_count;

static uint16_t get16(const uint8_t *p) { return (uint16_t)(p[0] << 8 | p[1]); }
static uint32_t get32(const uint8_t *p) { return (uint32_t)get16(p) << 16 | get16(p + 2); }
static void put16(uint8_t *p, unsigned v) { p[0] = (uint8_t)(v >> 8), p[1] = (uint8_t)v; }
static void put32(uint8_t *p, uint32_t v) { put16(p, v >> 16), put16(p + 2, v & 0xffff); }

static uint64_t now_ms(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC_COARSE, &t);
  return (uint64_t)t.tv_sec * 1000 + (uint64_t)t.tv_nsec / 1000000;
}

/* Sums are of words as they lie in memory, which a swap of bytes at the end
   does not change (RFC 1071); the compiler makes vectors of the loop. */
static uint64_t sum(const uint8_t *p, size_t n, uint64_t s) {
  size_t words = n / 4;
  for (size_t i = 0; i < words; i++) {
    uint32_t w;
    memcpy(&w, p + 4 * i, 4);
    s += w;
  }
  if (n & 2) {
    uint16_t w;
    memcpy(&w, p + 4 * words, 2);
    s += w;
  }
  if (n & 1) {
    uint8_t last[2] = {p[n - 1], 0};
    uint16_t w;
    memcpy(&w, last, 2);
    s += w;
  }
  return s;
}

static uint16_t fold(uint64_t s) {
  while (s >> 16) s = (s & 0xffff) + (s >> 16);
  return (uint16_t)s;
}

static uint64_t pseudo_sum(const uint8_t *ip, unsigned length) {
  uint8_t rest[4] = {0, 6, (uint8_t)(length >> 8), (uint8_t)length};
  return sum(rest, 4, sum(ip + 12, 8, 0));
}

/* -- sending ----------------------------------------------------------------- */

static void put_frame(const uint8_t *head, size_t n, const uint8_t *body, size_t m,
                      struct virtio_net_hdr *v) {
  struct iovec parts[3] = {{v, sizeof *v}, {(void *)head, n}, {(void *)body, m}};
  ssize_t done = offload ? writev(0, parts, 3) : writev(0, parts + 1, 2);
  (void)done; /* What does not leave is lost, and sent again. */
}

static void emit(uint16_t its_port, struct connection *c, unsigned flags, uint64_t at, unsigned n) {
  static uint16_t id;
  static const uint8_t syn_options[8] = {2, 4, MSS >> 8, MSS & 255, 1, 3, 3, SCALE};
  uint8_t h[HEADERS + 8];
  uint8_t *ip = h + ETHERNET, *tcp = ip + IP;
  unsigned tcp_length = TCP + (flags & SYN ? 8 : 0);
  const uint8_t *body = text + at % period;
  struct virtio_net_hdr v = {0};
  uint16_t s;
  memcpy(h, its_mac, 6), memcpy(h + 6, my_mac, 6), put16(h + 12, 0x0800);
  ip[0] = 0x45, ip[1] = 0, put16(ip + 2, IP + tcp_length + n), put16(ip + 4, id++);
  put16(ip + 6, 0x4000), ip[8] = 64, ip[9] = 6, put16(ip + 10, 0);
  memcpy(ip + 12, my_ip, 4), memcpy(ip + 16, its_ip, 4);
  s = (uint16_t)~fold(sum(ip, IP, 0));
  memcpy(ip + 10, &s, 2);
  put16(tcp, port), put16(tcp + 2, its_port);
  put32(tcp + 4, flags & SYN ? c->iss : c->iss + 1 + (uint32_t)at);
  put32(tcp + 8, c->rcv_nxt);
  tcp[12] = (uint8_t)(tcp_length / 4 << 4), tcp[13] = (uint8_t)flags;
  put16(tcp + 14, flags & SYN ? 65535 : WINDOW >> SCALE), put32(tcp + 16, 0);
  if (flags & SYN) memcpy(tcp + TCP, syn_options, 8);
  if (offload) {
    s = fold(pseudo_sum(ip, tcp_length + n));
    v.flags = VIRTIO_NET_HDR_F_NEEDS_CSUM, v.csum_start = ETHERNET + IP, v.csum_offset = 16;
    if (n > MSS)
      v.gso_type = VIRTIO_NET_HDR_GSO_TCPV4, v.gso_size = MSS, v.hdr_len = HEADERS;
  } else
    s = (uint16_t)~fold(sum(body, n, sum(tcp, tcp_length, pseudo_sum(ip, tcp_length + n))));
  memcpy(tcp + 16, &s, 2);
  c->ack_due = false;
  put_frame(h, ETHERNET + IP + tcp_length, body, n, &v);
}

static void output(uint16_t its_port, struct connection *c) {
  unsigned most = offload ? SUPER : MSS;
  while (c->nxt < c->limit) {
    uint64_t flight = c->nxt - c->una, left = c->limit - c->nxt;
    uint64_t room = c->window > flight ? c->window - flight : 0;
    unsigned n = (unsigned)(left < most ? left : most);
    if (n > room) {
      if (flight > 0 || room == 0) break;
      n = (unsigned)room;
    }
    emit(its_port, c, n == left ? ACK | PSH : ACK, c->nxt, n);
    if (flight == 0) c->sent_at = now_ms();
    c->nxt += n;
  }
  if (c->ends && c->nxt == c->limit) {
    emit(its_port, c, ACK | FIN, c->nxt++, 0);
    c->sent_at = now_ms();
  }
  if (c->ack_due) emit(its_port, c, ACK, c->nxt, 0);
}

static void want_output(uint16_t its_port) {
  if (table[its_port].queued) return;
  table[its_port].queued = true;
  due[due_count++] = its_port;
}

static void output_all(void) {
  for (unsigned i = 0; i < due_count; i++) {
    table[due[i]].queued = false;
    if (table[due[i]].state == OPEN) output(due[i], &table[due[i]]);
  }
  due_count = 0;
}

/* -- receiving --------------------------------------------------------------- */

static void begin(uint16_t its_port, const uint8_t *tcp, unsigned header) {
  struct connection *c = &table[its_port];
  bool queued = c->queued;
  *c = (struct connection){.state = HALF_OPEN, .queued = queued, .rcv_nxt = get32(tcp + 4) + 1};
  c->iss = (uint32_t)now_ms() * 250000u;
  c->limit = bulk_out;
  c->ends = bulk_out > 0;
  for (unsigned i = TCP; i + 1 < header && tcp[i] != 0; i += tcp[i] == 1 ? 1 : tcp[i + 1]) {
    if (tcp[i] == 3 && i + 2 < header) c->scale = tcp[i + 2] & 15;
    if (tcp[i] != 1 && tcp[i + 1] < 2) break;
  }
  emit(its_port, c, SYN | ACK, 0, 0);
}

/* Each end of a request's head lets one more answer go. */
static void take(struct connection *c, const uint8_t *p, unsigned n) {
  if (!http) return;
  for (unsigned i = 0; i < n; i++) {
    c->matched = p[i] == "\r\n\r\n"[c->matched] ? c->matched + 1 : p[i] == '\r';
    if (c->matched == 4) c->limit += period, c->matched = 0;
  }
}

static void segment(const uint8_t *ip, unsigned ip_header, unsigned length, bool verified) {
  const uint8_t *tcp = ip + ip_header;
  unsigned header = (tcp[12] >> 4) * 4u, flags = tcp[13], n;
  uint16_t its_port = get16(tcp);
  uint32_t seq = get32(tcp + 4), acked;
  struct connection *c = &table[its_port];
  if (header < TCP || header > length || get16(tcp + 2) != port) return;
  if (!verified && fold(sum(tcp, length, pseudo_sum(ip, length))) != 0xffff) return;
  if (flags & SYN) {
    begin(its_port, tcp, header);
    return;
  }
  if (flags & RST) c->state = CLOSED;
  if (c->state == CLOSED || !(flags & ACK)) return;
  acked = get32(tcp + 8) - (c->iss + 1 + (uint32_t)c->una);
  if (acked <= c->nxt - c->una) {
    if (acked > 0) c->sent_at = now_ms();
    c->una += acked;
    c->state = OPEN;
  }
  c->window = (uint32_t)get16(tcp + 14) << c->scale;
  n = length - header;
  if (n > 0 || flags & FIN) {
    uint32_t before = c->rcv_nxt - seq;
    c->ack_due = true;
    if (before <= n) {
      take(c, tcp + header + before, n - before);
      c->rcv_nxt += n - before;
      if (flags & FIN && !c->fin_came) c->rcv_nxt++, c->fin_came = c->ends = true;
    }
  }
  if (c->fin_came && c->una == c->limit + 1) {
    if (c->ack_due) emit(its_port, c, ACK, c->nxt, 0);
    if (!http) exit(0);
    c->state = CLOSED;
  }
  want_output(its_port);
}

static void arp(uint8_t *p, size_t n) {
  static const uint8_t request[8] = {0, 1, 8, 0, 6, 4, 0, 1};
  struct virtio_net_hdr v = {0};
  uint8_t *a = p + ETHERNET;
  if (n < ETHERNET + 28 || memcmp(a, request, 8) != 0 || memcmp(a + 24, my_ip, 4) != 0) return;
  memcpy(p, p + 6, 6), memcpy(p + 6, my_mac, 6);
  a[7] = 2;
  memcpy(a + 18, a + 8, 10), memcpy(a + 8, my_mac, 6), memcpy(a + 14, my_ip, 4);
  put_frame(p, ETHERNET + 28, p, 0, &v);
}

static void receive(uint8_t *p, size_t n, bool verified) {
  uint8_t *ip = p + ETHERNET;
  unsigned header, total;
  if (n < ETHERNET + IP) return;
  if (get16(p + 12) == 0x0806) arp(p, n);
  if (get16(p + 12) != 0x0800 || ip[0] >> 4 != 4) return;
  header = (ip[0] & 15) * 4u, total = get16(ip + 2);
  if (header < IP || total < header + TCP || total > n - ETHERNET || ip[9] != 6) return;
  if (get16(ip + 6) & 0x3fff || memcmp(ip + 16, my_ip, 4) != 0) return;
  if (fold(sum(ip, header, 0)) != 0xffff) return;
  memcpy(its_mac, p + 6, 6), memcpy(its_ip, ip + 12, 4);
  segment(ip, header, total - header, verified);
}

/* Up to a batch of frames; whether there may be more. */
static bool receive_batch(void) {
  static uint8_t frame[65536 + 64];
  struct virtio_net_hdr v = {0};
  struct iovec parts[2] = {{&v, sizeof v}, {frame, sizeof frame}};
  for (int i = 0; i < BATCH; i++) {
    ssize_t n = offload ? readv(0, parts, 2) : read(0, frame, sizeof frame);
    size_t before = offload ? sizeof v : 0;
    if (n < 0) return errno == EINTR;
    if ((size_t)n > before)
      receive(frame, (size_t)n - before,
              v.flags & (VIRTIO_NET_HDR_F_NEEDS_CSUM | VIRTIO_NET_HDR_F_DATA_VALID));
  }
  return true;
}

static void resend(void) {
  static uint64_t last;
  uint64_t now = now_ms();
  if (now - last < PATIENCE_MS / 2) return;
  last = now;
  for (unsigned i = 0; i < 65536; i++) {
    struct connection *c = &table[i];
    if (c->state != OPEN || now - c->sent_at < PATIENCE_MS) continue;
    if (c->una == c->nxt && c->nxt >= c->limit) continue;
    c->nxt = c->una;
    if (c->window == 0) c->window = 1; /* a probe */
    want_output((uint16_t)i);
  }
}

static void prepare_text(const char *answer) {
  const size_t pattern = 131072;
  period = http ? strlen(answer) : pattern;
  text = malloc(period + SUPER);
  if (text == NULL || period == 0) exit(2);
  for (size_t i = 0; i < period + SUPER; i++)
    text[i] = http ? (uint8_t)answer[i % period] : (uint8_t)(i % pattern * 7);
}

int main(int argc, char **argv) {
  struct pollfd tap = {.fd = 0, .events = POLLIN};
  if (argc != 5) {
    fprintf(stderr, "limit: in|out|http plain|offload BYTES ANSWER, a TAP as standard input\n");
    return 2;
  }
  http = strcmp(argv[1], "http") == 0;
  offload = strcmp(argv[2], "offload") == 0;
  bulk_out = strcmp(argv[1], "out") == 0 ? strtoull(argv[3], NULL, 10) : 0;
  port = http ? 80 : 5001;
  prepare_text(argv[4]);
  puts("ready");
  fflush(stdout);
  for (;;) {
    bool more = receive_batch();
    output_all();
    resend();
    if (!more) poll(&tap, 1, PATIENCE_MS);
  }
}
