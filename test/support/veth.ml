let quiet = " >/dev/null 2>&1"

let no_ipv6 name =
  let key = Printf.sprintf "net.ipv6.conf.%s.disable_ipv6" name in
  (* There is no such key where there is no IPv6. *)
  ignore (Weir_tap.Namespace.sysctl key "1" : (unit, _) result)

let make ?(mtu = 1_500) a b =
  Suite.needs_program "ip";
  let command = Printf.sprintf "ip link add %s mtu %d type veth peer name %s mtu %d" a mtu b mtu in
  if Sys.command (command ^ quiet) <> 0 then Suite.skip "there can be no veth pairs";
  no_ipv6 a;
  no_ipv6 b

(* An interface that is up has the queue of nobody until its carrier is noticed. *)
let sends name =
  Sys.command (Printf.sprintf "ip -o link show %s up | grep -q 'qdisc no\\(op\\)\\? '%s" name quiet)
  <> 0
  && Sys.command (Printf.sprintf "ip -o link show %s up | grep -q 'state UP'%s" name quiet) = 0

let await a b =
  let rec go tries =
    if not (sends a && sends b) then
      if tries = 0 then Alcotest.failf "%s and %s do not come up" a b
      else (
        Unix.sleepf 0.01;
        go (tries - 1))
  in
  go 300

let delete name = ignore (Sys.command ("ip link delete " ^ name ^ quiet) : int)
