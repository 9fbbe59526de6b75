open Weir_base

let after_read (c : Tcb.t) =
  if c.state <> Closed then (
    if Tcp_output.window_update_due c then Tcb.ack_now c;
    if c.trim_at = Time.never then (
      c.trim_at <- c.shared.now + Time.s 1;
      Tcb.arm c))

let read (c : Tcb.t) b ~off ~len =
  let n = Byte_ring.read c.rcv b ~off ~len in
  if n > 0 then after_read c;
  n

let unread (c : Tcb.t) f = Byte_ring.head c.rcv f
let unread_length (c : Tcb.t) = Byte_ring.length c.rcv
let has_unread c = unread_length c > 0

(* A reset may have cleared what was seen. *)
let discard (c : Tcb.t) n =
  let n = Int.min n (Byte_ring.length c.rcv) in
  Byte_ring.drop c.rcv n;
  if n > 0 then after_read c

let with_unread c f =
  let n = unread c f in
  discard c n;
  n

let check_write (c : Tcb.t) =
  if c.fin_queued then invalid_arg "Tcp.write: the sending side is shut down"

let wrote (c : Tcb.t) n =
  if n > 0 && c.state <> Closed then Tcb.want_output c;
  n

let write (c : Tcb.t) b ~off ~len =
  check_write c;
  if c.state = Closed then 0
  else
    let n = Int.min len (Tcb.send_room c) in
    Byte_ring.write c.snd b ~off ~len:n;
    wrote c n

let with_room (c : Tcb.t) ~want f =
  check_write c;
  if c.state = Closed then 0
  else
    let n = Byte_ring.tail c.snd f ~want:(Int.min want (Tcb.send_room c)) in
    Byte_ring.extend c.snd n;
    wrote c n
