(* The functors applied to Weir's stacks. *)

open Lwt.Syntax
open World
module Dns_server = Dns.Server (Stack)
module Dns_client = Dns.Client (Stack)
module Connections = Http.Connections (Stack)
module Http_server = Http.Server (Connections.Flow)
module Http_client = Http.Client (Connections)
module Echo = Echo.Service (Stack)

let octets = List.map (fun n -> Printf.sprintf "\010\001\000%c" (Char.chr n))
let table = [ ("www.example", octets [ 1; 2 ]); ("many.example", octets (List.init 100 Fun.id)) ]

let client ?(seed = 1) ?(servers = [ address_a ]) w stack =
  Dns_client.create stack ~random:(Random.State.make [| seed |]) ~sleep:(sleep w) servers

let resolves c name wanted =
  let+ r = Dns_client.resolve c name in
  match r with
  | Ok found -> Alcotest.(check (list string)) name wanted found
  | Error e -> Alcotest.failf "%s: %s" name e

let fails what p =
  let+ r = p in
  match r with Ok _ -> Alcotest.failf "%s: an answer" what | Error e -> e

let dns w =
  Dns_server.start w.a table;
  let c = client w w.b in
  let* () = resolves c "www.example" (octets [ 1; 2 ]) in
  let* () = resolves c "unknown.example" [] in
  Alcotest.(check int) "over UDP" 2 c.asked;
  let* () = resolves c "many.example" (octets (List.init 100 Fun.id)) in
  Alcotest.(check int) "cut, and whole over TCP" 4 c.asked;
  (* A hundred at once, each from a port of its own. *)
  Lwt.join
    (List.init 100 (fun seed -> resolves (client ~seed w w.b) "www.example" (octets [ 1; 2 ])))

(* Server and client on one host: an answer comes before the call that asks has
   returned, unless the stack sees to it. *)
let dns_at_home w =
  Dns_server.start w.a table;
  let home = client ~servers:[ v4 "127.0.0.1" ] w w.a in
  let* () = resolves home "www.example" (octets [ 1; 2 ]) in
  Alcotest.(check int) "asked once" 1 home.asked;
  let* () = resolves (client w w.a) "www.example" (octets [ 1; 2 ]) in
  resolves home "many.example" (octets (List.init 100 Fun.id))

(* Questions and answers are lost: some are asked again, over UDP or by TCP's own means. *)
let dns_lossy w =
  Dns_server.start w.a table;
  let rec go asked seed =
    if seed = 20 then Lwt.return asked
    else
      let c = client ~seed w w.b in
      let* () = resolves c "www.example" (octets [ 1; 2 ]) in
      let* () = resolves c "many.example" (octets (List.init 100 Fun.id)) in
      go (asked + c.asked) (seed + 1)
  in
  let+ asked = go 0 0 in
  Alcotest.(check bool) "more than 3 a round" true (asked > 60)

(* Servers without a route are refused at once, and the next is asked. *)
let dns_v6 w =
  Dns_server.start w.a table;
  let c = client ~servers:[ v6; address_a ] w w.b in
  let* () = resolves c "many.example" (octets (List.init 100 Fun.id)) in
  let* e =
    fails "only IPv6" (Dns_client.over_udp (client w w.b) v6 (Dns_message.query ~id:1 "x"))
  in
  Alcotest.(check string) "why" "2001:db8::1 cannot be used as an address here" e;
  let* e = fails "nobody" (Dns_client.resolve (client ~servers:[ v4 "10.0.0.77" ] w w.b) "x") in
  Alcotest.(check string) "why" "no server answers" e;
  Lwt.return_unit

let pages = [ ("/", "hello"); ("/long", String.init 1_000_000 (fun i -> Char.chr (i land 255))) ]

let http w =
  let served = Connections.listen w.a 80 (Http_server.answer pages) in
  let* answers = Http_client.get w.b (address_a, 80) [ "/"; "/long"; "/none" ] in
  let wanted = [ ("HTTP/1.1 200 OK", "hello"); ("HTTP/1.1 200 OK", List.assoc "/long" pages) ] in
  Alcotest.(check (list (pair string (testable Fmt.nop String.equal))))
    "pages"
    (wanted @ [ ("HTTP/1.1 404 Not Found", "") ])
    answers;
  let* () =
    Lwt.join
      (List.init 50 (fun _ ->
           Lwt.map ignore (Http_client.get w.b (address_a, 80) [ "/"; "/"; "/long" ])))
  in
  Alcotest.(check bool) "still there" true (Lwt.is_sleeping served);
  Lwt.return_unit

let http_refused w =
  Lwt.catch
    (fun () ->
      let* _ = Http_client.get w.b (address_a, 81) [ "/" ] in
      Alcotest.fail "an answer")
    (function
      | Failure e ->
          Alcotest.(check string) "why" "connection refused" e;
          Lwt.return_unit
      | e -> Lwt.reraise e)

let read_all flow =
  let module T = Stack.TCP in
  let rec go acc =
    let* r = T.read flow in
    match r with
    | Ok (`Data b) -> go (acc ^ Cstruct.to_string b)
    | Ok `Eof -> Lwt.return acc
    | Error e -> Alcotest.failf "%a" T.pp_error e
  in
  go ""

let connected w ?keepalive port =
  let+ r = Stack.TCP.create_connection ?keepalive (Stack.tcp w.b) (address_a, port) in
  match r with Ok flow -> flow | Error e -> Alcotest.failf "%a" Stack.TCP.pp_error e

let written p =
  let+ r = p in
  match r with Ok () -> () | Error e -> Alcotest.failf "%a" Stack.TCP.pp_write_error e

let echo w =
  Echo.start w.a;
  let* flow = connected w 7 in
  let* () = written (Stack.TCP.write_nodelay flow (Cstruct.of_string "over ")) in
  let* () = written (Stack.TCP.writev flow [ Cstruct.of_string "T"; Cstruct.of_string "CP" ]) in
  let* () = Stack.TCP.shutdown flow `write in
  let* all = read_all flow in
  Alcotest.(check string) "TCP" "over TCP" all;
  let* () = Stack.TCP.close flow in
  let told, tell = Lwt.wait () in
  let udp = Stack.udp w.b in
  Stack.UDP.listen udp ~port:9_999 (fun ~src:_ ~dst:_ ~src_port:_ data ->
      Lwt.wakeup_later tell (Cstruct.to_string data);
      Lwt.return_unit);
  let long = String.make 20_000 'x' in
  let* r =
    Stack.UDP.write ~src_port:9_999 ~dst:address_a ~dst_port:7 udp (Cstruct.of_string long)
  in
  Alcotest.(check bool) "sent" true (r = Ok ());
  let* got = told in
  Alcotest.(check bool) "UDP, in fragments" true (got = long);
  Lwt.return_unit

let cases =
  [
    case "DNS, over UDP and TCP" dns;
    case "DNS on one host" dns_at_home;
    case "DNS over a bad link" ~wrap:lossy dns_lossy;
    case "DNS with IPv6 servers, and with none" dns_v6;
    case "HTTP by way of a Conduit" http;
    case "HTTP to nobody" http_refused;
    case "echo" echo;
  ]
