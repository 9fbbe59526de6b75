open Weir_wire

type endpoint = { ip : Ip.t; port : int }

type stream = {
  number : int;
  client : endpoint;
  server : endpoint;
  mutable client_base : int;
  mutable server_base : int;
}

type seen = { stream : stream; from_client : bool }

(* Two generations bound the memory. A full young generation becomes the old one;
   streams of the old one are forgotten unless they are seen again. *)
type t = {
  half : int;
  mutable young : (string, stream) Hashtbl.t;
  mutable old : (string, stream) Hashtbl.t;
  mutable next_number : int;
}

(* Random, so that a sender of packets cannot cause collisions. *)
let table () = Hashtbl.create ~random:true 64

let create ?(most = 65_536) () =
  if most < 2 then invalid_arg "Conversations.create: most is below 2";
  { half = most / 2; young = table (); old = table (); next_number = 0 }

let streams t = t.next_number
let low n = n land 0xffff_ffff
let same a b = a.port = b.port && Ip.equal a.ip b.ip

let endpoint_key e =
  let n = Ip.length e.ip in
  let b = Bytes.create (n + 2) in
  Bytes.blit_string (e.ip :> string) 0 b 0 n;
  Bytes.set_uint16_be b n e.port;
  Bytes.unsafe_to_string b

(* The same for both directions. *)
let key a b =
  let a = endpoint_key a and b = endpoint_key b in
  if String.compare a b <= 0 then a ^ b else b ^ a

let add t key stream =
  if Hashtbl.length t.young >= t.half && not (Hashtbl.mem t.young key) then (
    t.old <- t.young;
    t.young <- table ());
  Hashtbl.replace t.young key stream

let find t key =
  match Hashtbl.find_opt t.young key with
  | Some _ as found -> found
  | None ->
      let found = Hashtbl.find_opt t.old key in
      Option.iter (add t key) found;
      found

let start t key ~source ~destination (tcp : Tcp.t) =
  let server_sends = tcp.syn && tcp.ack >= 0 in
  let client, server = if server_sends then (destination, source) else (source, destination) in
  let stream = { number = t.next_number; client; server; client_base = -1; server_base = -1 } in
  t.next_number <- t.next_number + 1;
  add t key stream;
  stream

(* -- initial sequence numbers -------------------------------------------- *)

let base s ~from_client = if from_client then s.client_base else s.server_base

let set_base s ~from_client n =
  if from_client then s.client_base <- low n else s.server_base <- low n

(* A SYN takes one sequence number, so data begin at 1, even if no SYN was seen. The acknowledgement
   gives the other side's number before its first packet. *)
let learn s ~from_client (tcp : Tcp.t) =
  if tcp.syn then set_base s ~from_client tcp.seq
  else if base s ~from_client < 0 then set_base s ~from_client (tcp.seq - 1);
  if tcp.ack >= 0 && base s ~from_client:(not from_client) < 0 then
    set_base s ~from_client:(not from_client) (tcp.ack - 1)

let endpoints (src, dst) ~src_port ~dst_port =
  ({ ip = src; port = src_port }, { ip = dst; port = dst_port })

let see_tcp t ends (tcp : Tcp.t) =
  let source, destination = endpoints ends ~src_port:tcp.src_port ~dst_port:tcp.dst_port in
  let key = key source destination in
  let start () = start t key ~source ~destination tcp in
  let stream =
    match find t key with
    | None -> start ()
    | Some s ->
        let base = base s ~from_client:(same source s.client) in
        if tcp.syn && tcp.ack < 0 && base >= 0 && base <> tcp.seq then start () else s
  in
  let from_client = same source stream.client in
  learn stream ~from_client tcp;
  { stream; from_client }

let see t (layers : Layers.t) =
  match (layers.transport, Layers.addresses layers) with
  | Tcp tcp, Some ends -> Some (see_tcp t ends tcp)
  | _ -> None

(* -- relative numbers ---------------------------------------------------- *)

let relative_tcp { stream; from_client } (tcp : Tcp.t) =
  let own = base stream ~from_client and other = base stream ~from_client:(not from_client) in
  let acknowledged n = if other < 0 then n else low (n - other) in
  {
    tcp with
    seq = low (tcp.seq - own);
    ack = (if tcp.ack < 0 then tcp.ack else acknowledged tcp.ack);
    sacks = List.map (fun (left, right) -> (acknowledged left, acknowledged right)) tcp.sacks;
  }

let relative_quote t (quote : Layers.quote) =
  match quote.ports with
  | Some (src_port, dst_port) when quote.seq >= 0 -> (
      let source, destination = endpoints (quote.src, quote.dst) ~src_port ~dst_port in
      match find t (key source destination) with
      | Some s when base s ~from_client:(same source s.client) >= 0 ->
          let base = base s ~from_client:(same source s.client) in
          { quote with seq = low (quote.seq - base) }
      | _ -> quote)
  | _ -> quote

let relative t (layers : Layers.t) =
  match (layers.transport, Layers.addresses layers) with
  | Tcp tcp, Some ends -> { layers with transport = Tcp (relative_tcp (see_tcp t ends tcp) tcp) }
  | Icmp (icmp, Some (Ok quote)), _ ->
      { layers with transport = Icmp (icmp, Some (Ok (relative_quote t quote))) }
  | Icmpv6 (icmp, Some (Ok quote)), _ ->
      { layers with transport = Icmpv6 (icmp, Some (Ok (relative_quote t quote))) }
  | _ -> layers
