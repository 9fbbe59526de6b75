(* Two hosts on a cable in memory, as stacks. *)

open Lwt.Syntax
module Link = Weir_link.Link
module Stack = Adapters.Stack

type t = {
  clock : Weir_lwt.Clock.t;
  a : Stack.t;  (** 10.0.0.1 *)
  b : Stack.t;  (** 10.0.0.2 *)
  host_a : Weir_lwt.host;
  host_b : Weir_lwt.host;
}

let v4 s = Ipaddr.of_string_exn s
let address_a = v4 "10.0.0.1"
let address_b = v4 "10.0.0.2"
let v6 = Ipaddr.of_string_exn "2001:db8::1"
let ns_of_s s = int_of_float (s *. 1e9)
let sleep w s = Weir_lwt.Clock.sleep w.clock (ns_of_s s)

let limited clock ~s p =
  Lwt.pick
    [
      p;
      (let* () = Weir_lwt.Clock.sleep clock (ns_of_s s) in
       Alcotest.failf "not over after %g s" s);
    ]

(* [f] on virtual time; [wrap] changes [b]'s end of the cable. *)
let run ?(wrap = fun l -> l) f =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time (fun () ->
      let link_a, link_b = Weir_link.Memory.pair () in
      let host n link address =
        Weir_lwt.host ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
      in
      let host_a = host 1 link_a "10.0.0.1/24" and host_b = host 2 (wrap link_b) "10.0.0.2/24" in
      let a = Stack.of_host host_a and b = Stack.of_host host_b in
      let w = { clock; a; b; host_a; host_b } in
      let* () = limited clock ~s:600. (f w) in
      let* () = Weir_lwt.Host.close host_a in
      Weir_lwt.Host.close host_b)

let lossy l : Link.t =
  let i =
    {
      Weir_link.Impairment.none with
      loss = Steady 0.15;
      delay_ns = 5_000_000;
      jitter_ns = 3_000_000;
    }
  in
  (Weir_link.Impair.wrap ~seed:3 ~outbound:i ~inbound:i l :> Link.t)

(* The exceptions that reach Lwt's hook while [f] runs. *)
let caught f =
  let before = !Lwt.async_exception_hook and all = ref [] in
  (Lwt.async_exception_hook := fun e -> all := e :: !all);
  Lwt.finalize
    (fun () -> Lwt.map (fun () -> List.rev !all) (f ()))
    (fun () ->
      Lwt.async_exception_hook := before;
      Lwt.return_unit)

let case ?wrap name f = Weir_test.Suite.case name (fun () -> run ?wrap f)
