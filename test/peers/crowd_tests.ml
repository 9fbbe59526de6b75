(* More clients than the server has room for, and a device that is taken away. *)

open Weir_programs
module Suite = Weir_test.Suite

let weir = `Tcp (World.address World.weir, 80)

let within (t : Live.t) seconds what f =
  try Eio.Time.with_timeout_exn (Eio.Stdenv.clock t.env) seconds f
  with Eio.Time.Timeout -> Alcotest.failf "%s: not within %g s" what seconds

let connect ?bind_to (t : Live.t) ~sw = Eio.Net.connect ?bind_to ~sw (Eio.Stdenv.net t.env) weir
let request = "GET /one HTTP/1.1\r\nHost: a\r\n\r\n"

(* The status line of the next answer on [flow], [None] if it has ended. The
   answer is one short write, and comes whole. *)
let answer flow =
  let b = Cstruct.create 4_096 in
  match Eio.Flow.single_read flow b with
  | n -> Some (List.hd (String.split_on_char '\r' (Cstruct.to_string (Cstruct.sub b 0 n))))
  | exception (End_of_file | Eio.Io _) -> None

let ok = Some "HTTP/1.1 200 OK"

let check t what expected flow =
  Alcotest.(check (option string)) what expected (within t 10. what (fun () -> answer flow))

let ask flow text = try Eio.Flow.copy_string text flow with Eio.Io _ -> ()
let many n f = List.init n (fun _ -> f ())

(* Clients that have never said anything hold all slots; who says something is
   answered at once. *)
let silent (t : Live.t) =
  Eio.Switch.run @@ fun sw ->
  let crowd = many 120 (fun () -> connect t ~sw) in
  let c = connect t ~sw in
  ask c request;
  check t "a client among silent ones" ok c;
  check t "the oldest has given way" None (List.hd crowd);
  let last = List.nth crowd 119 in
  ask last request;
  check t "the youngest has not" ok last

(* As above, but they have been answered before and kept their connections. *)
let kept_alive (t : Live.t) =
  Eio.Switch.run @@ fun sw ->
  let crowd =
    many 100 (fun () ->
        let c = connect t ~sw in
        ask c request;
        check t "one of the crowd" ok c;
        c)
  in
  let c = connect t ~sw in
  ask c request;
  check t "a new client" ok c;
  check t "the oldest has given way" None (List.hd crowd);
  let second = List.nth crowd 1 in
  ask second request;
  check t "the next has not" ok second

(* Half a head is not idle: who has sent one keeps its slot until its time is over. *)
let busy (t : Live.t) =
  Eio.Switch.run @@ fun sw ->
  let half () =
    let c = connect t ~sw in
    ask c "GET /one HTTP/1.1\r\n";
    c
  in
  let crowd = many 100 half in
  let c = connect t ~sw in
  ask c request;
  let answered = Eio.Fiber.fork_promise ~sw (fun () -> answer c) in
  List.iter (fun c -> ask c "Host: a\r\n\r\n") crowd;
  List.iter (check t "one of the crowd" ok) crowd;
  Alcotest.(check (option string)) "who waited" ok
    (within t 10. "who waited" (fun () -> Eio.Promise.await_exn answered))
  [@@ocamlformat "disable"]

(* An address that has its share is refused, others are not. *)
let share (t : Live.t) =
  Suite.needs_program "ip";
  if Sys.command "ip addr add 10.0.0.2/24 dev tap0" <> 0 then Suite.skip "no second address";
  let from a : Eio.Net.Sockaddr.stream = `Tcp (World.address a, 0) in
  Eio.Switch.run @@ fun sw ->
  let half () =
    let c = connect t ~sw ~bind_to:(from World.kernel) in
    ask c "GET /one HTTP/1.1\r\n";
    c
  in
  let crowd = many 20 half in
  (match connect t ~sw ~bind_to:(from World.kernel) with
  | refused ->
      ask refused request;
      check t "over its share" None refused
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> ());
  let other = connect t ~sw ~bind_to:(from "10.0.0.2") in
  ask other request;
  check t "another address" ok other;
  List.iter (fun c -> ask c "Host: a\r\n\r\n") crowd;
  List.iter (check t "the share" ok) crowd;
  let again = connect t ~sw ~bind_to:(from World.kernel) in
  ask again request;
  check t "its idle ones give way" ok again

(* -- the device is taken away -------------------------------------------- *)

let delete name =
  Suite.needs_program "ip";
  Alcotest.(check int) "ip link delete" 0 (Sys.command ("ip link delete " ^ name))

let told name output =
  let lines = List.filter (( <> ) "") (String.split_on_char '\n' output) in
  if
    not
      (List.mem
         ("weir: " ^ name ^ " was deleted while it was in use: create it and start again")
         lines)
  then Alcotest.failf "not told: %s" output

let served (t : Live.t) =
  let device = match t.link with Tap -> "tap0" | Tun -> "tun0" | Packet | Xdp -> "weir0" in
  Live.answers t;
  delete device;
  Alcotest.(check int) "status" 1 (Programs.finish t.server);
  told device (Programs.output t.server);
  Alcotest.(check bool)
    "the summary" true
    (Programs.contains (Programs.output t.server) " responses; ")

let client sub arguments () =
  Weir_test.Netns.needed ();
  Eio_main.run @@ fun env ->
  Eio.Switch.run @@ fun sw ->
  let link = [ "--link"; "tap:tap0"; "--address"; World.weir ^ "/24" ] in
  let r = Programs.start ~sw env (Programs.weir sub (arguments @ link)) in
  let clock = Eio.Stdenv.clock env in
  Eio.Time.with_timeout_exn clock 10. (fun () ->
      (* Deleted before it is up, it could not be opened: another error. *)
      while Weir_tap.Interface.is_up "tap0" <> Ok true do
        Eio.Time.sleep clock 0.01
      done);
  delete "tap0";
  Alcotest.(check int) "status" 1 (Programs.finish r);
  told "tap0" (Programs.output r)

let served_case name arguments f =
  [
    Suite.case name (fun () -> Live.with_server ~record:false ~arguments f);
    Suite.case ("lwt: " ^ name) (fun () ->
        Live.with_server ~record:false ~arguments:([ "--driver"; "lwt" ] @ arguments) f);
  ]

let cases =
  let most = [ "--max-connections"; "100"; "--max-per-address"; "100" ] in
  served_case "silent clients give way" most silent
  @ served_case "idle clients give way" most kept_alive
  @ served_case "busy clients do not" most busy
  @ served_case "an address's share" [ "--max-per-address"; "20" ] share
  @ served_case "the device is deleted under serve" [] served
  @ [
      Suite.case "a veth pair is deleted under serve" (fun () ->
          Live.with_server ~link:Packet ~record:false served);
      Suite.case "a TUN device is deleted under serve" (fun () ->
          Live.with_server ~link:Tun ~record:false served);
      Suite.case "a veth pair is deleted under serve on an XDP socket" (fun () ->
          Live.with_server ~link:Xdp ~record:false served);
      Suite.case "deleted under ping" (client "ping" [ World.kernel; "-c"; "1000" ]);
      Suite.case "deleted under get" (client "get" [ "http://" ^ World.kernel ^ "/" ]);
      Suite.case "deleted under iperf" (client "iperf" [ "--listen"; "5001" ]);
      Suite.case "deleted under iperf, Lwt"
        (client "iperf" [ "--listen"; "5001"; "--driver"; "lwt" ]);
    ]
