(* When a host looks for frames before it blocks, and how fibers wait for its events. *)

open Eio.Std
open Weir_base
module Spin = Weir_drive.Spin
module Waiters = Weir_eio__Waiters
module Flow = Weir_flow.Flow
module Suite = Weir_test.Suite

let us = Time.us

let only_while_it_pays () =
  let s = Spin.create ~most:(us 100) in
  let step at found =
    Spin.stepped s ~now:(us at) ~found;
    Spin.goes_on s
  in
  let check what expected at found = Alcotest.(check bool) what expected (step at found) in
  check "at first it blocks" false 0 false;
  check "after a long wait" false 5_000 true;
  check "still blocked" false 5_010 false;
  check "after a short one" true 5_050 true;
  check "so it looks again" true 5_060 false;
  check "and again" true 5_159 false;
  check "but not for ever" false 5_160 false;
  check "that wait was long" false 9_000 true;
  check "and it blocks" false 9_001 false

let never () =
  let s = Spin.create ~most:0 in
  for at = 1 to 10 do
    Spin.stepped s ~now:at ~found:(at mod 2 = 0);
    Alcotest.(check bool) "it blocks" false (Spin.goes_on s)
  done

(* A link with a descriptor, which is readable once for each frame sent to it. *)
class readable inner ~fd ~calls =
  object
    inherit Weir_link.Link.forward inner as super
    method! readiness = Weir_link_unix.Descriptor.Fd fd

    method! receive ~now =
      incr calls;
      let f = super#receive ~now in
      if f != Frame.none then ignore (Unix.read fd (Bytes.create 1) 0 1 : int);
      f
  end

class writing inner ~fd =
  object
    inherit Weir_link.Link.forward inner as super

    method! send ~now frame =
      super#send ~now frame;
      ignore (Unix.write fd (Bytes.make 1 '.') 0 1 : int)
  end

(* An exchange of frames as fast as they go, and then nothing. *)
let idle_host () =
  Eio_main.run @@ fun env ->
  Switch.run @@ fun sw ->
  let clock = Eio.Stdenv.mono_clock env in
  let reading, sending = Unix.pipe ~cloexec:true () in
  Unix.set_nonblock reading;
  let a, b = Weir_link.Memory.pair () in
  let calls = ref 0 in
  let host link address =
    Weir_eio.host ~sw ~clock ~linger_ns:0 ~spin_ns:(us 100) ~link ~address ()
  in
  let left = host (new readable a ~fd:reading ~calls) "10.0.0.1/24" in
  let right = host (new writing b ~fd:sending) "10.0.0.2/24" in
  let address = Ipaddr.of_string_exn "10.0.0.1" in
  for sequence = 1 to 50 do
    match Weir_eio.ping right ~sequence address with
    | Reply _ -> ()
    | Failed _ | Lost -> Alcotest.fail "no answer"
  done;
  Eio.Time.Mono.sleep clock 0.02;
  let before = !calls in
  Eio.Time.Mono.sleep clock 0.1;
  Alcotest.(check int) "an idle host does not look" before !calls;
  Weir_eio.Host.release left;
  Weir_eio.Host.release right;
  Unix.close reading;
  Unix.close sending

(* -- waiters ---------------------------------------------------------------- *)

let in_order () =
  Eio_mock.Backend.run @@ fun () ->
  let w = Waiters.create () and open_ = ref false and order = ref [] in
  let wait n () =
    Waiters.await w (fun () -> if !open_ then Some () else None);
    order := n :: !order
  in
  Fiber.all
    [
      wait 1;
      wait 2;
      (fun () -> Fiber.first (wait 3) Fiber.yield);
      wait 4;
      (fun () ->
        Waiters.broadcast w;
        Fiber.yield ();
        open_ := true;
        Waiters.broadcast w);
    ];
  Alcotest.(check (list int)) "as they came, but the cancelled one" [ 1; 2; 4 ] (List.rev !order)

let event_during_the_look () =
  Eio_mock.Backend.run @@ fun () ->
  let w = Waiters.create () and looks = ref 0 in
  Waiters.await w (fun () ->
      incr looks;
      if !looks = 1 then Waiters.broadcast w;
      if !looks = 2 then Some () else None);
  Alcotest.(check int) "it looks again" 2 !looks

let interrupted () =
  View_tests.with_pair @@ fun _ s c ->
  let module C = Weir_eio.Connection in
  let b = Bytes.create 10 in
  let read () = Flow.read_into (C.flow s) b ~off:0 ~len:10 in
  let timed_out () =
    match read () with
    | _ -> Alcotest.fail "it went on"
    | exception Flow.Error (Flow.Timeout, _) -> ()
  in
  Fiber.both timed_out (fun () -> C.set_interrupted s true);
  timed_out ();
  C.set_interrupted s false;
  Fiber.both
    (fun () -> Alcotest.(check int) "and again" 3 (read ()))
    (fun () -> Flow.write (C.flow c) (Bytes.of_string "abc") ~off:0 ~len:3)

let tests =
  [
    ( "waiting",
      [
        Suite.case "spins while it pays" only_while_it_pays;
        Suite.case "or never" never;
        Suite.case "an idle host does not spin" idle_host;
        Suite.case "fibers in order" in_order;
        Suite.case "an event during the look" event_during_the_look;
        Suite.case "a connection interrupted" interrupted;
      ] );
  ]
