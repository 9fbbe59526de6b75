(* Ten pings over a bad link: 5 ms each way, every fifth frame lost, by a seed. *)

open Eio.Std
open Weir_link

let bad : Impairment.t = { Impairment.none with loss = Steady 0.2; delay_ns = 5_000_000 }

let () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let near, far = Memory.pair () in
  let near = Impair.wrap ~seed:42 ~outbound:bad ~inbound:bad near in
  let host link address = Weir_eio.host ~sw ~clock:(Eio.Stdenv.mono_clock env) ~link ~address () in
  let here = host (near :> Link.t) "10.0.0.1/24" in
  let _there = host far "10.0.0.2/24" in
  let there = Ipaddr.of_string_exn "10.0.0.2" in
  for sequence = 1 to 10 do
    match Weir_eio.ping here ~timeout_ns:400_000_000 ~sequence there with
    | Reply { bytes; ttl; rtt_ns } ->
        Fmt.pr "%d: %d bytes, ttl %d, %.1f ms@." sequence bytes ttl (float_of_int rtt_ns /. 1e6)
    | Lost -> Fmt.pr "%d: lost@." sequence
    | Failed why -> Fmt.pr "%d: %s@." sequence why
  done
