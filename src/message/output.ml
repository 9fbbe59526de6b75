type t = { mutable bytes : Bytes.t; mutable length : int; mutable stop : int; size : int }

exception Too_long

let keep = 65_536

let create ?(size = 1024) () =
  { bytes = Bytes.create size; length = 0; stop = Sys.max_string_length; size }

let length t = t.length
let bytes t = t.bytes
let limit t n = t.stop <- Int.min n Sys.max_string_length

let clear t =
  t.length <- 0;
  t.stop <- Sys.max_string_length;
  if Bytes.length t.bytes > keep then t.bytes <- Bytes.create t.size

let truncate t n =
  if n < 0 || n > t.length then invalid_arg "Output.truncate";
  t.length <- n

let grow t wanted =
  let larger = Bytes.create (Int.max wanted (Int.min t.stop (2 * Bytes.length t.bytes))) in
  Bytes.blit t.bytes 0 larger 0 t.length;
  t.bytes <- larger

let reserve t n =
  if n < 0 then invalid_arg "Output.reserve";
  let at = t.length in
  if n > t.stop - at then raise_notrace Too_long;
  if n > Bytes.length t.bytes - at then grow t (at + n);
  t.length <- at + n;
  at

let add t b ~off ~len =
  let at = reserve t len in
  Bytes.blit b off t.bytes at len

let add_string t s = add t (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

let add_byte t n =
  let at = reserve t 1 in
  Bytes.set_uint8 t.bytes at (n land 255)

let rec add_varint t n =
  if n < 0 then invalid_arg "Output.add_varint";
  if n < 128 then add_byte t n
  else begin
    add_byte t (n land 127 lor 128);
    add_varint t (n lsr 7)
  end
