module Output = Weir_message.Output
module Slice = Weir_flow.Slice

type t =
  | Hello of { message : int; calls : int; window : int }
  | Call of { id : int; timeout_us : int; name : string; shape : Method.shape; at : int }
  | Reply of { id : int; at : int }
  | Failure of { id : int; failure : Failure.t }
  | Cancel of int
  | Goodbye
  | Item of { id : int; at : int }
  | End of int
  | Credit of { id : int; bytes : int }

let magic = "WEIR"
let version = 1
let max_text = 1024
let small = 2048
let max_window = 1 lsl 60

exception Bad of string

let bad why = raise_notrace (Bad why)

type cursor = { bytes : Bytes.t; mutable at : int; stop : int }

let byte c =
  if c.at = c.stop then bad "a packet is cut off";
  let v = Bytes.get_uint8 c.bytes c.at in
  c.at <- c.at + 1;
  v

(* At most 62 bits, so that the sum is never negative. *)
let rec varint_from c shift value =
  let b = byte c in
  if shift > 56 || (shift = 56 && b > 63) then bad "a number is too large";
  let value = value lor ((b land 127) lsl shift) in
  if b < 128 then value else varint_from c (shift + 7) value

let varint c = varint_from c 0 0

let text c len =
  if len > c.stop - c.at then bad "a packet is cut off";
  let s = Bytes.sub_string c.bytes c.at len in
  c.at <- c.at + len;
  s

let read_hello c =
  if c.stop - c.at < 4 || text c 4 <> magic then bad "not Weir's protocol";
  if varint c <> version then bad "another version of the protocol";
  let message = varint c in
  let calls = varint c in
  Hello { message; calls; window = (if c.at = c.stop then 0 else varint c) }

let read_shape c =
  match Method.shape_of_int (varint c) with
  | Some shape -> shape
  | None -> bad "a call with streams of an unknown shape"

let read_call c ~streams =
  let id = varint c in
  let timeout_us = varint c in
  let len = varint c in
  if len = 0 || len > Method.max_name then bad "a method's name is too long, or empty";
  let name = text c len in
  let shape = if streams then read_shape c else Method.Single in
  if (shape = Up || shape = Both) && c.at < c.stop then
    bad "a request in the packet that opens a stream of requests";
  Call { id; timeout_us; name; shape; at = c.at }

let read_failure c =
  let id = varint c in
  let code = Failure.of_int (varint c) in
  if c.stop - c.at > max_text then bad "a failure's message is too long";
  Failure { id; failure = { code; message = text c (c.stop - c.at) } }

let read c =
  match byte c with
  | 0 -> read_hello c
  | 1 -> read_call c ~streams:false
  | 2 ->
      let id = varint c in
      Reply { id; at = c.at }
  | 3 -> read_failure c
  | 4 -> Cancel (varint c)
  | 5 -> Goodbye
  | 6 -> read_call c ~streams:true
  | 7 ->
      let id = varint c in
      Item { id; at = c.at }
  | 8 -> End (varint c)
  | 9 ->
      let id = varint c in
      Credit { id; bytes = varint c }
  | _ -> bad "an unknown kind of packet"

let decode ({ bytes; off; len } : Slice.t) =
  let c = { bytes; at = off; stop = off + len } in
  match read c with
  | (Call _ | Reply _ | Item _) as packet -> Ok packet
  | packet -> if c.at = c.stop then Ok packet else Error "a packet is too long"
  | exception Bad why -> Error why

(* {1 Writing} *)

let hello out (l : Limits.t) =
  Output.add_byte out 0;
  Output.add_string out magic;
  Output.add_varint out version;
  Output.add_varint out l.message;
  Output.add_varint out l.calls;
  Output.add_varint out (Limits.stream_window l)

let call out ~id ~timeout_us (shape : Method.shape) name =
  Output.add_byte out (if shape = Single then 1 else 6);
  Output.add_varint out id;
  Output.add_varint out timeout_us;
  Output.add_varint out (String.length name);
  Output.add_string out name;
  if shape <> Single then Output.add_varint out (Method.shape_to_int shape)

let reply out id =
  Output.add_byte out 2;
  Output.add_varint out id

let failure out id (f : Failure.t) =
  let n = Int.min max_text (String.length f.message) in
  Output.add_byte out 3;
  Output.add_varint out id;
  Output.add_varint out (Failure.to_int f.code);
  Output.add out (Bytes.unsafe_of_string f.message) ~off:0 ~len:n

let cancel out id =
  Output.add_byte out 4;
  Output.add_varint out id

let goodbye out = Output.add_byte out 5

let item out id =
  Output.add_byte out 7;
  Output.add_varint out id

let end_ out id =
  Output.add_byte out 8;
  Output.add_varint out id

let credit out id bytes =
  Output.add_byte out 9;
  Output.add_varint out id;
  Output.add_varint out bytes
