open Weir_base

(* The buffer grows with what its reader takes, twice that, so that the window
   stays ahead of a peer in slow start, and opens no faster than bytes come. A
   reader that leaves half of it unread does not keep up, and gets no more. *)
let let_window_grow (c : Tcb.t) n =
  if 2 * Byte_ring.length c.rcv <= c.rcv_limit then
    c.rcv_limit <- Int.min c.rcv_most (c.rcv_limit + (2 * n))

let watch_idle (c : Tcb.t) =
  if c.trim_at = Time.never then (
    c.trim_at <- c.shared.now + Time.s 1;
    Tcb.arm c)

let after_read (c : Tcb.t) n =
  if c.state <> Closed then (
    if c.rcv_limit < c.rcv_most then let_window_grow c n;
    if Tcp_output.window_update_due c then Tcb.ack_now c;
    watch_idle c)

let read (c : Tcb.t) b ~off ~len =
  let n = Byte_ring.read c.rcv b ~off ~len in
  if n > 0 then after_read c n;
  n

let unread (c : Tcb.t) f = Byte_ring.head c.rcv f
let unread_length (c : Tcb.t) = Byte_ring.length c.rcv
let has_unread c = unread_length c > 0

(* A reset may have cleared what was seen. *)
let discard (c : Tcb.t) n =
  let n = Int.min n (Byte_ring.length c.rcv) in
  Byte_ring.drop c.rcv n;
  if n > 0 then after_read c n

let with_unread c f =
  let n = unread c f in
  discard c n;
  n

let check_write (c : Tcb.t) =
  if c.fin_queued then invalid_arg "Tcp.write: the sending side is shut down"

let wrote (c : Tcb.t) n =
  if n > 0 && c.state <> Closed then (
    Tcb.want_output c;
    watch_idle c);
  n

(* How many of [want] bytes there is room for, and memory. *)
let room (c : Tcb.t) want =
  let n = Int.min want (Tcb.send_room c) in
  if Byte_ring.affords c.snd n then n
  else (
    Tcb.starve c;
    Int.max 0 (Int.min n (Byte_ring.storage c.snd - Byte_ring.length c.snd)))

let write (c : Tcb.t) b ~off ~len =
  check_write c;
  if c.state = Closed then 0
  else
    let n = room c len in
    Byte_ring.write c.snd b ~off ~len:n;
    wrote c n

let with_room (c : Tcb.t) ~want f =
  check_write c;
  if c.state = Closed then 0
  else
    let n = Byte_ring.tail c.snd f ~want:(room c want) in
    Byte_ring.extend c.snd n;
    wrote c n
