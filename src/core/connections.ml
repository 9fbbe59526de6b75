open Weir_wire

(* A bucket holds [Some c] ready-made, so that finding allocates nothing. *)
type t = { secret : int; mutable buckets : Tcb.t option list array; mutable length : int }

let create ~secret = { secret; buckets = Array.make 64 []; length = 0 }
let length t = t.length

(* Multiplication by odd constants and shifts spread every input bit over the
   high ones, which choose the bucket. *)
let mix h x = h lxor x * 0x1e37_79b9_7f4a_7c15

let bucket t ~local ~local_port ~remote ~remote_port =
  let h = mix t.secret ((remote : Ip4.t :> int) lor (remote_port lsl 32)) in
  let h = mix (h lxor (h lsr 29)) ((local : Ip4.t :> int) lor (local_port lsl 32)) in
  (h lsr 24) land (Array.length t.buckets - 1)

let is (c : Tcb.t) ~local ~local_port ~remote ~remote_port =
  c.remote_port = remote_port && c.local_port = local_port && Ip4.equal c.remote remote
  && Ip4.equal c.local local

let rec find_in entries ~local ~local_port ~remote ~remote_port =
  match entries with
  | [] -> None
  | (Some c as found) :: _ when is c ~local ~local_port ~remote ~remote_port -> found
  | _ :: rest -> find_in rest ~local ~local_port ~remote ~remote_port

let find t ~local ~local_port ~remote ~remote_port =
  let i = bucket t ~local ~local_port ~remote ~remote_port in
  find_in t.buckets.(i) ~local ~local_port ~remote ~remote_port

let bucket_of t (c : Tcb.t) =
  bucket t ~local:c.local ~local_port:c.local_port ~remote:c.remote ~remote_port:c.remote_port

let insert t entry =
  match entry with
  | None -> ()
  | Some c ->
      let i = bucket_of t c in
      t.buckets.(i) <- entry :: t.buckets.(i)

let grow t =
  let old = t.buckets in
  t.buckets <- Array.make (2 * Array.length old) [];
  Array.iter (fun entries -> List.iter (insert t) (List.rev entries)) old

let add t c =
  if t.length >= Array.length t.buckets then grow t;
  insert t (Some c);
  t.length <- t.length + 1

let remove t c =
  let i = bucket_of t c in
  let entries = t.buckets.(i) in
  let rest = List.filter (function Some x -> x != c | None -> false) entries in
  if List.compare_lengths rest entries <> 0 then (
    t.buckets.(i) <- rest;
    t.length <- t.length - 1)

let iter f t = Array.iter (List.iter (Option.iter f)) t.buckets
