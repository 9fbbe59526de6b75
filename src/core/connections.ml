open Weir_wire

(* A bucket stores [Some c], so that a look-up does not allocate. *)
type t = {
  secret : int;
  mutable buckets : Tcb.t option list array;
  mutable length : int;
  mutable by_port : Bytes.t;  (** how many have a local port; empty while there are few *)
}

let create ~secret = { secret; buckets = Array.make 64 []; length = 0; by_port = Bytes.empty }
let length t = t.length
let bucket_for t h = (h lsr 24) land (Array.length t.buckets - 1)
let[@inline] spread h = h lxor (h lsr 29)

let bucket_of t (c : Tcb.t) =
  let h = Ip.hash t.secret c.remote ~port:c.remote_port in
  bucket_for t (Ip.hash (spread h) c.local ~port:c.local_port)

let bucket t p ~local_port ~remote_port =
  let h = Packet.hash_source t.secret p ~port:remote_port in
  bucket_for t (Packet.hash_destination (spread h) p ~port:local_port)

let rec find_in entries p ~local_port ~remote_port =
  match entries with
  | [] -> None
  | (Some (c : Tcb.t) as found) :: _
    when c.remote_port = remote_port && c.local_port = local_port
         && Packet.is_between p ~remote:c.remote ~remote_key:c.remote_key ~local:c.local
              ~local_key:c.local_key ->
      found
  | _ :: rest -> find_in rest p ~local_port ~remote_port

let find t p ~local_port ~remote_port =
  find_in t.buckets.(bucket t p ~local_port ~remote_port) p ~local_port ~remote_port

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

(* The counts take 64 bytes for each connection at first, less when there are more. *)
let few = 4_096
let[@inline] with_port t port = Int32.to_int (Bytes.get_int32_ne t.by_port (4 * port))

let count t (c : Tcb.t) n =
  if Bytes.length t.by_port > 0 then
    let port = c.local_port in
    Bytes.set_int32_ne t.by_port (4 * port) (Int32.of_int (with_port t port + n))

let iter f t = Array.iter (List.iter (Option.iter f)) t.buckets

let count_ports t =
  t.by_port <- Bytes.make (4 * 65_536) (Char.chr 0);
  iter (fun c -> count t c 1) t

let add t c =
  if t.length = few && Bytes.length t.by_port = 0 then count_ports t;
  count t c 1;
  if t.length >= Array.length t.buckets then grow t;
  insert t (Some c);
  t.length <- t.length + 1

let may_have_port t port = Bytes.length t.by_port = 0 || with_port t port > 0

let remove t c =
  let i = bucket_of t c in
  let entries = t.buckets.(i) in
  let rest = List.filter (function Some x -> x != c | None -> false) entries in
  if List.compare_lengths rest entries <> 0 then (
    t.buckets.(i) <- rest;
    count t c (-1);
    t.length <- t.length - 1)
