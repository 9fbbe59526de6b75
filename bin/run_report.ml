module Record = Weir_gateway.Record
module Lane = Weir_link.Lane

(* -- a connection ------------------------------------------------------------------ *)

type fates = {
  mutable lost : int;
  mutable cut : int;
  mutable full : int;
  mutable changed : int;
  mutable late : int;
  mutable twice : int;
}

type connection = {
  r : Record.t;
  incoming : bool;
  name : string option;  (** of the other side *)
  out : fates;
  in_ : fates;
  mutable fault : Run_change.kind option;
}

(* A summary is by destination, so that its size is bounded by where the program went. *)
type row = {
  row_name : string option;
  mutable count : int;
  mutable failed : int;
  mutable sent : int;
  mutable received : int;
  mutable again : int;
  mutable impaired : int;
}

type t = {
  log : [ `None | `Text | `Json ];
  keep : bool;
  names : Ipaddr.t -> string option;
  own : Ipaddr.t list;
  rows : (Record.protocol * Ipaddr.t * int, row) Hashtbl.t;
  open_ : (int, connection) Hashtbl.t;  (** by number *)
  by_packet : (Run_packet.key, connection) Hashtbl.t;
  mutable kept : connection list;  (** the latest first *)
  mutable kept_count : int;
  mutable opened : int;
  mutable closed_failed : int;
  mutable closed_sent : int;
  mutable closed_received : int;
  mutable harmed : int;  (** packets *)
}

let most_rows = 10_000
let most_kept = 10_000

let make ~log ~keep ~names ~own =
  {
    log;
    keep;
    names;
    own;
    rows = Hashtbl.create 16;
    open_ = Hashtbl.create 16;
    by_packet = Hashtbl.create 16;
    kept = [];
    kept_count = 0;
    opened = 0;
    closed_failed = 0;
    closed_sent = 0;
    closed_received = 0;
    harmed = 0;
  }

let fates () = { lost = 0; cut = 0; full = 0; changed = 0; late = 0; twice = 0 }

let is_incoming t (r : Record.t) =
  List.exists (fun a -> Ipaddr.compare a (fst r.destination) = 0) t.own

(* Who comes to the program is the source. *)
let ends t (r : Record.t) =
  if is_incoming t r then (r.destination, r.source) else (r.source, r.destination)

let key t (r : Record.t) : Run_packet.key =
  let own, (address, port) = ends t r in
  (r.protocol = Udp, snd own, address, port)

let connection t (r : Record.t) =
  {
    r;
    incoming = is_incoming t r;
    name = t.names (fst (snd (ends t r)));
    out = fates ();
    in_ = fates ();
    fault = None;
  }

let began t (r : Record.t) =
  let c = connection t r in
  t.opened <- t.opened + 1;
  Hashtbl.replace t.open_ r.number c;
  if r.protocol <> Icmp then Hashtbl.replace t.by_packet (key t r) c;
  if t.keep && t.kept_count < most_kept then (
    t.kept <- c :: t.kept;
    t.kept_count <- t.kept_count + 1)

let set_fault t (r : Record.t) kind =
  Option.iter (fun c -> c.fault <- Some kind) (Hashtbl.find_opt t.open_ r.number)

let count f (fate : Lane.fate) =
  match f with
  | None -> ()
  | Some f -> (
      match fate with
      | Sent -> ()
      | Lost -> f.lost <- f.lost + 1
      | No_room -> f.full <- f.full + 1
      | Cut -> f.cut <- f.cut + 1
      | Twice -> f.twice <- f.twice + 1
      | Corrupted | Truncated -> f.changed <- f.changed + 1
      | Late -> f.late <- f.late + 1)

let packet t (p : Run_packet.t) fate =
  if fate <> Lane.Sent then (
    (match fate with
    | Lane.Lost | No_room | Cut | Corrupted | Truncated -> t.harmed <- t.harmed + 1
    | Sent | Twice | Late -> ());
    Hashtbl.find_opt t.by_packet (Run_packet.key p)
    |> Option.iter (fun c -> count (Some (match p.way with Out -> c.out | In -> c.in_)) fate))

(* Over a connection that does not stand yet, nothing can have been sent. *)
let is_sent { r; _ } = r.protocol <> Record.Tcp || r.client_closed || r.connected_ns < 0L

let all_sent t ~there =
  Hashtbl.fold
    (fun _ c all -> all && (is_sent c || not (there (fst (snd (ends t c.r))))))
    t.open_ true

(* -- in words ------------------------------------------------------------------------ *)

let protocol = function Record.Tcp -> "TCP" | Udp -> "UDP" | Icmp -> "ICMP"

let place (address, port) =
  match address with
  | _ when port = 0 -> Ipaddr.to_string address
  | Ipaddr.V4 a -> Fmt.str "%a:%d" Ipaddr.V4.pp a port
  | V6 a -> Fmt.str "[%a]:%d" Ipaddr.V6.pp a port

let seconds ns = Int64.to_float ns /. 1e9

(* Silence is how datagrams end. *)
let ending (r : Record.t) = Option.fold r.ending ~none:"open" ~some:(Fmt.str "%a" Record.pp_ending)

let has_failed (r : Record.t) =
  match r.ending with None | Some (Closed | Stopped) -> false | Some _ -> true

let number_of (r : Record.t) = Printf.sprintf "connection %d" r.number
let info c = c.r.info ()

let inner_rtt c =
  match info c with Some { client; _ } when client.rtt_ns > 0 -> Some client.rtt_ns | _ -> None

let outer c = Option.bind (info c) (fun (i : Record.info) -> i.server)

let again c =
  match info c with
  | None -> 0
  | Some { client; server } ->
      client.retransmits
      + Option.fold server ~none:0 ~some:(fun (k : Record.kernel) -> k.retransmitted)

let ms ns = Printf.sprintf "%.2f ms" (float_of_int ns /. 1e6)

let harm_of f =
  List.filter_map
    (fun (n, what) -> if n = 0 then None else Some (Printf.sprintf "%d %s" n what))
    [
      (f.lost, "lost");
      (f.cut, "cut");
      (f.full, "without room");
      (f.changed, "changed");
      (f.late, "out of order");
      (f.twice, "twice");
    ]

(* What was done to it. *)
let treatment c =
  let way name f = match harm_of f with [] -> [] | l -> [ String.concat ", " l ^ " " ^ name ] in
  way "out" c.out @ way "in" c.in_
  @ match c.fault with Some k -> [ Fmt.str "fault: %a" Run_change.pp_kind k ] | None -> []

let duration (r : Record.t) =
  if r.ended_ns < 0L then []
  else [ Printf.sprintf "%.3f s" (seconds (Int64.sub r.ended_ns r.began_ns)) ]

let bytes_out c = if c.incoming then c.r.received else c.r.sent
let bytes_in c = if c.incoming then c.r.sent else c.r.received

let title c =
  let named place =
    match c.name with Some n -> Printf.sprintf "%s (%s)" n place | None -> place
  in
  let r = c.r in
  protocol r.protocol ^ " "
  ^
  if c.incoming then
    Printf.sprintf "%s from %s" (place r.destination) (named (Ipaddr.to_string (fst r.source)))
  else named (place r.destination)

let line c =
  let r = c.r in
  let rtt =
    match (inner_rtt c, outer c) with
    | Some inside, Some k -> [ Printf.sprintf "RTT %s (outside %s)" (ms inside) (ms k.rtt_ns) ]
    | Some inside, None -> [ "RTT " ^ ms inside ]
    | None, _ -> []
  in
  let again = match again c with 0 -> [] | n -> [ Printf.sprintf "%d sent again" n ] in
  let treatment = match treatment c with [] -> [] | l -> [ String.concat ", " l ] in
  Printf.sprintf "%s: %s, %d bytes out, %d in%s" (title c) (ending r) (bytes_out c) (bytes_in c)
    (String.concat "" (List.map (( ^ ) "; ") (duration r @ rtt @ again @ treatment)))

let of_record t (r : Record.t) =
  match Hashtbl.find_opt t.open_ r.number with Some c -> c | None -> connection t r

let name t r = title (of_record t r)
let describe t r = line (of_record t r)

(* -- as JSON ---------------------------------------------------------------------------- *)

let json_of_fates f : Yojson.Safe.t =
  `Assoc
    [
      ("lost", `Int f.lost);
      ("cut", `Int f.cut);
      ("no_room", `Int f.full);
      ("changed", `Int f.changed);
      ("late", `Int f.late);
      ("twice", `Int f.twice);
    ]

let optional f = function None -> `Null | Some x -> f x
let int n = `Int n

let json c : Yojson.Safe.t =
  let r = c.r in
  let address (a, port) = `Assoc [ ("address", `String (Ipaddr.to_string a)); ("port", `Int port) ]
  and time ns = if ns < 0L then `Null else `Int (Int64.to_int ns) in
  let outer = outer c in
  `Assoc
    [
      ("number", `Int r.number);
      ("protocol", `String (String.lowercase_ascii (protocol r.protocol)));
      ("name", optional (fun s -> `String s) c.name);
      ("incoming", `Bool c.incoming);
      ("source", address r.source);
      ("destination", address r.destination);
      ("began_ns", time r.began_ns);
      ("connected_ns", time r.connected_ns);
      ("ended_ns", time r.ended_ns);
      ("bytes_out", `Int (bytes_out c));
      ("bytes_in", `Int (bytes_in c));
      ("rtt_ns", optional int (inner_rtt c));
      ("outer_rtt_ns", optional (fun (k : Record.kernel) -> `Int k.rtt_ns) outer);
      ("retransmitted", optional (fun (i : Record.info) -> `Int i.client.retransmits) (info c));
      ("outer_retransmitted", optional (fun (k : Record.kernel) -> `Int k.retransmitted) outer);
      ("packets_out", json_of_fates c.out);
      ("packets_in", json_of_fates c.in_);
      ("fault", optional (fun k -> `String (Fmt.str "%a" Run_change.pp_kind k)) c.fault);
      ("failed", `Bool (has_failed r));
      ("ended", `String (ending r));
    ]

let to_json t = `List (List.rev_map json t.kept)
let not_kept t = if t.keep then t.opened - t.kept_count else 0

(* -- the end of one ------------------------------------------------------------------------ *)

let row t c =
  let r = c.r in
  let key = (r.protocol, fst r.destination, snd r.destination) in
  match Hashtbl.find_opt t.rows key with
  | Some row -> Some row
  | None when Hashtbl.length t.rows >= most_rows -> None
  | None ->
      let row =
        {
          row_name = (if c.incoming then None else c.name);
          count = 0;
          failed = 0;
          sent = 0;
          received = 0;
          again = 0;
          impaired = 0;
        }
      in
      Hashtbl.add t.rows key row;
      Some row

let harmed f = f.lost + f.cut + f.full + f.changed

let add row c =
  row.count <- row.count + 1;
  if has_failed c.r then row.failed <- row.failed + 1;
  row.sent <- row.sent + bytes_out c;
  row.received <- row.received + bytes_in c;
  row.again <- row.again + again c;
  row.impaired <- row.impaired + harmed c.out + harmed c.in_

let tell t c =
  match t.log with
  | `None -> ()
  | `Text -> Fmt.epr "weir: %s@." (line c)
  | `Json -> Fmt.epr "%s@." (Yojson.Safe.to_string (json c))

let ended t (r : Record.t) =
  match Hashtbl.find_opt t.open_ r.number with
  | None -> ()
  | Some c ->
      Hashtbl.remove t.open_ r.number;
      (match Hashtbl.find_opt t.by_packet (key t r) with
      | Some other when other == c -> Hashtbl.remove t.by_packet (key t r)
      | _ -> ());
      if has_failed r then t.closed_failed <- t.closed_failed + 1;
      t.closed_sent <- t.closed_sent + bytes_out c;
      t.closed_received <- t.closed_received + bytes_in c;
      tell t c;
      Option.iter (fun row -> add row c) (row t c)

(* -- sums ------------------------------------------------------------------------------------ *)

type totals = { opened : int; open_now : int; failed : int; sent : int; received : int; lost : int }

let totals (t : t) =
  let sum f = Hashtbl.fold (fun _ c n -> n + f c) t.open_ 0 in
  {
    opened = t.opened;
    open_now = Hashtbl.length t.open_;
    failed = t.closed_failed;
    sent = t.closed_sent + sum bytes_out;
    received = t.closed_received + sum bytes_in;
    lost = t.harmed;
  }

let most_rtts = 200

let rtts t =
  Hashtbl.to_seq_values t.open_ |> Seq.take most_rtts |> Seq.filter_map inner_rtt |> List.of_seq

let columns =
  Table.
    [
      ("", Left);
      ("to", Left);
      ("name", Left);
      ("ended", Right);
      ("failed", Right);
      ("bytes out", Right);
      ("bytes in", Right);
      ("sent again", Right);
      ("lost", Right);
    ]

let summary t ~queues =
  let cells ((p, a, port), row) =
    [ protocol p; place (a, port); Option.value row.row_name ~default:"" ]
    @ List.map string_of_int
        [ row.count; row.failed; row.sent; row.received; row.again; row.impaired ]
  in
  let rows =
    Hashtbl.fold (fun key row all -> (key, row) :: all) t.rows []
    |> List.sort (fun (a, _) (b, _) -> Stdlib.compare a b)
    |> List.map cells
  in
  List.iter (Fmt.epr "%s@.") (Table.lines columns rows);
  List.iter
    (fun (rate, length, fullest) ->
      Fmt.epr "  %s: a queue of %d bytes, at most %d of them used@." rate length fullest)
    queues
