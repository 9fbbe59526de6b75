open Weir_wire
module Options = Dhcpv4_options

type t = {
  address : Ipaddr.V4.t;
  prefix_length : int;
  seconds : int;
  mutable pool : Ipaddr.V4.t list;
  mutable options : (int * string) list;
  given : (Mac.t, Ipaddr.V4.t) Hashtbl.t;
  mutable declined : Ipaddr.V4.t list;
  mutable heard : string list;
}

let create ?(prefix_length = 24) ?(seconds = 600) ?(options = []) ~address pool =
  {
    address;
    prefix_length;
    seconds;
    pool;
    options;
    given = Hashtbl.create 8;
    declined = [];
    heard = [];
  }

let kind_name : Dhcpv4.kind -> string = function
  | Discover -> "discover"
  | Offer -> "offer"
  | Request -> "request"
  | Decline -> "decline"
  | Ack -> "ack"
  | Nak -> "nak"
  | Release -> "release"
  | Inform -> "inform"

let count t name = List.length (List.filter (( = ) name) t.heard)
let equal a b = Ipaddr.V4.compare a b = 0
let holds l a = List.exists (equal a) l
let is_taken t a = Hashtbl.fold (fun _ b taken -> taken || equal a b) t.given false
let free t = List.find_opt (fun a -> not (is_taken t a || holds t.declined a)) t.pool

let choose t mac =
  match Hashtbl.find_opt t.given mac with
  | Some a when holds t.pool a -> Some a
  | _ ->
      let a = free t in
      Option.iter (Hashtbl.replace t.given mac) a;
      a

let reply t (m : Dhcpv4.t) kind ~yiaddr ~options : Dhcpv4.t =
  {
    Dhcpv4.base with
    reply = true;
    kind;
    xid = m.xid;
    broadcast = m.broadcast;
    ciaddr = m.ciaddr;
    yiaddr;
    chaddr = m.chaddr;
    options = (Options.server_identifier, Options.of_address (Ip.of_v4 t.address)) :: options;
  }

let lease t m kind a =
  let seconds code n = (code, Options.of_number n ~bytes:4) in
  reply t m kind ~yiaddr:(Ip.of_v4 a)
    ~options:
      (seconds Options.lease_time t.seconds
      :: (Options.subnet_mask, Options.of_prefix_length t.prefix_length)
      :: t.options)

let nak t m = Some (reply t m Nak ~yiaddr:Ip.any ~options:[])
let is_here t a = Ipaddr.V4.Prefix.mem a (Ipaddr.V4.Prefix.make t.prefix_length t.address)

(* RFC 2131 §4.3.2: of a client that it does not know, a server refuses only what cannot be right. *)
let request t (m : Dhcpv4.t) =
  let asked code = Option.bind (Dhcpv4.option m code) Options.address in
  let wanted = Option.value (asked Options.requested_address) ~default:m.ciaddr in
  let wanted = Ip.to_v4 wanted in
  match (asked Options.server_identifier, Hashtbl.find_opt t.given m.chaddr) with
  | Some s, _ when not (equal (Ip.to_v4 s) t.address) ->
      Hashtbl.remove t.given m.chaddr;
      None
  | _, Some a when equal a wanted && holds t.pool a -> Some (lease t m Ack a)
  | None, None when is_here t wanted -> None
  | _ -> nak t m

let answer t (m : Dhcpv4.t) =
  t.heard <- kind_name m.kind :: t.heard;
  match m.kind with
  | Discover -> Option.map (lease t m Offer) (choose t m.chaddr)
  | Request -> request t m
  | Decline ->
      Option.iter (fun a -> t.declined <- a :: t.declined) (Hashtbl.find_opt t.given m.chaddr);
      Hashtbl.remove t.given m.chaddr;
      None
  | Release ->
      Hashtbl.remove t.given m.chaddr;
      None
  | Inform | Offer | Ack | Nak -> None

let serve t ~net =
  Eio.Switch.run @@ fun sw ->
  let at port ip = `Udp (Eio.Net.Ipaddr.of_raw (Ipaddr.V4.to_octets (Ip.to_v4 ip)), port) in
  let socket = Eio.Net.datagram_socket ~sw net (at Dhcpv4.server_port Ip.any) in
  Eio.Net.setsockopt socket Eio.Net.Sockopt.SO_BROADCAST true;
  let buffer = Cstruct.create 1_500 in
  let send (m : Dhcpv4.t) =
    let to_client = m.kind <> Nak && not (Ip.is_any m.ciaddr) in
    let dst = if to_client then m.ciaddr else Ip.broadcast in
    let b = Bytes.create (Dhcpv4.length m) in
    Dhcpv4.emit m b ~off:0;
    (* The client is asked again if there is no room or no route for the answer. *)
    try Eio.Net.send socket ~dst:(at Dhcpv4.client_port dst) [ Cstruct.of_bytes b ]
    with Eio.Io _ -> ()
  in
  let rec loop () =
    let _, n = Eio.Net.recv socket buffer in
    (match Dhcpv4.decode (Cstruct.to_bytes (Cstruct.sub buffer 0 n)) ~off:0 ~len:n with
    | Ok m when not m.reply -> Option.iter send (answer t m)
    | _ -> ());
    loop ()
  in
  loop ()
