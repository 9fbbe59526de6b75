type t = int array
(** milliseconds, not decreasing; the last is the period *)

let bytes_each = 1_514
let most = 4_000_000
let ms = 1_000_000
let period t = t.(Array.length t - 1)

exception Bad of string

let line t ~number ~before s =
  let s = match String.index_opt s '#' with Some i -> String.sub s 0 i | None -> s in
  let bad fmt = Printf.ksprintf (fun m -> raise_notrace (Bad m)) fmt in
  match String.trim s with
  | "" -> before
  | s -> (
      match int_of_string_opt s with
      | Some n when n >= before && n <= 1_000_000_000 && String.for_all Char.Ascii.is_digit s ->
          if Dynarray.length t = most then bad "more than %d lines" most;
          Dynarray.add_last t n;
          n
      | Some n when n < before -> bad "line %d: %s is before the line above" number s
      | _ -> bad "line %d: %s is not a time in milliseconds" number s)

let of_string s =
  let t = Dynarray.create () in
  let add (number, before) s = (number + 1, line t ~number ~before s) in
  match List.fold_left add (1, 0) (String.split_on_char '\n' s) with
  | exception Bad why -> Error why
  | _, 0 -> Error "the last time must be above 0"
  | _ -> Ok (Dynarray.to_array t)

let time t n =
  let length = Array.length t in
  ((n / length * period t) + t.(n mod length)) * ms

(* The first index from [low] on, below [high], whose time is [at] or later. *)
let rec search t at low high =
  if low >= high then low
  else
    let middle = (low + high) / 2 in
    if t.(middle) >= at then search t at low middle else search t at (middle + 1) high

let first t ~at =
  let at = (Int.max 0 at + ms - 1) / ms in
  (* Of a time that ends a period, that period's last lines come before the next one's first. *)
  let rounds = Int.max 0 (at - 1) / period t in
  (rounds * Array.length t) + search t (at - (rounds * period t)) 0 (Array.length t)

let mean_bps t = Array.length t * bytes_each * 8 * 1_000 / period t
