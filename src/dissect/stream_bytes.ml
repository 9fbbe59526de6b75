open Weir_wire
module Offsets = Map.Make (Int)

type piece = { from_client : bool; time : Weir_base.Time.t; offset : int; what : what }
and what = Data of string | Missing of int

(* A segment of [length] bytes. [data] is all of them, or the first ones if the packet was captured
   in part. *)
type segment = { data : string; length : int }

type side = {
  from_client : bool;
  mutable next : int;  (** the sequence number of byte [offset]; -1 before the first packet *)
  mutable offset : int;  (** bytes given so far *)
  mutable highest : int;  (** the end of the highest segment seen *)
  mutable waiting : segment Offsets.t;
  mutable segments : int;
  mutable held : int;
}

type t = {
  give : piece -> unit;
  client : side;
  server : side;
  mutable time : Weir_base.Time.t;  (** the time of the last packet *)
}

let most_held = 0x100_0000
let most_segments = 16_384

let side ~from_client =
  {
    from_client;
    next = -1;
    offset = 0;
    highest = 0;
    waiting = Offsets.empty;
    segments = 0;
    held = 0;
  }

let create give =
  { give; client = side ~from_client:true; server = side ~from_client:false; time = 0 }

let low n = n land 0xffff_ffff

(* Between -2^31 and 2^31. *)
let difference a b = ((a - b) lsl (Sys.int_size - 32)) asr (Sys.int_size - 32)
let position s seq = s.offset + difference seq s.next

(* -- giving -------------------------------------------------------------- *)

let give t s what =
  let { from_client; offset; _ } = s and time = t.time in
  let length = match what with Data d -> String.length d | Missing n -> n in
  if length > 0 then (
    s.offset <- offset + length;
    s.next <- low (s.next + length);
    t.give { from_client; time; offset; what })

(* Gives a segment that begins at or before the next byte. *)
let give_segment t s ~at { data; length } =
  let skip = s.offset - at in
  if skip < String.length data then
    give t s (Data (String.sub data skip (String.length data - skip)));
  give t s (Missing (at + length - s.offset |> Int.max 0))

let remove s at segment =
  s.waiting <- Offsets.remove at s.waiting;
  s.segments <- s.segments - 1;
  s.held <- s.held - String.length segment.data

(* Passes on the bytes in order, and reports the gaps before [reach]. *)
let rec drain t s ~reach =
  match Offsets.min_binding_opt s.waiting with
  | Some (at, segment) when at <= s.offset ->
      remove s at segment;
      give_segment t s ~at segment;
      drain t s ~reach
  | Some (at, _) when s.offset < reach ->
      give t s (Missing (Int.min at reach - s.offset));
      drain t s ~reach
  | Some _ | None -> if s.offset < reach then give t s (Missing (reach - s.offset))

(* -- taking -------------------------------------------------------------- *)

let wait t s ~at segment =
  let longer =
    match Offsets.find_opt at s.waiting with
    | Some other -> segment.length > other.length
    | None -> true
  in
  if longer then (
    Option.iter (remove s at) (Offsets.find_opt at s.waiting);
    s.waiting <- Offsets.add at segment s.waiting;
    s.segments <- s.segments + 1;
    s.held <- s.held + String.length segment.data;
    if s.held > most_held || s.segments > most_segments then
      drain t s ~reach:(fst (Offsets.min_binding s.waiting)))

let take_data t s (d : Dissection.t) (tcp : Tcp.t) =
  let at = position s (if tcp.syn then low (tcp.seq + 1) else tcp.seq) in
  let length = tcp.data_length in
  if length > 0 && at + length > s.offset then (
    let data = Bytes.sub_string d.data d.decoded.data_off d.decoded.data_length in
    s.highest <- Int.max s.highest (at + length);
    if at > s.offset then wait t s ~at { data; length }
    else (
      give_segment t s ~at { data; length };
      drain t s ~reach:s.offset))

(* A gap is certain only if later bytes were seen: an acknowledgement may be wrong, or of a FIN. *)
let take_ack t s ack = if s.next >= 0 then drain t s ~reach:(Int.min (position s ack) s.highest)

(* Before the first data, a SYN corrects the start. *)
let begin_at s base = if base >= 0 && s.offset = 0 && s.segments = 0 then s.next <- low (base + 1)

let add t (d : Dissection.t) =
  match (d.decoded.transport, d.stream) with
  | Tcp tcp, Some { stream; from_client } ->
      t.time <- d.time;
      begin_at t.client stream.client_base;
      begin_at t.server stream.server_base;
      let own, other = if from_client then (t.client, t.server) else (t.server, t.client) in
      take_data t own d tcp;
      if tcp.ack >= 0 then take_ack t other tcp.ack
  | _ -> ()

let finish t = List.iter (fun s -> drain t s ~reach:s.highest) [ t.client; t.server ]
