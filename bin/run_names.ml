open Weir_wire
module G = Weir_gateway

(* -- the table ------------------------------------------------------------------- *)

type entry = string * Ipaddr.t

let lower = String.lowercase_ascii

let without_dot s =
  let n = String.length s in
  if n > 1 && s.[n - 1] = '.' then String.sub s 0 (n - 1) else s

let words line =
  String.map (function '\t' | '\r' -> ' ' | c -> c) line
  |> String.split_on_char ' '
  |> List.filter (( <> ) "")

let is_name s = Result.is_ok (Domain_name.of_string s)

(* A line of hosts(5): an address and its names. *)
let of_line path number line =
  let line = List.hd (String.split_on_char '#' line) in
  match words line with
  | [] -> []
  | address :: names -> (
      match Ipaddr.of_string address with
      | Ok a when names <> [] && List.for_all is_name names ->
          List.map (fun n -> (lower (without_dot n), a)) names
      | _ ->
          Fail.usage "--hosts: %s, line %d: give an address and names, as in /etc/hosts" path number
      )

let of_file path =
  match In_channel.with_open_text path In_channel.input_all with
  | text -> List.concat (List.mapi (fun i -> of_line path (i + 1)) (String.split_on_char '\n' text))
  | exception Sys_error why -> Fail.usage "--hosts: %s" why

let of_option s =
  match String.index_opt s '=' with
  | None -> of_file s
  | Some i -> (
      let name = String.sub s 0 i in
      let address = String.sub s (i + 1) (String.length s - i - 1) in
      match Ipaddr.of_string address with
      | Ok a when is_name name -> [ (lower (without_dot name), a) ]
      | _ -> Fail.usage "--hosts %s: give NAME=ADDRESS, or a file like /etc/hosts" s)

(* -- answers ---------------------------------------------------------------------- *)

type t = {
  table : unit -> entry list;
  servers : Ipaddr.t list;
  clock : Eio.Time.Mono.ty Eio.Resource.t;
  fails : Dns.t -> [ `Servfail | `Nxdomain | `Timeout ] option;
  heard : string -> Ipaddr.t list -> unit;
}

let string_of name = lower (Domain_name.to_string name)
let ttl = 1

let reverse a =
  match Domain_name.of_string (Ipaddr.to_domain_name a |> Domain_name.to_string) with
  | Ok n -> lower (Domain_name.to_string n)
  | Error _ -> ""

(* What the table says of the question; [None] if it has no such name. *)
let known table (q : Dns.question) : Dns.data list option =
  let asked = string_of q.name in
  match (List.filter (fun (n, _) -> n = asked) table, q.kind) with
  | (_ :: _ as found), kind ->
      Some
        (List.filter_map
           (fun (_, a) ->
             match (a, kind) with
             | Ipaddr.V4 a, (Dns.Kind.A | Other 255) -> Some (Dns.A a)
             | V6 a, (AAAA | Other 255) -> Some (AAAA a)
             | _ -> None)
           found)
  | [], PTR -> (
      match List.find_opt (fun (_, a) -> reverse a = asked) table with
      | Some (name, _) -> Some [ PTR (Domain_name.of_string_exn name) ]
      | None -> None)
  | [], _ -> None

let answer (query : Dns.t) ~rcode ~authoritative data : Dns.t =
  let records =
    match query.questions with
    | [ q ] -> List.map (fun data -> { Dns.name = q.name; class_ = Dns.in_; ttl; data }) data
    | _ -> []
  in
  {
    query with
    response = true;
    authoritative;
    recursion_available = true;
    rcode;
    answers = records;
    authority = [];
    additional = [];
  }

let bytes (m : Dns.t) = Bytes.of_string (Dns.emit m)

(* Over UDP a client that has not asked for more takes 512 bytes (RFC 1035 §4.2.1). *)
let fitting (query : Dns.t) ~stream m =
  let most = match Dns.edns query with Some (n, _) -> Int.max 512 n | None -> 512 in
  let b = bytes m in
  if stream || Bytes.length b <= most then b else bytes { m with truncated = true; answers = [] }

let told t (query : Dns.t) reply =
  match (query.questions, Dns.decode reply ~off:0 ~len:(Bytes.length reply)) with
  | [ q ], Ok m ->
      let addresses =
        List.filter_map
          (fun (r : Dns.record) ->
            match r.data with A a -> Some (Ipaddr.V4 a) | AAAA a -> Some (Ipaddr.V6 a) | _ -> None)
          m.answers
      in
      if addresses <> [] then t.heard (string_of q.name) addresses
  | _ -> ()

let span n = Mtime.Span.of_uint64_ns (Int64.of_int (n * 1_000_000_000))
let patience = 3

(* Each server in turn, as resolv.conf(5) has it. *)
let rec ask_servers t query = function
  | [] -> None
  | server :: rest -> (
      let attempt () =
        Eio.Switch.run @@ fun sw ->
        let { G.Outside.send; receive } = G.Outside.datagrams ~sw (server, 53) in
        send query;
        let rec reply () =
          let b = receive () in
          if Bytes.length b >= 2 && Bytes.get_uint16_be b 0 = Bytes.get_uint16_be query 0 then b
          else reply ()
        in
        Ok (reply ())
      in
      match Eio.Time.Timeout.(run (v t.clock (span patience)) attempt) with
      | Ok reply -> Some reply
      | Error `Timeout | (exception Eio.Io _) -> ask_servers t query rest)

let by_table t ~stream query =
  match query with
  | { Dns.response = false; opcode = 0; questions = [ ({ class_; _ } as q) ]; _ }
    when class_ = Dns.in_ ->
      known (t.table ()) q
      |> Option.map (fun data ->
          fitting query ~stream (answer query ~rcode:Dns.no_error ~authoritative:true data))
  | _ -> None

(* [ask query] is what the user's servers say. *)
let reply t query ~stream ~ask =
  match t.fails query with
  | Some `Timeout -> None
  | Some ((`Servfail | `Nxdomain) as how) -> Some (Bytes.of_string (Run_asked.failure query how))
  | None ->
      let answers =
        match by_table t ~stream query with
        | Some r -> r
        | None ->
            Option.value (ask ())
              ~default:(bytes (answer query ~rcode:Dns.server_failure ~authoritative:false []))
      in
      told t query answers;
      Some answers

let on_datagram t b =
  match Dns.decode b ~off:0 ~len:(Bytes.length b) with
  | Error _ -> None
  | Ok query -> reply t query ~stream:false ~ask:(fun () -> ask_servers t b t.servers)

(* RFC 1035 §4.2.2: messages with their lengths in front. *)
let read_message flow =
  let head = Cstruct.create 2 in
  Eio.Flow.read_exact flow head;
  let body = Cstruct.create (Cstruct.BE.get_uint16 head 0) in
  Eio.Flow.read_exact flow body;
  Cstruct.to_bytes body

let write_message flow b =
  let head = Cstruct.create 2 in
  Cstruct.BE.set_uint16 head 0 (Bytes.length b);
  Eio.Flow.write flow [ head; Cstruct.of_bytes b ]

let rec ask_by_stream ~net b = function
  | [] -> None
  | server :: rest -> (
      let attempt () =
        Eio.Switch.run @@ fun sw ->
        let address = Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets server) in
        let flow = Eio.Net.connect ~sw net (`Tcp (address, 53)) in
        write_message flow b;
        read_message flow
      in
      match attempt () with
      | reply -> Some reply
      | exception (Eio.Io _ | End_of_file) -> ask_by_stream ~net b rest)

let rec on_stream t ~net flow =
  match read_message flow with
  | exception End_of_file -> ()
  | b ->
      (match Dns.decode b ~off:0 ~len:(Bytes.length b) with
      | Error _ -> raise End_of_file
      | Ok query ->
          reply t query ~stream:true ~ask:(fun () -> ask_by_stream ~net b t.servers)
          |> Option.iter (write_message flow));
      on_stream t ~net flow

let service t ~net : G.Decision.service = { stream = on_stream t ~net; datagram = on_datagram t }
