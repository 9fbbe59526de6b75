open Weir_base

type probing = { probes : int; wait : Time.t; shortest : Time.t; longest : Time.t; settle : Time.t }

type t = {
  host_name : string option;
  identifier : string option;
  previous : Ipaddr.V4.t option;
  keeps : bool;
  probing : probing;
  retry : Time.t;
  longest_retry : Time.t;
  shortest_renewal : Time.t;
}

let default =
  let s = Time.s in
  {
    host_name = None;
    identifier = None;
    previous = None;
    keeps = false;
    probing = { probes = 3; wait = s 1; shortest = s 1; longest = s 2; settle = s 2 };
    retry = s 4;
    longest_retry = s 64;
    shortest_renewal = s 60;
  }

let rfc4361 ~iaid ~duid = "\255" ^ Weir_wire.Dhcpv4_options.of_number iaid ~bytes:4 ^ duid

let check c =
  let bad what = invalid_arg ("Dhcp_config: " ^ what) in
  let { probes; wait; shortest; longest; settle } = c.probing in
  if List.exists (fun n -> n < 0) [ probes; wait; shortest; settle; longest - shortest ] then
    bad "probing";
  if c.retry < 1 || c.longest_retry < c.retry || c.shortest_renewal < 1 then bad "a time";
  (match c.host_name with
  | Some n when Weir_wire.Dhcpv4_options.name n <> Some n -> bad "the host's name"
  | _ -> ());
  match c.identifier with
  | Some i when String.length i < 2 || String.length i > 255 -> bad "the identifier"
  | _ -> ()
