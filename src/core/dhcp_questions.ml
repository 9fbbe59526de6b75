open Weir_wire
module Options = Dhcpv4_options

type who = { mac : Mac.t; identifier : string; host_name : string option; mtu : int }

let hardware mac =
  let b = Bytes.make 7 '\001' in
  Mac.set b 1 mac;
  Bytes.to_string b

let who (c : Dhcp_config.t) ~mac ~mtu =
  let identifier = Option.value c.identifier ~default:(hardware mac) in
  { mac; identifier; host_name = c.host_name; mtu }

let parameters =
  Options.
    [
      subnet_mask;
      classless_routes;
      routers;
      name_servers;
      host_name;
      domain_name;
      interface_mtu;
      renewal_time;
      rebinding_time;
      domain_search;
    ]

let codes l = String.concat "" (List.map (fun c -> String.make 1 (Char.chr c)) l)

(* With the IP and UDP headers a reply has at most the MTU (§2). *)
let longest who = Int.max 576 (who.mtu - 28)
let identifier who = (Options.client_identifier, who.identifier)

let common who =
  let name = match who.host_name with Some n -> [ (Options.host_name, n) ] | None -> [] in
  (identifier who :: name)
  @ [
      (Options.longest_message, Options.of_number (longest who) ~bytes:2);
      (Options.parameter_list, codes parameters);
    ]

let requested a = (Options.requested_address, Options.of_address a)
let server (l : Dhcp_lease.t) = (Options.server_identifier, Options.of_address (Ip.of_v4 l.server))

let message who (kind : Dhcpv4.kind) ~xid ~secs ~src options =
  {
    Dhcpv4.base with
    kind;
    xid;
    secs;
    (* There is no address yet to which a reply could be sent. *)
    broadcast = Ip.is_any src && kind <> Decline;
    ciaddr = src;
    chaddr = who.mac;
    options;
  }
