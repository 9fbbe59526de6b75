open Weir_base
open Weir_wire

type answer = (Dns.record list, [ `No_data | `No_name ]) result
type entry = { answer : answer; until : Time.t; bytes : int }

(* Two generations: when the young one is full it becomes the old one, and the former old one is
   dropped. What is used moves to the young one. *)
type generation = { entries : (string, entry) Hashtbl.t; mutable bytes : int }
type t = { mutable young : generation; mutable old : generation }

let most_entries = 1_024
let most_bytes = 1_048_576
let generation () = { entries = Hashtbl.create 16; bytes = 0 }
let create () = { young = generation (); old = generation () }

let clear t =
  t.young <- generation ();
  t.old <- generation ()

let length t = Hashtbl.length t.young.entries + Hashtbl.length t.old.entries
let bytes t = t.young.bytes + t.old.bytes

(* Labels may hold dots, so lengths stand before them. *)
let key name kind =
  let label s = Printf.sprintf "%d.%s" (String.length s) (String.lowercase_ascii s) in
  String.concat "" (string_of_int kind :: List.map label (Domain_name.to_strings name))

let any = 0
let key_of name (kind : Dns.Kind.t) = key name (Dns.Kind.to_int kind)

let name_bytes n =
  List.fold_left (fun n l -> n + 24 + String.length l) 16 (Domain_name.to_strings n)

let data_bytes : Dns.data -> int = function
  | A _ | AAAA _ -> 40
  | NS n | CNAME n | PTR n | MX { exchange = n; _ } | SRV { target = n; _ } -> 40 + name_bytes n
  | SOA s -> 80 + name_bytes s.server + name_bytes s.mailbox
  | TXT l -> List.fold_left (fun n s -> n + 40 + String.length s) 16 l
  | OPT l -> List.fold_left (fun n (_, s) -> n + 64 + String.length s) 16 l
  | Other (_, s) -> 40 + String.length s

let cost key answer =
  let record (r : Dns.record) = 64 + name_bytes r.name + data_bytes r.data in
  let records = Result.value answer ~default:[] in
  List.fold_left (fun n r -> n + record r) (128 + String.length key) records

let remove g key =
  match Hashtbl.find_opt g.entries key with
  | None -> ()
  | Some e ->
      Hashtbl.remove g.entries key;
      g.bytes <- g.bytes - e.bytes

let insert t key (e : entry) =
  remove t.young key;
  remove t.old key;
  if Hashtbl.length t.young.entries >= most_entries / 2 || t.young.bytes + e.bytes > most_bytes / 2
  then (
    t.old <- t.young;
    t.young <- generation ());
  Hashtbl.replace t.young.entries key e;
  t.young.bytes <- t.young.bytes + e.bytes

let find_key t ~now key =
  match Hashtbl.find_opt t.young.entries key with
  | Some e when e.until > now -> Some e
  | Some _ ->
      remove t.young key;
      None
  | None -> (
      match Hashtbl.find_opt t.old.entries key with
      | Some e when e.until > now ->
          insert t key e;
          Some e
      | Some _ ->
          remove t.old key;
          None
      | None -> None)

let left ~now e =
  let seconds = (e.until - now + Time.s 1 - 1) / Time.s 1 in
  Result.map (List.map (fun (r : Dns.record) -> { r with ttl = seconds })) e.answer

let find t ~now name kind =
  match find_key t ~now (key_of name kind) with
  | Some e -> Some (left ~now e)
  | None -> Option.map (left ~now) (find_key t ~now (key name any))

let add t ~now ~seconds name kind answer =
  let key = match answer with Error `No_name -> key name any | _ -> key_of name kind in
  let bytes = cost key answer in
  if seconds > 0 && bytes <= most_bytes / 8 then
    insert t key { answer; until = now + Time.s seconds; bytes }
