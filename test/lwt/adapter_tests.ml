open Lwt.Syntax
open World
module Suite = Weir_test.Suite
module Flow_lwt = Weir_flow_lwt.Flow_lwt

(* As mirage-flow 4 and 5 have it; typed in, for it is not a dependency. *)
module type MIRAGE_FLOW = sig
  type error

  val pp_error : error Fmt.t

  type write_error = private [> `Closed ]

  val pp_write_error : write_error Fmt.t

  type flow

  val read : flow -> ([ `Data of Cstruct.t | `Eof ], error) result Lwt.t
  val write : flow -> Cstruct.t -> (unit, write_error) result Lwt.t
  val writev : flow -> Cstruct.t list -> (unit, write_error) result Lwt.t
  val shutdown : flow -> [ `read | `write | `read_write ] -> unit Lwt.t
  val close : flow -> unit Lwt.t
end

let ( >>= ) = Lwt.( >>= )

(* The study's functor. *)
module Test (F : MIRAGE_FLOW) = struct
  let rec copy flow =
    F.read flow >>= function
    | Ok `Eof -> Lwt_result.return ()
    | Error e -> Lwt_result.fail (`Read e)
    | Ok (`Data buf) -> (
        F.write flow buf >>= function Error e -> Lwt_result.fail (`Write e) | Ok () -> copy flow)
end

module Mirage = Test (Weir_lwt.Mirage_flow)

module type CONDUIT_FLOW = sig
  type 'a io = 'a Lwt.t
  type flow
  type input = Cstruct.t
  type output = Cstruct.t
  type error

  val pp_error : error Fmt.t
  val recv : flow -> input -> ([ `Input of int | `End_of_flow ], error) result io
  val send : flow -> output -> (int, error) result io
  val close : flow -> (unit, error) result io

  type endpoint

  val connect : endpoint -> (flow, error) result io
end

module Conduit_copy (C : CONDUIT_FLOW) = struct
  let ( >>!= ) = Lwt_result.( >>= )

  let rec copy buf flow =
    C.recv flow buf >>!= function
    | `End_of_flow -> Lwt_result.return ()
    | `Input n ->
        let rec send i =
          if i = n then copy buf flow
          else C.send flow (Cstruct.sub buf i (n - i)) >>!= fun j -> send (i + j)
        in
        send 0
end

module Conduit = Conduit_copy (Weir_lwt.Conduit_flow)

let megabytes = 10_000_000

(* [echo] copies the server's end of a connection into itself. *)
let echo_10_mb ?(connect = connect ?port:None) echo w =
  let l = listen w in
  let* s, c = Lwt.both (ok (Network.accept l)) (connect w) in
  let sent = pattern megabytes in
  let served =
    let* () = echo s in
    Connection.shutdown s `Send;
    Lwt.return_unit
  in
  let* (), got =
    Lwt.both
      (let* () = write c sent in
       Connection.shutdown c `Send;
       Lwt.return_unit)
      (read_all c)
  in
  same "10 MB" sent got;
  let* () = served in
  let* () = Connection.close s in
  Connection.close c

let mirage s =
  let* r = Mirage.copy s in
  match r with
  | Ok () -> Lwt.return_unit
  | Error (`Read e) -> Alcotest.failf "read: %a" Weir_lwt.Mirage_flow.pp_error e
  | Error (`Write e) -> Alcotest.failf "write: %a" Weir_lwt.Mirage_flow.pp_write_error e

let conduit s = ok (Conduit.copy (Cstruct.create 4_096) s)

let conduit_connect (w : World.t) =
  ok (Weir_lwt.Conduit_flow.connect { host = w.b; address = ip server_address; port = 80 })

let flow_ok p =
  let* r = p in
  match r with Ok x -> Lwt.return x | Error (`Flow e) -> Alcotest.failf "%a" Flow_lwt.pp_error e

let flow s =
  let f = Connection.flow s in
  flow_ok (Flow_lwt.copy f f)

let channels s =
  let f = Connection.flow s in
  let ic, oc = Weir_lwt.Channels.of_flow ~close:(fun () -> f#shutdown_send) f in
  let again = Weir_lwt.Channels.to_flow ic oc in
  let* () = flow_ok (Flow_lwt.copy again again) in
  let* () = Lwt_io.close ic in
  Lwt_io.close oc

let mirage_closed w =
  let* s, c = pair w in
  let module F = Weir_lwt.Mirage_flow in
  let* () = F.shutdown c `write in
  let* r = F.write c (Cstruct.of_string "x") in
  Alcotest.(check bool) "closed" true (r = Error `Closed);
  let* r = F.read s in
  Alcotest.(check bool) "the end" true (r = Ok `Eof);
  let* () = F.close s in
  F.close c

let flow_errors w =
  let* s, c = pair w in
  let f = Connection.flow c in
  Connection.abort s;
  let* r = Flow_lwt.read f in
  (match r with Error (`Flow (Weir_flow.Flow.Reset, _)) -> () | _ -> Alcotest.fail "not a reset");
  let* () = f#close in
  let* r = Flow_lwt.write f (Cstruct.of_string "x") in
  match r with
  | Error (`Flow (Weir_flow.Flow.Closed, _)) -> Lwt.return_unit
  | _ -> Alcotest.fail "not closed"

(* What is known of a flow by its base type only. *)
let statistics w =
  let* s, c = pair w in
  let base = (Connection.flow c :> Flow_lwt.flow) in
  let* () =
    both
      (let* () = write c (pattern 100_000) in
       Connection.close c)
      (Lwt.map ignore (read_all s))
  in
  match Flow_lwt.cast base Connection.Tcp with
  | None -> Alcotest.fail "no statistics"
  | Some tcp ->
      let info = tcp#tcp_info in
      Alcotest.(check bool) "a window" true (info.cwnd >= 1_000);
      Alcotest.(check int) "nothing sent again" 0 info.retransmits;
      Alcotest.(check int) "the path's MTU" 1_500 info.path_mtu;
      Lwt.return_unit

let nodelay w =
  let* s, c = pair w in
  Flow_lwt.send_at_once (Weir_lwt.Connection.flow s);
  Alcotest.(check bool) "by its flow" true (Weir_core.Tcp.nodelay (Weir_lwt.Connection.tcb s));
  Alcotest.(check bool)
    "the other is as it was" false
    (Weir_core.Tcp.nodelay (Weir_lwt.Connection.tcb c));
  let* () = Weir_lwt.close s in
  Flow_lwt.send_at_once (Weir_lwt.Connection.flow s);
  Flow_lwt.send_at_once Flow_lwt.null;
  Lwt.return_unit

let case name f = Suite.case name (fun () -> run_virtual f)

let cases =
  [
    Suite.case "Test (F : Mirage_flow.S) copies 10 MB" (fun () -> run_real (echo_10_mb mirage));
    case "a Mirage flow's close" mirage_closed;
    case "Conduit's copy, 10 MB" (echo_10_mb ~connect:conduit_connect conduit);
    case "flow copy, 10 MB" (echo_10_mb flow);
    case "Lwt_io channels and back, 10 MB" (echo_10_mb channels);
    case "a flow's errors" flow_errors;
    case "a flow's statistics" statistics;
    case "sent at once" nodelay;
  ]
