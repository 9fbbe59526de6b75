open Weir_wire

type record = string * int * Dns.data

let name = Domain_name.of_string_exn
let a n ip : record = (n, 60, A (Ipaddr.V4.of_string_exn ip))
let aaaa n ip : record = (n, 60, AAAA (Ipaddr.V6.of_string_exn ip))
let record (n, ttl, data) : Dns.record = { name = name n; class_ = Dns.in_; ttl; data }

let rec follow_from zone kind n links =
  let own = List.filter (fun (r : Dns.record) -> Domain_name.equal r.name n) zone in
  match List.filter (fun (r : Dns.record) -> Dns.kind r.data = kind) own with
  | _ :: _ as found -> (found, true)
  | [] -> (
      let alias (r : Dns.record) = match r.data with CNAME t -> Some (r, t) | _ -> None in
      match List.find_map alias own with
      | Some (r, target) when links < 50 ->
          let rest, exists = follow_from zone kind target (links + 1) in
          (r :: rest, exists)
      | _ -> ([], own <> []))

let follow zone kind n = follow_from (List.map record zone) kind n 0

let soa =
  let n = name "example" in
  let soa : Dns.soa =
    { server = n; mailbox = n; serial = 1; refresh = 1; retry = 1; expire = 1; minimum = 30 }
  in
  { Dns.name = n; class_ = Dns.in_; ttl = 30; data = SOA soa }

let reply (query : Dns.t) : Dns.t =
  { query with response = true; recursion_available = true; rcode = Dns.no_error }

let whole zone (query : Dns.t) =
  match query.questions with
  | [ { name = n; kind; _ } ] ->
      let answers, exists = follow zone kind n in
      let complete = List.exists (fun (r : Dns.record) -> Dns.kind r.data = kind) answers in
      {
        (reply query) with
        answers;
        authority = (if complete then [] else [ soa ]);
        rcode = (if exists then Dns.no_error else Dns.name_error);
      }
  | _ -> { (reply query) with rcode = Dns.format_error }

let allowed query = match Dns.edns query with Some (size, _) -> Int.max 512 size | None -> 512

let answer ?payload zone query =
  let m = whole zone query in
  let most = match payload with Some n -> n | None -> allowed query in
  if String.length (Dns.emit m) <= most then m
  else { m with truncated = true; answers = []; authority = [] }

let decode s = Dns.decode (Bytes.unsafe_of_string s) ~off:0 ~len:(String.length s)

(* A slow answer does not delay those to other questions. *)
let udp_loop ~sw socket handler =
  let buffer = Cstruct.create 65_536 in
  let rec go () =
    let from, n = Eio.Net.recv socket buffer in
    (match decode (Cstruct.to_string buffer ~len:n) with
    | Ok query when not query.response ->
        let send m = Eio.Net.send socket ~dst:from [ Cstruct.of_string (Dns.emit m) ] in
        (* Who asked may be gone, and the way to it too. *)
        let answer () = List.iter (fun m -> try send m with Eio.Io _ -> ()) (handler query) in
        Eio.Fiber.fork ~sw answer
    | Ok _ | Error _ -> ());
    go ()
  in
  go ()

let with_length m =
  let b = Bytes.create 2 in
  Bytes.set_uint16_be b 0 (String.length m);
  Bytes.to_string b ^ m

let session handler flow =
  let reader = Eio.Buf_read.of_flow flow ~max_size:70_000 in
  let rec go () =
    let n = Eio.Buf_read.BE.uint16 reader in
    (match decode (Eio.Buf_read.take n reader) with
    | Ok query ->
        List.iter (fun m -> Eio.Flow.copy_string (with_length (Dns.emit m)) flow) (handler query)
    | Error _ -> ());
    go ()
  in
  try go () with End_of_file | Eio.Io _ -> ()

let serve ~sw ~net ?address ?udp ?tcp zone =
  let any =
    match address with
    | None -> Eio.Net.Ipaddr.V6.any
    | Some a -> Eio.Net.Ipaddr.of_raw (Ipaddr.to_octets (Ipaddr.of_string_exn a))
  in
  let default payload query = [ answer ?payload zone query ] in
  let udp = Option.value udp ~default:(default None) in
  let tcp = Option.value tcp ~default:(default (Some 65_535)) in
  let socket = Eio.Net.datagram_socket ~sw net (`Udp (any, 53)) in
  let listener = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 net (`Tcp (any, 53)) in
  Eio.Fiber.fork_daemon ~sw (fun () -> Eio.Switch.run (fun sw -> udp_loop ~sw socket udp));
  Eio.Fiber.fork_daemon ~sw (fun () ->
      Eio.Net.run_server listener ~on_error:ignore (fun flow _ -> session tcp flow))
