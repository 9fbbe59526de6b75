module Slice = Weir_flow.Slice
module Output = Weir_message.Output

type t = {
  outbox : Outbox.t;
  id : int;
  window : int;
  peer_window : int;
  most : int;
      (** the most bytes of a message to the peer; negative if not even an empty one fits *)
  sends : bool;
  receives : bool;
  queue : string Queue.t;
  mutable allowed : int;  (** what the peer may still send *)
  mutable taken : int;  (** bytes taken for which no credit was given back yet *)
  mutable giving : bool;  (** a credit packet is about to be sent *)
  mutable peer_ended : bool;
  mutable credit : int;  (** what this side may still send *)
  mutable finished : bool;
  mutable closed : bool;
  mutable dropped : bool;
  mutable discarding : bool;
}

let overhead = 32
let cost len = len + overhead

(* A stream's messages come in packets, whose header is shorter than this. *)
let header = 16

let create ~outbox ~id ~window ~peer_window ~peer_message ~sends ~receives =
  {
    outbox;
    id;
    window;
    peer_window;
    most = Int.min ((peer_window / 2) - overhead) (peer_message - header);
    sends;
    receives;
    queue = Queue.create ();
    allowed = window;
    taken = 0;
    giving = false;
    peer_ended = false;
    credit = peer_window;
    finished = false;
    closed = false;
    dropped = false;
    discarding = false;
  }

let done_ t = t.closed || t.peer_ended

(* Credit is added to the outbox only when it is taken, once for each stream, so a peer that reads
   nothing cannot make the outbox grow. *)
let give_credit t =
  t.giving <- false;
  if not (done_ t) then begin
    let n = t.taken in
    t.taken <- 0;
    t.allowed <- t.allowed + n;
    Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.credit out t.id n)
  end

(* Less than half a window is withheld, so the rest is enough for any message. *)
let took t len =
  t.taken <- t.taken + cost len;
  if t.taken >= t.window / 2 && not (t.giving || done_ t) then begin
    t.giving <- true;
    Outbox.defer t.outbox (fun () -> give_credit t)
  end

(* {1 What the peer says} *)

let item t (view : Slice.t) =
  if not t.receives then Error "a message of a stream that goes the other way"
  else if t.peer_ended then Error "a message after its stream's end"
  else if cost view.len > t.allowed then Error "a message beyond its stream's credit"
  else begin
    t.allowed <- t.allowed - cost view.len;
    if t.discarding then took t view.len
    else if not t.dropped then Queue.add (Slice.to_string view) t.queue;
    Ok ()
  end

let ended t =
  if not t.receives then Error "the end of a stream that goes the other way"
  else if t.peer_ended then Error "a stream's second end"
  else begin
    t.peer_ended <- true;
    Ok ()
  end

let credit t n =
  if not t.sends then Error "credit for a stream that goes the other way"
  else if n < 1 || n > t.peer_window - t.credit then Error "more credit than a stream can have"
  else begin
    t.credit <- t.credit + n;
    Ok ()
  end

let needs_peer t = (t.sends && not t.closed) || (t.receives && not (done_ t))
let close t = t.closed <- true

let drop t =
  t.dropped <- true;
  t.closed <- true;
  Queue.clear t.queue

(* {1 What this side does} *)

type next = Message of string | End | Given_up | Nothing_yet

let next t =
  match Queue.take_opt t.queue with
  | None -> if t.dropped then Given_up else if done_ t then End else Nothing_yet
  | Some s ->
      took t (String.length s);
      Message s

let discard t =
  Queue.iter (fun s -> took t (String.length s)) t.queue;
  Queue.clear t.queue;
  t.discarding <- true

let ready t = done_ t || not (Queue.is_empty t.queue)

type sent = Sent | Wait | Over | Too_long of int

let can_send t len =
  if t.closed || t.finished || not t.sends then Over
  else if len > t.most then Too_long (Int.max 0 t.most)
  else if cost len > t.credit then Wait
  else Sent

let send t s =
  let len = String.length s in
  let can = can_send t len in
  if can = Sent then begin
    t.credit <- t.credit - cost len;
    Outbox.add t.outbox ~limit:(Packet.small + len) (fun out ->
        Packet.item out t.id;
        Output.add_string out s)
  end;
  can

let finish t =
  if t.sends && not (t.finished || t.closed) then begin
    t.finished <- true;
    Outbox.add t.outbox ~limit:Packet.small (fun out -> Packet.end_ out t.id)
  end
