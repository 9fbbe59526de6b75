/* lwIP's raw API over a TAP that is standard input: bulk in, bulk out, HTTP.
   peer in|out|http plain BYTES ANSWER (see ../README.md). */

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

#include "lwip/etharp.h"
#include "lwip/init.h"
#include "lwip/tcp.h"
#include "lwip/timeouts.h"
#include "netif/ethernet.h"

enum { FRAME = 1514, BATCH = 64, PIECE = 32768, AFTER_MS = 100 };

static bool http;
static uint64_t left; /* of bulk out */
static const char *answer;
static size_t answer_length;
static char pattern[131072];
static u32_t ends_at; /* by sys_now, once the transfer is over */

struct connection {
  unsigned matched;
  size_t owed;
};

u32_t sys_now(void) {
  struct timespec t;
  clock_gettime(CLOCK_MONOTONIC, &t);
  return (u32_t)(t.tv_sec * 1000 + t.tv_nsec / 1000000);
}

/* -- the device -------------------------------------------------------------- */

static err_t put(struct netif *n, struct pbuf *p) {
  struct iovec parts[8];
  int count = 0;
  (void)n;
  for (struct pbuf *q = p; q != NULL && count < 8; q = q->next)
    parts[count++] = (struct iovec){q->payload, q->len};
  return writev(0, parts, count) < 0 ? ERR_IF : ERR_OK;
}

static err_t prepare(struct netif *n) {
  static const u8_t mac[6] = {2, 0, 0, 0, 0, 11};
  n->name[0] = 't', n->name[1] = 'p';
  n->mtu = 1500;
  n->hwaddr_len = 6;
  memcpy(n->hwaddr, mac, 6);
  n->flags = NETIF_FLAG_BROADCAST | NETIF_FLAG_ETHARP | NETIF_FLAG_ETHERNET | NETIF_FLAG_LINK_UP;
  n->output = etharp_output;
  n->linkoutput = put;
  return ERR_OK;
}

/* Up to a batch of frames; whether there may be more. */
static bool receive(struct netif *n) {
  for (int i = 0; i < BATCH; i++) {
    struct pbuf *p = pbuf_alloc(PBUF_RAW, FRAME, PBUF_POOL);
    ssize_t got;
    if (p == NULL) return true;
    got = read(0, p->payload, FRAME);
    if (got <= 0) {
      pbuf_free(p);
      return got < 0 && errno == EINTR;
    }
    pbuf_realloc(p, (u16_t)got);
    if (n->input(p, n) != ERR_OK) pbuf_free(p);
  }
  return true;
}

/* -- the loads --------------------------------------------------------------- */

static void fill(struct tcp_pcb *pcb) {
  if (left == 0) return;
  while (left > 0) {
    size_t n = left < PIECE ? left : PIECE;
    if (n > tcp_sndbuf(pcb) || tcp_write(pcb, pattern, (u16_t)n, TCP_WRITE_FLAG_COPY) != ERR_OK)
      break;
    left -= n;
  }
  if (left == 0) tcp_shutdown(pcb, 0, 1);
  tcp_output(pcb);
}

static void owe(struct connection *c, struct tcp_pcb *pcb) {
  while (c->owed > 0) {
    size_t at = (answer_length - c->owed % answer_length) % answer_length;
    size_t n = answer_length - at;
    if (n > tcp_sndbuf(pcb) || tcp_write(pcb, answer + at, (u16_t)n, TCP_WRITE_FLAG_COPY) != ERR_OK)
      break;
    c->owed -= n;
  }
}

static err_t sent(void *arg, struct tcp_pcb *pcb, u16_t n) {
  (void)n;
  if (http)
    owe(arg, pcb);
  else
    fill(pcb);
  return ERR_OK;
}

/* Each end of a request's head is answered. */
static void take(struct connection *c, struct pbuf *p) {
  for (; p != NULL; p = p->next) {
    const char *b = p->payload;
    for (unsigned i = 0; i < p->len; i++) {
      c->matched = b[i] == "\r\n\r\n"[c->matched] ? c->matched + 1 : b[i] == '\r';
      if (c->matched == 4) c->owed += answer_length, c->matched = 0;
    }
  }
}

static err_t came(void *arg, struct tcp_pcb *pcb, struct pbuf *p, err_t e) {
  (void)e;
  if (p == NULL) {
    tcp_arg(pcb, NULL);
    tcp_recv(pcb, NULL), tcp_sent(pcb, NULL), tcp_err(pcb, NULL);
    free(arg);
    if (!http) ends_at = sys_now() + AFTER_MS;
    return tcp_close(pcb);
  }
  tcp_recved(pcb, p->tot_len);
  if (http) {
    take(arg, p);
    owe(arg, pcb);
  }
  pbuf_free(p);
  return ERR_OK;
}

static void failed(void *arg, err_t e) {
  (void)e;
  free(arg);
  if (!http) exit(1);
}

static err_t accepted(void *arg, struct tcp_pcb *pcb, err_t e) {
  struct connection *c = calloc(1, sizeof *c);
  (void)arg;
  if (e != ERR_OK || c == NULL) return ERR_VAL;
  tcp_arg(pcb, c);
  tcp_nagle_disable(pcb);
  tcp_recv(pcb, came), tcp_sent(pcb, sent), tcp_err(pcb, failed);
  fill(pcb);
  return ERR_OK;
}

static void listen_at(u16_t port) {
  struct tcp_pcb *pcb = tcp_new();
  if (pcb == NULL || tcp_bind(pcb, IP_ADDR_ANY, port) != ERR_OK || (pcb = tcp_listen(pcb)) == NULL)
    exit(1);
  tcp_accept(pcb, accepted);
}

int main(int argc, char **argv) {
  struct pollfd tap = {.fd = 0, .events = POLLIN};
  struct netif n;
  ip4_addr_t address, mask, none = {0};
  if (argc != 5 || strcmp(argv[2], "plain") != 0) {
    fprintf(stderr, "lwip: in|out|http plain BYTES ANSWER, a TAP as standard input\n");
    return 2;
  }
  http = strcmp(argv[1], "http") == 0;
  if (strcmp(argv[1], "out") == 0) left = strtoull(argv[3], NULL, 10);
  answer = argv[4];
  answer_length = strlen(answer);
  for (size_t i = 0; i < sizeof pattern; i++) pattern[i] = (char)(i * 7);
  lwip_init();
  IP4_ADDR(&address, 10, 0, 0, 11);
  IP4_ADDR(&mask, 255, 255, 255, 0);
  if (netif_add(&n, &address, &mask, &none, NULL, prepare, ethernet_input) == NULL) return 1;
  netif_set_default(&n);
  netif_set_up(&n);
  listen_at(http ? 80 : 5001);
  puts("ready");
  fflush(stdout);
  while (ends_at == 0 || (s32_t)(sys_now() - ends_at) < 0) {
    bool more = receive(&n);
    sys_check_timeouts();
    if (!more) {
      u32_t ms = sys_timeouts_sleeptime();
      poll(&tap, 1, ms > AFTER_MS ? AFTER_MS : (int)ms);
    }
  }
  return 0;
}
