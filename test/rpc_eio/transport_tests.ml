(* The same program over a cable in memory and a lossy one, in virtual time, and
   over the kernel's loopback. *)

open Eio.Std
open Weir_rpc
open Weir_rpc_eio
open World
open Methods
open Weir_link
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

type nets = {
  clock : clock;
  here : [ `Generic ] Eio.Net.ty r;  (** the client's *)
  there : [ `Generic ] Eio.Net.ty r;  (** the server's *)
  address : Eio.Net.Sockaddr.stream;
  cable : Impair.t option;
}

let on_hosts ?(impairment = Impairment.none) f =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Memory.pair () in
  let cable = Impair.wrap ~seed:(Suite.seed ()) ~outbound:impairment ~inbound:impairment near in
  let host n link address =
    Weir_eio.net (Weir_eio.host ~sw ~clock ~random:(Random.State.make [| n |]) ~link ~address ())
  in
  let here = host 1 (cable :> Link.t) "10.0.0.2/24" and there = host 2 far "10.0.0.1/24" in
  let address = `Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 7) in
  f { clock; here; there; address; cable = Some cable }

let on_kernel f =
  Eio_main.run @@ fun env ->
  let net = (env#net :> [ `Generic ] Eio.Net.ty r) in
  let address = `Tcp (Eio.Net.Ipaddr.V4.loopback, 0) in
  f { clock = (env#mono_clock :> clock); here = net; there = net; address; cable = None }

(* A server's end, told with [serve], and the address to call. *)
let listening ~sw n serve =
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 n.there n.address in
  Fiber.fork_daemon ~sw (fun () ->
      Eio.Net.run_server socket ~on_error:raise (fun flow _ -> serve (Weir_eio.Flows.of_eio flow)));
  Eio.Net.listening_addr socket

let connect ~sw n address =
  Client.create ~sw ~clock:n.clock (Weir_eio.Flows.of_eio (Eio.Net.connect ~sw n.here address))

let exchange n =
  Switch.run @@ fun sw ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let endings = ref [] in
  let serve flow =
    let ending = Server.serve server flow in
    endings := ending :: !endings
  in
  let address = listening ~sw n serve in
  let one client i =
    let text = String.init (i * i * 13 mod 20_000) (fun j -> Char.chr ((i + j) land 255)) in
    Alcotest.(check bool) "its own" true (get (Client.call client echo text) = text);
    Alcotest.(check int) "waited" i (get (Client.call client wait i))
  in
  let user k =
    let client = connect ~sw n address in
    Fiber.List.iter (one client) (List.init 100 (fun i -> (k * 100) + i));
    (* A century is a time like others. *)
    ignore (get (Client.call client ~timeout_ns:(s 3_153_600_000) wait (ms 1)));
    (match Client.call client ~timeout_ns:(ms 20) wait (s 3_600) with
    | Error Timed_out -> ()
    | _ -> Alcotest.fail "an hour has passed");
    client
  in
  let clients = Fiber.List.map user [ 0; 1; 2 ] in
  Alcotest.(check int) "three connections" 3 (Server.connections server);
  Client.close (List.hd clients);
  Server.shutdown server;
  List.iteri
    (fun i client ->
      let want = if i = 0 then Error.Stopped else Draining in
      Alcotest.check ending "the client's end" want (Option.get (Client.state client)))
    clients;
  Alcotest.(check (list ending)) "the server's" [ Ended; Ended; Ended ] !endings

let bad : Impairment.t =
  {
    Impairment.none with
    loss = Steady 0.03;
    duplicate = 0.01;
    reorder = 0.02;
    reorder_ns = ms 1;
    corrupt = 0.005;
    delay_ns = ms 5;
    jitter_ns = ms 1;
  }

(* Streams of 200 kB beside each other and beside calls. *)
let streams n =
  Switch.run @@ fun sw ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let address = listening ~sw n (fun flow -> ignore (Server.serve server flow)) in
  let client = connect ~sw n address in
  let there_and_back k =
    let text i = String.make (1 + (i * 37 mod 2_000)) (Char.chr (65 + ((i + k) mod 26))) in
    let rec back receive i = if i < 200 then begin
        Alcotest.(check (option string)) "its own" (Some (text i)) (receive ());
        back receive (i + 1)
      end in
    get
      (Client.exchange client mirror (fun { send; finish; receive } ->
           Fiber.both
             (fun () ->
               for i = 0 to 199 do assert (send (text i)) done;
               finish ())
             (fun () ->
               back receive 0;
               Alcotest.(check (option string)) "the end" None (receive ()))))
  in
  let down () =
    let seen = ref 0 in
    get (Client.download client count 1_000 (fun i ->
        Alcotest.(check int) "in order" !seen i;
        incr seen));
    Alcotest.(check int) "all" 1_000 !seen
  in
  let calls () =
    for i = 1 to 50 do
      Alcotest.(check int) "waited" i (get (Client.call client wait i))
    done
  in
  Fiber.all (down :: calls :: List.init 8 (fun k () -> there_and_back k));
  Client.close client
  [@@ocamlformat "disable"]

(* A server that takes calls and dies without reading them. *)
let reset n =
  Switch.run @@ fun sw ->
  let listener = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:1 n.there n.address in
  let address = Eio.Net.listening_addr listener in
  let client = connect ~sw n address in
  let flow, _ = Eio.Net.accept ~sw listener in
  Eio.Flow.copy_string (Raw.frame Raw.hello) flow;
  let calls =
    List.init 20 (fun _ -> Fiber.fork_promise ~sw (fun () -> Client.call client wait 1))
  in
  sleep n.clock (ms 50);
  Eio.Flow.close flow;
  List.iter
    (fun c ->
      match Promise.await_exn c with
      | Error (Error.Closed (Lost (Flow.Error (Flow.Reset, _)))) -> ()
      | Ok _ -> Alcotest.fail "answered"
      | Error e -> Alcotest.failf "%a" Error.pp e)
    calls

(* A client that is killed with calls under way, with or without the server's bytes
   unread: its system resets the connection, or ends it in order. *)
let killed ~read n =
  Switch.run @@ fun sw ->
  let cancelled, cancel = Promise.create () in
  let answer ns =
    (try sleep n.clock ns
     with e ->
       Promise.resolve cancel ();
       raise e);
    ns
  in
  let server = Server.create ~clock:n.clock [ Service.Handler (wait, answer) ] in
  let served, serve = Promise.create () in
  let address = listening ~sw n (fun flow -> Promise.resolve serve (Server.serve server flow)) in
  let flow = Eio.Net.connect ~sw n.here address in
  Eio.Flow.copy_string (Raw.frame Raw.hello ^ Raw.frame (Raw.call 1 "wait" "900000000000")) flow;
  if read then Eio.Flow.read_exact flow (Cstruct.create 8);
  sleep n.clock (ms 20);
  if read then ignore (Eio.Flow.single_read flow (Cstruct.create 1_000));
  let before = now n.clock in
  Eio.Flow.close flow;
  Promise.await cancelled;
  (match Promise.await served with
  | Abandoned when read -> ()
  | Lost (Flow.Error (Flow.Reset, _)) when not read -> ()
  | e -> Alcotest.failf "%a" Error.pp_ending e);
  Alcotest.(check bool) "at once" true (now n.clock - before < s 5)

(* Nothing comes any more, and nobody says so: a deadline does. *)
let partition () =
  on_hosts @@ fun n ->
  Switch.run @@ fun sw ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let address = listening ~sw n (fun flow -> ignore (Server.serve server flow)) in
  let client = connect ~sw n address in
  ignore (get (Client.call client echo "x"));
  let cable = Option.get n.cable in
  cable#set_down;
  (match Client.call client ~timeout_ns:(s 1) echo "lost" with
  | Error Timed_out -> ()
  | _ -> Alcotest.fail "answered");
  cable#set_up;
  Alcotest.(check string) "and it goes on" "y" (get (Client.call client echo "y"));
  Client.close client

(* Weir's own sockets are flows already. *)
let own_flows () =
  virtually @@ fun clock ->
  Switch.run @@ fun sw ->
  let near, far = Memory.pair () in
  let host n link address =
    Weir_eio.host ~sw ~clock ~random:(Random.State.make [| n |]) ~link ~address ()
  in
  let here = host 1 near "10.0.0.2/24" and there = host 2 far "10.0.0.1/24" in
  let server = Server.create ~clock (handlers clock) in
  let listener = Weir_eio.Network.listen there ~sw ~port:7 ~backlog:4 in
  let served =
    Fiber.fork_promise ~sw (fun () ->
        let c = Weir_eio.Network.accept listener ~sw in
        Server.serve server (Weir_eio.Connection.flow c))
  in
  let address = Ipaddr.of_string_exn "10.0.0.1" in
  let connection = Weir_eio.Network.connect here ~sw address ~port:7 in
  let client = Client.create ~sw ~clock (Weir_eio.Connection.flow connection) in
  let text = String.make 500_000 't' in
  Alcotest.(check bool) "echo" true (get (Client.call client echo text) = text);
  Client.close client;
  Alcotest.check ending "in order" Ended (Promise.await_exn served);
  match Flow.write_string (Weir_eio.Connection.flow connection) "x" with
  | () -> Alcotest.fail "the client did not close its flow"
  | exception Flow.Error (Flow.Closed, _) -> ()

(* The documents' service and its client. *)
let samples n =
  Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 n.there n.address in
  Fiber.fork_daemon ~sw (fun () -> Samples.run ~clock:n.clock socket);
  match Samples.ask ~clock:n.clock n.here (Eio.Net.listening_addr socket) with
  | Ok (Ok { name = "Ada"; _ }) -> ()
  | Ok _ -> Alcotest.fail "another"
  | Error e -> failed e

(* A write that the kernel's peer never takes does not hold the server up. *)
let deaf_over_loopback () =
  on_kernel @@ fun n ->
  Switch.run @@ fun sw ->
  let answer _ = String.make 1_000_000 'x' in
  let server = Server.create ~clock:n.clock [ Service.Handler (echo, answer) ] in
  let served, serve = Promise.create () in
  let address = listening ~sw n (fun flow -> Promise.resolve serve (Server.serve server flow)) in
  let flow = Eio.Net.connect ~sw n.here address in
  let hello = Raw.frame ("\000WEIR\001" ^ Raw.varint 4_000_000 ^ Raw.varint 50) in
  let calls = List.init 50 (fun i -> Raw.frame (Raw.call (i + 1) "echo" "")) in
  Eio.Flow.copy_string (String.concat "" (hello :: calls)) flow;
  sleep n.clock (ms 20);
  let before = now n.clock in
  Server.shutdown ~grace_ns:(ms 50) server;
  Alcotest.(check bool) "in its time" true (now n.clock - before < s 5);
  Alcotest.check ending "cut" Stopped (Promise.await served)

(* {1 Messages without calls} *)

(* What the client's end wrote, read at the server's. *)
let one_way ~sw n write read =
  let finished, finish = Promise.create () in
  let address =
    listening ~sw n (fun flow -> Promise.resolve finish (read (flow : Flow.half_close)))
  in
  let flow = Weir_eio.Flows.of_eio (Eio.Net.connect ~sw n.here address) in
  write flow;
  flow#shutdown_send;
  Promise.await finished

let messages n =
  Switch.run @@ fun sw ->
  let codec = Weir_message.Protobuf.binary Sample_pb.Person.codec in
  let people =
    List.init 500 (fun i ->
        Sample_pb.Person.make ~name:(String.make (i * 7 mod 3_000) 'n') ~id:i ())
  in
  let write flow =
    let w = Weir_message.Writer.create Varint flow in
    List.iter (Weir_message.Writer.send w codec) people
  in
  let read flow =
    let all = ref [] in
    let r = Weir_message.Reader.create Varint flow in
    let why = Weir_message.Reader.iter r codec (fun p -> all := p :: !all) in
    (List.rev !all, why)
  in
  let got, why = one_way ~sw n write read in
  Alcotest.(check bool) "all" true (got = people);
  Alcotest.(check bool) "in order" true (why = End)

let thrift n =
  Switch.run @@ fun sw ->
  let open Call_tests in
  let write flow =
    let client = Weir_message.Thrift.client Compact flow in
    for i = 1 to 100 do
      Alcotest.(check int) "add" (i + 1) (K.Calculator.Client.add client ~left:i ~right:1)
    done;
    (* Two fibers that use one client: refused, not mixed up. *)
    let other () = K.Calculator.Client.add client ~left:1 ~right:1 in
    match Fiber.pair other other with
    | _ -> Alcotest.fail "both"
    | exception Invalid_argument _ -> ()
  in
  let dispatch = K.Calculator.dispatch (module Calculator) in
  let why = one_way ~sw n write (Weir_message.Thrift.serve Compact dispatch) in
  Alcotest.(check bool) "in order" true (why = Weir_message.Error.End)

(* Calls are gathered into few writes, which nothing is to hold back. *)
let sent_at_once n =
  Switch.run @@ fun sw ->
  let server = Server.create ~clock:n.clock (handlers n.clock) in
  let address = listening ~sw n (fun flow -> ignore (Server.serve server flow)) in
  let socket = Eio.Net.connect ~sw n.here address in
  let client = Client.create ~sw ~clock:n.clock (Weir_eio.Flows.of_eio socket) in
  Alcotest.(check bool) "NODELAY" true (Eio.Net.getsockopt socket Eio.Net.Sockopt.TCP_NODELAY);
  Client.close client

let tests =
  [
    ( "streams",
      [
        Suite.case "messages over a cable" (fun () -> on_hosts messages);
        Suite.case "messages over a lossy cable" (fun () -> on_hosts ~impairment:bad messages);
        Suite.case "messages over loopback" (fun () -> on_kernel messages);
        Suite.case "Thrift over a lossy cable" (fun () -> on_hosts ~impairment:bad thrift);
        Suite.case "Thrift over loopback" (fun () -> on_kernel thrift);
      ] );
    ( "transports",
      [
        Suite.case "a cable, virtual time" (fun () -> on_hosts exchange);
        Suite.case "a lossy cable, virtual time" (fun () -> on_hosts ~impairment:bad exchange);
        Suite.case "the kernel's loopback" (fun () -> on_kernel exchange);
        Suite.case "streams over a lossy cable" (fun () -> on_hosts ~impairment:bad streams);
        Suite.case "streams over loopback" (fun () -> on_kernel streams);
        Suite.case "a reset over a cable" (fun () -> on_hosts reset);
        Suite.case "a reset over loopback" (fun () -> on_kernel reset);
        Suite.case "a client over loopback that does not read" deaf_over_loopback;
        Suite.case "a killed client over a cable" (fun () -> on_hosts (killed ~read:true));
        Suite.case "a killed client over loopback" (fun () -> on_kernel (killed ~read:true));
        Suite.case "killed, bytes unread, over a cable" (fun () -> on_hosts (killed ~read:false));
        Suite.case "killed, bytes unread, over loopback" (fun () -> on_kernel (killed ~read:false));
        Suite.case "sent at once over a cable" (fun () -> on_hosts sent_at_once);
        Suite.case "sent at once over loopback" (fun () -> on_kernel sent_at_once);
        Suite.case "a partition" partition;
        Suite.case "Weir's own flows" own_flows;
        Suite.case "the documents' samples" (fun () -> on_hosts samples);
        Suite.case "the documents' samples over loopback" (fun () -> on_kernel samples);
      ] );
  ]
