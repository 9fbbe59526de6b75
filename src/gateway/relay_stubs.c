/* Bytes between a socket and OCaml's memory without a copy in between. They do
   not wait, so that the runtime's lock may be kept. */

#define _GNU_SOURCE
#define CAML_NAME_SPACE
#include <caml/alloc.h>
#include <caml/memory.h>
#include <caml/mlvalues.h>
#include <errno.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/socket.h>
#include <sys/types.h>

enum { AGAIN = -1, FAILED = -2 };

static value result(ssize_t n) {
  if (n >= 0) return Val_long(n);
  return Val_long(errno == EAGAIN || errno == EWOULDBLOCK ? AGAIN : FAILED);
}

CAMLprim value weir_gateway_receive(value fd, value bytes, value off, value len) {
  unsigned char *at = Bytes_val(bytes) + Long_val(off);
  ssize_t n;
  do n = recv(Int_val(fd), at, (size_t)Long_val(len), MSG_DONTWAIT);
  while (n < 0 && errno == EINTR);
  return result(n);
}

CAMLprim value weir_gateway_send(value fd, value bytes, value off, value len) {
  const unsigned char *at = Bytes_val(bytes) + Long_val(off);
  ssize_t n;
  do n = send(Int_val(fd), at, (size_t)Long_val(len), MSG_DONTWAIT | MSG_NOSIGNAL);
  while (n < 0 && errno == EINTR);
  return result(n);
}

/* Smoothed round-trip time in microseconds, and segments sent again. */
CAMLprim value weir_gateway_tcp_info(value fd) {
  CAMLparam1(fd);
  CAMLlocal2(pair, some);
#ifdef __linux__
  struct tcp_info info;
  socklen_t length = sizeof info;
  if (getsockopt(Int_val(fd), IPPROTO_TCP, TCP_INFO, &info, &length) == 0) {
    pair = caml_alloc_tuple(2);
    Store_field(pair, 0, Val_long(info.tcpi_rtt));
    Store_field(pair, 1, Val_long(info.tcpi_total_retrans));
    some = caml_alloc_some(pair);
    CAMLreturn(some);
  }
#else
  (void)fd, (void)pair, (void)some;
#endif
  CAMLreturn(Val_none);
}
