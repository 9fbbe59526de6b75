(* A client on a bench: what it does is seen, and answered by hand. *)

open Weir_base
open Weir_wire
open Weir_core
module Options = Dhcpv4_options

let mac = Mac.of_int 0x02_00_00_00_00_01
let other = Mac.of_int 0x02_00_00_00_00_99
let v4 s = Ip.of_v4 (Ipaddr.V4.of_string_exn s)
let server = v4 "10.0.0.1"
let address = v4 "10.0.0.50"

type t = { client : Dhcp_client.t; mutable now : Time.t; mutable last : Dhcpv4.t option }

let message (a : Dhcp_client.action) =
  match a with Send { message; _ } -> Some message | _ -> None

(* All that it wants done, as words. *)
let word (a : Dhcp_client.action) =
  let ip = Fmt.to_to_string Ip.pp in
  match a with
  | Nothing -> ""
  | Send { message = m; src; dst } ->
      let requested =
        match Option.bind (Dhcpv4.option m Options.requested_address) Options.address with
        | Some a -> " for " ^ ip a
        | None -> ""
      in
      let kind =
        match m.kind with
        | Discover -> "discover"
        | Request -> "request"
        | Decline -> "decline"
        | Release -> "release"
        | _ -> "?"
      in
      Fmt.str "%s%s from %s to %s%s" kind requested (ip src) (ip dst)
        (if m.broadcast then ", broadcast" else "")
  | Arp a when Ip.is_any a.sender_ip -> "probe " ^ ip a.target_ip
  | Arp a -> "announce " ^ ip a.target_ip
  | Assign l -> Fmt.str "assign %a" Ipaddr.V4.Prefix.pp l.address
  | Withdraw l -> Fmt.str "withdraw %a" Ipaddr.V4.Prefix.pp l.address

let rec drain t found =
  match Dhcp_client.next t.client with
  | Nothing -> List.rev found
  | a ->
      (match message a with Some m -> t.last <- Some m | None -> ());
      drain t (word a :: found)

let words t = drain t []
let quick = { Dhcp_config.default with probing = { Dhcp_config.default.probing with probes = 0 } }

let make ?(config = quick) ?(seed = 1) () =
  let random = Random.State.make [| seed |] in
  { client = Dhcp_client.create config random ~mac ~mtu:1_500 ~now:0; now = 0; last = None }

let last t = Option.get t.last

let standard =
  [
    (Options.server_identifier, Options.of_address server);
    (Options.lease_time, Options.of_number 1_000 ~bytes:4);
    (Options.subnet_mask, Options.of_prefix_length 24);
    (Options.routers, Options.of_address server);
  ]

(* What a server answers to the client's last message. *)
let answer ?(options = standard) ?(yiaddr = address) t kind : Dhcpv4.t =
  let m = last t in
  {
    Dhcpv4.base with
    reply = true;
    kind;
    xid = m.xid;
    chaddr = m.chaddr;
    yiaddr = (if kind = Nak then Ip.any else yiaddr);
    options;
  }

let give t m =
  Dhcp_client.input t.client ~now:t.now m;
  words t

(* Time goes on to the client's deadline, at most by [ns]: how long it took, and what came of it. *)
let step ?(at_most = Time.never) t =
  let due = Dhcp_client.deadline t.client in
  let until = if at_most = Time.never then due else Int.min due (t.now + at_most) in
  let took = until - t.now in
  t.now <- until;
  Dhcp_client.tick t.client ~now:t.now;
  (took, words t)

let check_words what expected got = Alcotest.(check (list string)) what expected got
let state t = Fmt.str "%a" Dhcp_client.pp_state (Dhcp_client.state t.client)
let check_state t expected = Alcotest.(check string) "state" expected (state t)

let bound ?config ?options () =
  let t = make ?config () in
  ignore (words t);
  ignore (give t (answer t Offer ?options));
  ignore (give t (answer t Ack ?options));
  t

let check_between what low high ns =
  if ns < Time.of_float_s low || ns > Time.of_float_s high then
    Alcotest.failf "%s: %a is not %g to %g s" what Time.pp ns low high
