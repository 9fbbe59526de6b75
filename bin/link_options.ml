open Cmdliner
open Weir_link

type link =
  | Mem
  | Tap of string
  | Tun of string
  | Packet of string
  | Xdp of string * Weir_xdp.Xdp.mode

type t = {
  link : link;
  address : string list;
  gateway : string list;
  pcap : Recording.options;
  impair : Impairment.t;
  seed : int;
  offload : bool;
  spin_ns : int option;
  resolvers : Ipaddr.t list;
  search : string list;
  lease_file : string option;
  congestion : Weir_core.Congestion.algorithm option;
}

(* -- options ------------------------------------------------------------- *)

let xdp_modes =
  Weir_xdp.Xdp.[ ("", Best); (":zero-copy", Zero_copy); (":copy", Copy); (":generic", Generic) ]

let link_conv =
  let suffix how = String.concat "" (List.map (( ^ ) ":") how) in
  let xdp name how = Option.map (fun m -> Xdp (name, m)) (List.assoc_opt how xdp_modes) in
  let parse s =
    match String.split_on_char ':' s with
    | [ "mem" ] -> Ok Mem
    | [ "tap"; name ] when name <> "" -> Ok (Tap name)
    | [ "tun"; name ] when name <> "" -> Ok (Tun name)
    | [ "packet"; name ] when name <> "" -> Ok (Packet name)
    | "xdp" :: name :: how when name <> "" && Option.is_some (xdp name (suffix how)) ->
        Ok (Option.get (xdp name (suffix how)))
    | _ ->
        Error (Printf.sprintf "%S is none of mem, tap:NAME, tun:NAME, packet:NAME and xdp:NAME" s)
  in
  let pp f = function
    | Mem -> Fmt.string f "mem"
    | Tap n -> Fmt.pf f "tap:%s" n
    | Tun n -> Fmt.pf f "tun:%s" n
    | Packet n -> Fmt.pf f "packet:%s" n
    | Xdp (n, mode) -> Fmt.pf f "xdp:%s%s" n (fst (List.find (fun (_, m) -> m = mode) xdp_modes))
  in
  Arg.Conv.make ~docv:"LINK" ~parser:parse ~pp ()

let impair_conv = Arg.Conv.make ~docv:"WHAT" ~parser:Impairment.of_string ~pp:Impairment.pp ()
let docs = "LINK OPTIONS"

let link =
  Arg.(
    value & opt link_conv Mem
    & info [ "link" ] ~docs ~docv:"LINK"
        ~doc:
          "$(b,mem), two hosts in this process, needs no root; $(b,tap:NAME) is the TAP device \
           NAME; $(b,tun:NAME) is the TUN device NAME, which carries IP packets; $(b,packet:NAME) \
           is the network card, or end of a veth pair, NAME, beside the kernel and with a MAC \
           address of this host's own; $(b,xdp:NAME) is the same by an XDP socket, which passes \
           frames through memory shared with the kernel. After it, $(b,:zero-copy), $(b,:copy) or \
           $(b,:generic) choose how, where the driver's best is not wanted.")

let address =
  Arg.(
    value & opt_all string []
    & info [ "address" ] ~docs ~docv:"CIDR"
        ~doc:
          "This host's address, as 10.0.0.11/24 or fd00::11/64, or $(b,dhcp) to ask a DHCP server \
           on the link, or $(b,auto) to let its routers configure IPv6; on $(b,tun:) neither. \
           Needed with all but $(b,mem). Give it several times for several addresses.")

let gateway =
  Arg.(
    value & opt_all string []
    & info [ "gateway" ] ~docs ~docv:"IP"
        ~doc:"The default gateway. Give it twice for one of each family.")

let impair =
  Arg.(
    value & opt impair_conv Impairment.none
    & info [ "impair" ] ~docs ~docv:"WHAT"
        ~doc:
          "Impair the link in both directions, such as \
           $(b,loss=2%,delay=10ms,reorder=1%:5ms,rate=100mbit).")

let seed =
  Arg.(value & opt int 1 & info [ "seed" ] ~docs ~docv:"N" ~doc:"Random seed of $(b,--impair).")

let no_offload =
  Arg.(
    value & flag
    & info [ "no-offload" ] ~docs
        ~doc:
          "Do checksums and segmentation in Weir. Without this option the device or its kernel \
           does them; on $(b,mem) they are skipped. Frames then have up to 64 KB.")

let spin_conv =
  let parse s =
    match int_of_string_opt s with
    | Some us when us >= 0 && us <= 1_000_000 -> Ok (Weir_base.Time.us us)
    | _ -> Error (Printf.sprintf "%S: give microseconds, 0 to 1000000" s)
  in
  let pp f ns = Fmt.int f (ns / Weir_base.Time.us 1) in
  Arg.Conv.make ~docv:"MICROSECONDS" ~parser:parse ~pp ()

let spin =
  Arg.(
    value
    & opt (some spin_conv) None
    & info [ "spin" ] ~docs ~docv:"MICROSECONDS"
        ~doc:
          "How long to look for frames before waiting for them, while frames come as fast as that; \
           0 is never (default: 100, or 0 on a machine with one processor). It spares a client \
           that waits for each answer the time in which an idle processor wakes up.")

let lease_file =
  Arg.(
    value
    & opt (some string) None
    & info [ "lease-file" ] ~docs ~docv:"FILE"
        ~doc:
          "With $(b,--address dhcp): ask for the address in $(docv) first, keep the address and a \
           client identifier there, and do not give the address back at the end.")

let congestion_of who ~docs =
  let algorithms =
    List.map (fun a -> (Weir_core.Congestion.name a, a)) Weir_core.Config.default.congestion
  in
  Arg.(
    value
    & opt (some (enum algorithms)) None
    & info [ "congestion" ] ~docs ~docv:"NAME"
        ~doc:
          (Printf.sprintf "The congestion control of %s connections, %s (default: cubic)." who
             (Arg.doc_alts_enum algorithms)))

let congestion ~docs = congestion_of "this host's" ~docs

let configuration congestion link =
  let c = Weir_drive.Identity.config (link :> Link.t) None in
  match congestion with
  | None -> c
  | Some a -> { c with congestion = Weir_core.Congestion.prefer a c.congestion }

let config t link = configuration t.congestion link

let term =
  let make link address gateway pcap impair seed no_offload spin_ns lease_file congestion =
    {
      link;
      address;
      gateway;
      pcap;
      impair;
      seed;
      offload = not no_offload;
      spin_ns;
      resolvers = [];
      search = [];
      lease_file;
      congestion;
    }
  in
  Term.(
    const make $ link $ address $ gateway $ Recording.term ~docs $ impair $ seed $ no_offload $ spin
    $ lease_file $ congestion ~docs)

(* -- names --------------------------------------------------------------- *)

let ip_conv =
  let parse s =
    match Ipaddr.of_string s with
    | Ok a -> Ok a
    | Error _ -> Error (Printf.sprintf "%S is not an IP address" s)
  in
  Arg.Conv.make ~docv:"IP" ~parser:parse ~pp:Ipaddr.pp ()

let resolvers =
  Arg.(
    value & opt_all ip_conv []
    & info [ "resolver" ] ~docs ~docv:"IP"
        ~doc:
          "A DNS server for names, which may be given up to four times: each is asked if those \
           before it do not answer. Not with $(b,mem).")

let search =
  Arg.(
    value & opt_all string []
    & info [ "search" ] ~docs ~docv:"DOMAIN"
        ~doc:
          "A domain in which to look for names without a dot, which may be given up to six times.")

let client_term =
  let make t resolvers search = { t with resolvers; search } in
  Term.(const make $ term $ resolvers $ search)

let check_names t =
  if List.length t.resolvers > Weir_drive.Resolver.most_servers then
    Fail.usage "--resolver: give at most %d" Weir_drive.Resolver.most_servers;
  if t.search <> [] && t.resolvers = [] then Fail.usage "--search needs --resolver";
  if List.length t.search > Weir_drive.Search_list.most then
    Fail.usage "--search: give at most %d" Weir_drive.Search_list.most;
  List.iter
    (fun d ->
      match Domain_name.of_string d with
      | Ok n when Weir_wire.Dns_name.is_host n -> ()
      | _ -> Fail.usage "--search %s: give a domain, such as example.org" d)
    t.search

let check_name t node =
  if
    Weir_drive.Names.addresses [] node = []
    && t.resolvers = []
    && not Weir_drive.Identity.(List.mem auto t.address || List.mem dhcp t.address)
  then
    Fail.usage "%s: give an IP address, or a DNS server for the name, such as --resolver 10.0.0.1"
      node
