module G = Weir_gateway

(* A summary is by destination, so that its size is bounded by where the program went. *)
type row = { mutable count : int; mutable failed : int; mutable sent : int; mutable received : int }

type t = {
  log : [ `None | `Text | `Json ];
  rows : (G.protocol * Ipaddr.t * int, row) Hashtbl.t;
  open_ : (int, G.record) Hashtbl.t;  (** TCP connections, by number *)
}

let most_rows = 10_000
let make ~log = { log; rows = Hashtbl.create 16; open_ = Hashtbl.create 16 }
let protocol = function G.Tcp -> "TCP" | Udp -> "UDP" | Icmp -> "ICMP"

let place (address, port) =
  match address with
  | Ipaddr.V4 a -> Fmt.str "%a:%d" Ipaddr.V4.pp a port
  | V6 a -> Fmt.str "[%a]:%d" Ipaddr.V6.pp a port

let seconds ns = Int64.to_float ns /. 1e9
let ending (r : G.record) = Option.fold r.ending ~none:"" ~some:(Fmt.str "%a" G.pp_ending)

let text (r : G.record) =
  Fmt.epr "weir: %s %s: %s, %d bytes out, %d in, %.3f s@." (protocol r.protocol)
    (place r.destination) (ending r) r.sent r.received
    (seconds (Int64.sub r.ended_ns r.began_ns))

let json (r : G.record) =
  let address (a, port) =
    `Assoc [ ("address", `String (Ipaddr.to_string a)); ("port", `Int port) ]
  in
  `Assoc
    [
      ("number", `Int r.number);
      ("protocol", `String (String.lowercase_ascii (protocol r.protocol)));
      ("source", address r.source);
      ("destination", address r.destination);
      ("began_ns", `Int (Int64.to_int r.began_ns));
      ("connected_ns", if r.connected_ns < 0L then `Null else `Int (Int64.to_int r.connected_ns));
      ("ended_ns", `Int (Int64.to_int r.ended_ns));
      ("bytes_out", `Int r.sent);
      ("bytes_in", `Int r.received);
      ("ended", `String (ending r));
    ]
  |> Yojson.Safe.to_string |> Fmt.epr "%s@."

let row t (r : G.record) =
  let key = (r.protocol, fst r.destination, snd r.destination) in
  match Hashtbl.find_opt t.rows key with
  | Some row -> Some row
  | None when Hashtbl.length t.rows >= most_rows -> None
  | None ->
      let row = { count = 0; failed = 0; sent = 0; received = 0 } in
      Hashtbl.add t.rows key row;
      Some row

let began t (r : G.record) = if r.protocol = Tcp then Hashtbl.replace t.open_ r.number r

(* Over a connection that does not stand yet, nothing can have been sent. *)
let is_sent (r : G.record) = r.client_closed || r.connected_ns < 0L
let all_sent t = Hashtbl.fold (fun _ r all -> all && is_sent r) t.open_ true

let ended t (r : G.record) =
  Hashtbl.remove t.open_ r.number;
  (match t.log with `None -> () | `Text -> text r | `Json -> json r);
  Option.iter
    (fun row ->
      row.count <- row.count + 1;
      if r.ending <> Some G.Closed then row.failed <- row.failed + 1;
      row.sent <- row.sent + r.sent;
      row.received <- row.received + r.received)
    (row t r)

let summary t =
  let rows =
    Hashtbl.fold (fun key row all -> (key, row) :: all) t.rows []
    |> List.sort (fun (a, _) (b, _) -> Stdlib.compare a b)
    |> List.map (fun ((p, a, port), row) ->
        [
          protocol p;
          place (a, port);
          string_of_int row.count;
          string_of_int row.failed;
          string_of_int row.sent;
          string_of_int row.received;
        ])
  in
  let columns =
    Table.
      [
        ("", Left);
        ("to", Left);
        ("ended", Right);
        ("failed", Right);
        ("bytes out", Right);
        ("bytes in", Right);
      ]
  in
  List.iter (Fmt.epr "%s@.") (Table.lines columns rows)
