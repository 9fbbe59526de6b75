module Flow = Weir_flow.Flow
module Slice = Weir_flow.Slice

type state = Idle | Encoding | Sending | Broken

type t = {
  framing : Framing.t;
  limit : int;
  flow : Flow.writer;
  out : Output.t;
  mutable state : state;
}

let create ?(limit = Incoming.default_limit) framing flow =
  { framing; limit; flow :> Flow.writer; out = Output.create (); state = Idle }

let too_long limit =
  Flow.fail (Flow.Too_long limit) (fun ppf ->
      Format.fprintf ppf "the message is longer than %d bytes" limit)

(* Only Cap'n Proto messages carry their own length. *)
let check_framed t b ~off ~len =
  if t.framing = Capnp then
    match Framing.extent Capnp b ~off ~len with
    | Whole { length; _ } when length = len -> ()
    | _ -> invalid_arg "Writer: not one Cap'n Proto message"

let ready t =
  match t.state with
  | Idle -> ()
  | Encoding | Sending -> invalid_arg "Writer: another fiber is sending"
  | Broken -> raise (Flow.Error Flow.closed)

let write t f =
  t.state <- Sending;
  match f () with
  | () ->
      Output.clear t.out;
      t.state <- Idle
  | exception e ->
      t.state <- Broken;
      raise e

(* Encodes [v] after space for a prefix. [put bytes at len] may write a prefix before [at], where
   the message of [len] bytes begins, and is the offset where the frame begins. *)
let encoded t encode v put =
  ready t;
  let out = t.out and room = Framing.header_room t.framing in
  Output.clear out;
  let at = Output.reserve out room in
  Output.limit out (room + t.limit);
  (* Refuses other fibers while the encoder waits. *)
  t.state <- Encoding;
  (match encode out v with
  | () -> t.state <- Idle
  | exception e -> (
      t.state <- Idle;
      match e with Output.Too_long -> too_long t.limit | e -> raise e));
  let bytes = Output.bytes out and stop = Output.length out in
  let start = put bytes (at + room) (stop - at - room) in
  write t (fun () -> t.flow#write bytes ~off:start ~len:(stop - start))

let send t (codec : _ Codec.t) v =
  encoded t codec.encode v (fun bytes at len ->
      check_framed t bytes ~off:at ~len;
      Framing.put_header t.framing bytes at len)

let send_bare t encode v = encoded t encode v (fun _ at _ -> at)
let send_all t codec messages = Seq.iter (send t codec) messages

(* If the prefix were a write of its own, Nagle's algorithm (RFC 9293 §3.7.4) could delay the bytes
   after it. Up to this size, copying both is also cheaper. *)
let short = 16_384

let send_bytes t b ~off ~len =
  ready t;
  if off < 0 || len < 0 || off > Bytes.length b - len then invalid_arg "Writer.send_bytes";
  if len > t.limit then too_long t.limit;
  check_framed t b ~off ~len;
  let out = t.out and room = Framing.header_room t.framing in
  Output.clear out;
  ignore (Output.reserve out room);
  if len <= short then Output.add out b ~off ~len;
  let bytes = Output.bytes out in
  let start = Framing.put_header t.framing bytes room len in
  let first = Output.length out - start in
  write t (fun () ->
      if len <= short then t.flow#write bytes ~off:start ~len:first
      else t.flow#writev [ Slice.make bytes ~off:start ~len:first; Slice.make b ~off ~len ])
