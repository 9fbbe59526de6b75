external of_literal : float -> int = "%identity"
external ( + ) : int -> int -> int = "int53_add"
external ( - ) : int -> int -> int = "int53_sub"
external ( * ) : int -> int -> int = "int53_mul"
external ( / ) : int -> int -> int = "int53_div"
external ( mod ) : int -> int -> int = "int53_mod"
external ( land ) : int -> int -> int = "int53_and"
external ( lor ) : int -> int -> int = "int53_or"
external ( lxor ) : int -> int -> int = "int53_xor"
external ( lsl ) : int -> int -> int = "int53_lsl"
external ( lsr ) : int -> int -> int = "int53_lsr"
external ( asr ) : int -> int -> int = "int53_asr"
external int_of_float : float -> int = "int53_of_float"
external truncate : float -> int = "int53_of_float"

let ( ~- ) n = 0 - n
let lnot n = -1 - n
let succ n = n + 1
let pred n = n - 1
let abs n = if n < 0 then 0 - n else n
let incr r = r := !r + 1
let decr r = r := !r - 1
let max_int = of_literal 9007199254740991.
let min_int = 0 - max_int

module Int32 = struct
  include Int32

  external of_int : int -> int32 = "int53_to_int32"
  external to_int : int32 -> int = "int53_of_int32"
end

module Int64 = struct
  include Int64

  external of_int : int -> int64 = "int53_to_int64"
  external to_int : int64 -> int = "int53_of_int64"
end

module Sys = struct
  include Sys

  let int_size = 63
end

let int_of_string_opt text =
  match Int64.of_string_opt text with
  | Some n when Int64.compare (Int64.abs n) (Int64.of_int max_int) <= 0 -> Some (Int64.to_int n)
  | _ -> None

let int_of_string text =
  match int_of_string_opt text with Some n -> n | None -> failwith "int_of_string"

let ours = (max_int, min_int, succ, pred, abs)

module Int = struct
  include Int

  let max_int, min_int, succ, pred, abs = ours
  let neg = ( ~- )
  let lognot = lnot

  external add : int -> int -> int = "int53_add"
  external sub : int -> int -> int = "int53_sub"
  external mul : int -> int -> int = "int53_mul"
  external div : int -> int -> int = "int53_div"
  external rem : int -> int -> int = "int53_mod"
  external logand : int -> int -> int = "int53_and"
  external logor : int -> int -> int = "int53_or"
  external logxor : int -> int -> int = "int53_xor"
  external shift_left : int -> int -> int = "int53_lsl"
  external shift_right : int -> int -> int = "int53_asr"
  external shift_right_logical : int -> int -> int = "int53_lsr"
  external of_float : float -> int = "int53_of_float"
end

module Float = struct
  include Float

  external to_int : float -> int = "int53_of_float"
end

module Random = struct
  include Random

  module State = struct
    include State

    (* As the standard library does with 63-bit integers, both. *)
    let make seed =
      let n = Array.length seed in
      let b = Bytes.make ((8 * n) + 1) '\001' in
      Array.iteri (fun i s -> Bytes.set_int64_le b (8 * i) (Int64.of_int s)) seed;
      let first = Digest.bytes b in
      Bytes.set b (8 * n) '\002';
      let header = String.sub (to_binary_string (make [||])) 0 5 in
      of_binary_string (header ^ first ^ Digest.bytes b)

    let rec wide t bound =
      let mask = Int64.shift_right_logical Int64.max_int 1 in
      let r = Int64.logand (bits64 t) mask and n = Int64.of_int bound in
      let v = Int64.rem r n in
      if Int64.compare (Int64.sub r v) (Int64.succ (Int64.sub mask n)) > 0 then wide t bound
      else Int64.to_int v

    let full_int t bound = if bound <= 0x7fff_ffff then full_int t bound else wide t bound
  end
end
