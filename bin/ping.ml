open Cmdliner
open Weir_base

let ms ns = float_of_int ns /. 1e6

let report host ~sent rtts =
  let n = List.length rtts in
  Printf.printf "%d sent, %d received, %.1f%% lost\n" sent n
    (100. *. float_of_int (sent - n) /. float_of_int (max 1 sent));
  (if n > 0 then
     let sorted = List.sort compare rtts in
     let nth p = List.nth sorted (min (n - 1) (p * n / 100)) in
     Printf.printf "round trip ms: min %.3f, median %.3f, max %.3f\n"
       (ms (nth 0))
       (ms (nth 50))
       (ms (nth 100)));
  ignore host;
  if n = 0 then Fail.failed "no answer: check the address and the link"

let address_of host node =
  let found =
    Attach.looked_up node (fun () -> Eio.Net.getaddrinfo_datagram (Weir_eio.net host) node)
  in
  match found with
  | `Udp (ip, _) :: _ -> Ipaddr.of_octets_exn (ip :> string)
  | _ -> Fail.failed "%s has no address" node

let run attach target count interval size =
  if count < 1 then Fail.usage "--count must be at least 1";
  if interval < 0.001 then Fail.usage "--interval must be at least 0.001 s";
  if size < 0 || size > 65_000 then Fail.usage "--size must be 0 to 65000";
  Link_options.check_name attach target;
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let hosts = Attach.hosts ~sw ~clock ~role:`Client attach in
  Attach.unless_gone attach hosts @@ fun () ->
  let address = address_of hosts.local target in
  let rtts = ref [] in
  for sequence = 1 to count do
    let began = Weir_eio.Host.now hosts.local in
    (match Weir_eio.ping hosts.local ~data_length:size ~sequence:(sequence land 0xffff) address with
    | Reply { bytes; ttl; rtt_ns } ->
        rtts := rtt_ns :: !rtts;
        Printf.printf "%d bytes from %s: seq=%d ttl=%d time=%.3f ms\n%!" (bytes + 8) target sequence
          ttl (ms rtt_ns)
    | Failed why -> Printf.printf "from %s: seq=%d %s\n%!" target sequence why
    | Lost -> Printf.printf "no answer: seq=%d\n%!" sequence);
    if sequence < count then
      let left = began + Time.of_float_s interval - Weir_eio.Host.now hosts.local in
      if left > 0 then Weir_eio.Host.sleep hosts.local left
  done;
  report hosts.local ~sent:count !rtts

let target =
  Arg.(
    required
    & pos 0 (some string) None
    & info [] ~docv:"HOST" ~doc:"The host's address, of IPv4 or IPv6, or its name.")

let count = Arg.(value & opt int 4 & info [ "c"; "count" ] ~docv:"N" ~doc:"The number of requests.")

let interval =
  Arg.(
    value & opt float 1.0
    & info [ "i"; "interval" ] ~docv:"SECONDS" ~doc:"The time between two requests.")

let size =
  Arg.(
    value & opt int 56
    & info [ "s"; "size" ] ~docv:"BYTES" ~doc:"The bytes of data in each request.")

let cmd =
  let man =
    [
      `S Manpage.s_examples;
      `P "$(b,weir ping 10.0.0.1) pings the other end of a memory link.";
      `P "$(b,weir ping 10.0.0.1 --link tap:tap0 --address 10.0.0.11/24 -c 100 -i 0.01)";
    ]
  in
  Cmd.v
    (Cmd.info "ping" ~exits:Fail.exits ~man ~doc:"send ICMP echo requests from Weir's own stack")
    Term.(
      const (fun a t c i s -> Fail.run (fun () -> run a t c i s))
      $ Link_options.client_term $ target $ count $ interval $ size)
