(* A small DHCP server: an ordinary Eio program for any network. *)

open Weir_wire
module Options = Dhcpv4_options

type t = {
  address : Ip.t;
  prefix_length : int;
  seconds : int;  (** of a lease *)
  mutable pool : Ip.t list;
  mutable options : (int * string) list;  (** beside address and times *)
  given : (Mac.t, Ip.t) Hashtbl.t;
  mutable declined : Ip.t list;
  mutable heard : string list;  (** kinds of messages, the last first *)
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

let names = [| "?"; "discover"; "offer"; "request"; "decline"; "ack"; "nak"; "release"; "inform" |]
let kind_name k = names.(Dhcpv4.number_of_kind k)
let count t name = List.length (List.filter (( = ) name) t.heard)
let is_taken t a = Hashtbl.fold (fun _ b taken -> taken || Ip.equal a b) t.given false

let free t =
  List.find_opt (fun a -> not (is_taken t a || List.exists (Ip.equal a) t.declined)) t.pool

let in_pool t a = List.exists (Ip.equal a) t.pool

(* The client's own as long as it is in the pool. *)
let choose t mac =
  match Hashtbl.find_opt t.given mac with
  | Some a when in_pool t a -> Some a
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
    options = (Options.server_identifier, Options.of_address t.address) :: options;
  }

let lease t m kind ~yiaddr =
  let seconds code n = (code, Options.of_number n ~bytes:4) in
  reply t m kind ~yiaddr
    ~options:
      (seconds Options.lease_time t.seconds
      :: (Options.subnet_mask, Options.of_prefix_length t.prefix_length)
      :: t.options)

let nak t m = Some (reply t m Nak ~yiaddr:Ip.any ~options:[])

let request t (m : Dhcpv4.t) =
  let asked code = Option.bind (Dhcpv4.option m code) Options.address in
  let wanted = match asked Options.requested_address with Some a -> a | None -> m.ciaddr in
  match asked Options.server_identifier with
  | Some s when not (Ip.equal s t.address) ->
      Hashtbl.remove t.given m.chaddr;
      None
  | _ -> (
      match Hashtbl.find_opt t.given m.chaddr with
      | Some a when Ip.equal a wanted && in_pool t a -> Some (lease t m Ack ~yiaddr:a)
      | _ -> nak t m)

let answer t (m : Dhcpv4.t) =
  t.heard <- kind_name m.kind :: t.heard;
  match m.kind with
  | Discover -> Option.map (fun a -> lease t m Offer ~yiaddr:a) (choose t m.chaddr)
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
    Eio.Net.send socket ~dst:(at Dhcpv4.client_port dst) [ Cstruct.of_bytes b ]
  in
  let rec loop () =
    let _, n = Eio.Net.recv socket buffer in
    (match Dhcpv4.decode (Cstruct.to_bytes (Cstruct.sub buffer 0 n)) ~off:0 ~len:n with
    | Ok m when not m.reply -> Option.iter send (answer t m)
    | _ -> ());
    loop ()
  in
  loop ()
