let[@inline] text s =
  let n = String.length s in
  if n = 0 then 0 else (n + 8) land lnot 7

let[@inline] data s = (String.length s + 7) land lnot 7
let[@inline] optional size own = function None -> 0 | Some v -> own + size v
let rec count n = function [] -> n | _ :: rest -> count (n + 1) rest
let too_long () = invalid_arg "Cap'n Proto: a list of more than 67,108,863 elements"

let length l =
  let n = count 0 l in
  if n > Pointer.max_count then too_long ();
  n

let rec sum size own total = function
  | [] -> total
  | v :: rest -> sum size own (total + own + size v) rest

(* The sum says whether the list is worth counting. *)
let[@inline] checked l total =
  if total > 8 * Pointer.max_count then ignore (length l);
  total

(* A list of structs begins with a word that says their sizes. *)
let flat_structs own = function
  | [] -> 0
  | l ->
      let n = length l in
      8 + if own > 0 then own * n else if n > Pointer.weightless then 8 * n else 0

let[@inline never] structs size own = function
  | [] -> 0
  | l -> if own = 0 then flat_structs 0 l else checked l (sum size own 8 l)

let[@inline never] pointers size = function [] -> 0 | l -> checked l (sum size 8 0 l)
let items width l = ((width * length l) + 7) land lnot 7
let counted n = if n < 0 || n > Pointer.max_count then too_long () else n
let voids n = if counted n > Pointer.weightless then (n + 7) land lnot 7 else 0
let bits v = 8 * ((counted (Bits.length v) + 63) / 64)
let octets s = (counted (String.length s) + 7) land lnot 7
