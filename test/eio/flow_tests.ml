(* Connections as flows of src/flow, and flows of one kind as the other. *)

open Eio.Std
open World

(* What a flow of the stack knows beside reading and writing, asked of the type
   that knows nothing. *)
let flow_extensions w =
  let module Flow = Weir_flow.Flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let flow = (Weir_eio.Connection.flow c :> Flow.flow) in
  Flow.write_string flow "hello";
  Option.iter (fun (f : Flow.half_close) -> f#shutdown_send) (Flow.cast flow Flow.Half_close);
  let got = Flow.read_all (Weir_eio.Connection.flow s) ~max:100 in
  Alcotest.(check string) "read up to the half-close" "hello" got;
  match Flow.cast flow Flow.Tcp with
  | None -> Alcotest.fail "no statistics"
  | Some tcp ->
      Alcotest.(check bool) "a window" true (tcp#tcp_info.cwnd >= 1_000);
      Option.iter (fun (f : Flow.closable) -> f#close) (Flow.cast flow Flow.Closable)

(* Views of the receive buffer, written on without a buffer between; then the
   other end's buffer opens again as they are done with. *)
let flow_views w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let sent = pattern 3_000_000 and flow = Weir_eio.Connection.flow c in
  let echo () =
    let s = Weir_eio.Connection.flow s in
    let n = Flow.copy s s in
    s#shutdown_send;
    n
  and send () =
    Flow.write_string flow sent;
    flow#shutdown_send
  in
  let sink = Memory.sink () in
  let echoed, ((), n) =
    Fiber.pair echo (fun () -> Fiber.pair send (fun () -> Flow.copy flow sink))
  in
  Alcotest.(check (pair int int)) "3 MB" (String.length sent, String.length sent) (echoed, n);
  Alcotest.(check bool) "the same" true (sink#contents = sent);
  Alcotest.(check int) "the end stays" 0 (Flow.read flow).len

(* Bytes that a view has shown are read: closing then is no loss to the peer. *)
let view_then_close w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let server = Weir_eio.Connection.flow s and client = Weir_eio.Connection.flow c in
  Flow.write_string client "question";
  Alcotest.(check string) "shown" "question" (Slice.to_string (Flow.read server));
  server#close;
  Alcotest.(check int) "an end, no reset" 0 (Flow.read client).len;
  match Flow.read server with
  | _ -> Alcotest.fail "read from a closed flow"
  | exception Flow.Error (Flow.Closed, _) -> ()

(* Short slices of one call share a segment. *)
let gathered w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  Weir_eio.Connection.set_option c Eio.Net.Sockopt.TCP_NODELAY true;
  let client = Weir_eio.Connection.flow c and server = Weir_eio.Connection.flow s in
  let frames () = (Weir_eio.Host.link_stats w.b).tx_frames in
  let before = frames () in
  Flow.writev client (List.init 100 (fun i -> Slice.of_string (Printf.sprintf "%02d" i)));
  Fiber.yield ();
  Alcotest.(check int) "frames" 1 (frames () - before);
  Alcotest.(check int) "bytes" 200 (Flow.read server).len;
  (* More than the buffers hold, which a reader empties meanwhile. *)
  let pieces = List.init 1_000 (fun i -> pattern (i * 7)) in
  let all = String.concat "" pieces in
  let (), got =
    Fiber.pair
      (fun () ->
        Flow.writev client (List.map Slice.of_string pieces);
        client#shutdown_send)
      (fun () -> Flow.read_all server ~max:(String.length all))
  in
  Alcotest.(check bool) "3.5 MB" true (got = all)

(* A flow's reader knows no Eio: it meets the flow's own errors. *)
let flow_errors w =
  let open Weir_flow in
  Switch.run @@ fun sw ->
  let s, c = connections w ~sw in
  let client = Weir_eio.Connection.flow c in
  Flow.write_string (Weir_eio.Connection.flow s) "unread";
  sleep w 0.01;
  client#close;
  (match Flow.write_string client "x" with
  | () -> Alcotest.fail "wrote to a closed flow"
  | exception Flow.Error (Flow.Closed, _) -> ());
  match Flow.read_into (Weir_eio.Connection.flow s) (Bytes.create 1) ~off:0 ~len:1 with
  | _ -> Alcotest.fail "no reset"
  | exception Flow.Error (Flow.Reset, _) -> ()

(* A Weir flow as Eio's and back again, over a connection, 2 MB echoed. *)
let flow_adapters w =
  let module Flow = Weir_flow.Flow in
  Switch.run @@ fun sw ->
  let s, c = pair w ~sw in
  let there = Weir_eio.Flows.of_eio s in
  let and_back = Weir_eio.Flows.to_eio there in
  let sent = pattern 2_000_000 in
  let echo () =
    Eio.Flow.copy and_back and_back;
    Eio.Flow.shutdown and_back `Send
  and send () =
    Eio.Flow.copy_string sent c;
    Eio.Flow.shutdown c `Send
  in
  let (), ((), got) = Fiber.pair echo (fun () -> Fiber.pair send (fun () -> read_all c)) in
  Alcotest.(check bool) "2 MB" true (got = sent);
  Eio.Flow.close c;
  (* Resets cross in both directions. *)
  let s, c = pair w ~port:81 ~sw in
  let s' = Weir_eio.Flows.of_eio s in
  Eio.Flow.copy_string "unread" s;
  sleep w 0.01;
  Eio.Flow.close c;
  (match Flow.read s' with
  | _ -> Alcotest.fail "no reset"
  | exception Flow.Error (Flow.Reset, _) -> ());
  match Eio.Flow.read_all (Weir_eio.Flows.to_eio s') with
  | _ -> Alcotest.fail "no reset"
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ()

(* What Eio's failures became comes back as itself, a timeout as a lost connection. *)
let adapted_errors _ =
  let module Flow = Weir_flow.Flow in
  let failing e =
    object
      inherit Flow.flow
      method read_into _ ~off:_ ~len:_ = raise (Flow.Error e)
      method write _ ~off:_ ~len:_ = raise (Flow.Error e)
    end
  in
  let read e = ignore (Eio.Flow.read_all (Weir_eio.Flows.to_eio (failing e))) in
  (match read Flow.timeout with
  | () -> Alcotest.fail "read"
  | exception Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (ETIMEDOUT, _, _)), _) -> ());
  let own = Eio.Net.err Invalid_option in
  match read (Weir_eio.Flows.error own) with
  | () -> Alcotest.fail "read"
  | exception Eio.Io (Eio.Net.E Invalid_option, _) -> ()

let cases =
  [
    case "a flow's extensions" flow_extensions;
    case "views of the receive buffer" flow_views;
    case "shown, then closed" view_then_close;
    case "slices gathered into segments" gathered;
    case "a flow's errors" flow_errors;
    case "flows of one kind as the other" flow_adapters;
    case "errors of one kind as the other's" adapted_errors;
  ]
