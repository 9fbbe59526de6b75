module Slice = Weir_flow.Slice

(* The bytes received and not taken are [start, stop) of [bytes]. [want] is the least length of the
   first frame, as far as it is known. *)
type t = {
  extent : Bytes.t -> off:int -> len:int -> Framing.extent;
  most : int;  (** the most bytes needed to know a frame's length *)
  limit : int;
  mutable bytes : Bytes.t;
  mutable start : int;
  mutable stop : int;
  mutable want : int;
  mutable ended : bool;
  mutable over : Error.t option;
  view : Slice.t;
}

type next = Frame of Slice.t | More | Stop of Error.t

let default_limit = 4 * 1024 * 1024
let size = 16_384
let keep = 65_536

let cut ?(limit = default_limit) ~header_room extent =
  {
    extent;
    most = limit + header_room;
    limit;
    bytes = Bytes.empty;
    start = 0;
    stop = 0;
    want = 1;
    ended = false;
    over = None;
    view = Slice.empty ();
  }

let create ?limit framing =
  cut ?limit ~header_room:(Framing.header_room framing) (Framing.extent framing)

let finish t error =
  t.over <- Some error;
  t.bytes <- Bytes.empty;
  Slice.set t.view Bytes.empty ~off:0 ~len:0;
  t.start <- 0;
  t.stop <- 0;
  Stop error

let wait t want =
  let have = t.stop - t.start in
  t.want <- want;
  if not t.ended then More
  else if have = 0 then finish t End
  else finish t (Truncated { have; want })

let next t =
  match t.over with
  | Some error -> Stop error
  | None -> (
      let have = t.stop - t.start in
      match t.extent t.bytes ~off:t.start ~len:have with
      | Bad why -> finish t (Malformed why)
      | Need n when n > t.most -> finish t (Too_long n)
      | Need n -> wait t n
      | Whole { length; _ } when length > t.limit -> finish t (Too_long length)
      | Whole { header; length } when have < header + length -> wait t (header + length)
      | Whole { header; length } ->
          Slice.set t.view t.bytes ~off:(t.start + header) ~len:length;
          t.start <- t.start + header + length;
          t.want <- 1;
          Frame t.view)

let move t capacity =
  let have = t.stop - t.start in
  let target = if capacity = Bytes.length t.bytes then t.bytes else Bytes.create capacity in
  Bytes.blit t.bytes t.start target 0 have;
  t.bytes <- target;
  t.start <- 0;
  t.stop <- have

let make_room t =
  let capacity = Bytes.length t.bytes and have = t.stop - t.start in
  if have = 0 && capacity > keep then begin
    Slice.set t.view Bytes.empty ~off:0 ~len:0;
    move t size
  end
  else if have = capacity then
    move t
      (if t.want > capacity then Int.max size (Int.min t.want (2 * capacity)) else 2 * capacity)
  else if have = 0 || t.stop = capacity || t.start + t.want > capacity then move t capacity

let space t =
  make_room t;
  Bytes.length t.bytes - t.stop

let bytes t = t.bytes
let at t = t.stop

let received t n =
  if n < 0 || n > Bytes.length t.bytes - t.stop then invalid_arg "Incoming.received";
  if n = 0 then t.ended <- true else t.stop <- t.stop + n
