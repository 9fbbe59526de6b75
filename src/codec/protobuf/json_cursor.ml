(* [pos] is read and stored once a value; within one, positions are local. *)
(* The extensions that a message has shown so far, encoded, and their numbers. *)
type extensions = { bytes : Buffer.t; numbers : int list ref }

type t = {
  s : string;
  limit : int;
  mutable pos : int;
  mutable depth : int;
  mutable extensions : extensions option; (* of the message being read *)
  mutable memory : int;
  types : Registry.t;
  ignore_unknown : bool;
}

external get : string -> int -> char = "%string_unsafe_get"

let[@inline] at r p = if p < r.limit then get r.s p else '\000'

let rec space_from r p =
  match at r p with ' ' | '\t' | '\n' | '\r' -> space_from r (p + 1) | _ -> p

(* Where white space from [p] on ends. *)
let[@inline] space r p = if at r p > ' ' then p else space_from r p
let[@inline never] no_memory r = Unfolding.refused r.pos

let[@inline] spend r words =
  let left = r.memory - words in
  r.memory <- left;
  if left < 0 then no_memory r

(* An error's path takes 90 words a level, of up to a hundred. *)
let report = 10_000

let make ?memory types ~ignore_unknown s =
  let limit = String.length s in
  let memory = match memory with Some n -> n | None -> Unfolding.default_memory limit - report in
  let depth = Decode.max_depth + 1 in
  let r = { s; limit; pos = 0; depth; memory; extensions = None; types; ignore_unknown } in
  r.pos <- space r 0;
  r

let fail r p reason = Error.fail p (if p >= r.limit then "unexpected end" else reason)
let finish r = if space r r.pos < r.limit then Error.fail r.pos "more behind the end"
