open Eio.Std
open Client
module Suite = Weir_test.Suite
module Response = Weir_http.Response
module Admission = Weir_http.Admission
module Server = Weir_http_eio.Server
module Time = Weir_base.Time

let hello (request : Weir_http.Request.t) =
  match Weir_http.Request.path request.head with
  | "/" -> Response.text "hello\n"
  | "/fails" -> failwith "on purpose"
  | _ -> Weir_http.Handler.not_found request

let check_string = Alcotest.(check string)
let status answer = if String.length answer < 12 then answer else String.sub answer 9 3
let get flow = status (hear flow "hello\n")

(* -- on kernel sockets ----------------------------------------------------- *)

let kept_alive () =
  let lines = ref [] in
  on_kernel ~log:(fun l -> lines := l :: !lines) hello
  @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let flow = connect () in
  say flow (request "/");
  check_string "first" "200" (get flow);
  say flow (request "/" ^ request "/");
  check_string "second" "200" (get flow);
  check_string "third" "200" (get flow);
  Alcotest.(check int) "logged" 3 (List.length !lines);
  List.iter
    (fun l ->
      if not (String.starts_with ~prefix:"127.0.0.1 - - [" l) then Alcotest.failf "logged %S" l)
    !lines

let failing_handler () =
  let told = ref [] in
  on_kernel ~warn:(fun m -> told := m :: !told) hello
  @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let flow = connect () in
  say flow (request "/fails" ^ request "/");
  check_string "its own" "500" (status (hear flow "the server failed\n"));
  check_string "and the next" "200" (get flow);
  Alcotest.(check (list string)) "told" [ {|answering /fails: Failure("on purpose")|} ] !told

let many () =
  on_kernel hello @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  Fiber.all
    (List.init 50 (fun _ () ->
         let flow = connect () in
         for _ = 1 to 20 do
           say flow (request "/");
           check_string "status" "200" (get flow)
         done;
         Eio.Flow.close flow))

(* A client that ends within a request, or resets, is no failure of the server. *)
let gone_clients () =
  let told = ref [] in
  on_kernel ~warn:(fun m -> told := m :: !told) hello
  @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let half = connect () in
  say half "GET / HT";
  Eio.Flow.close half;
  let rude = connect () in
  say rude (request "/");
  Eio.Net.setsockopt rude Eio.Net.Sockopt.SO_LINGER (Some 0);
  Eio.Flow.close rude;
  let flow = connect () in
  say flow (request "/");
  check_string "the others" "200" (get flow);
  Alcotest.(check (list string)) "told" [] !told

let gives_way () =
  let admission = Admission.create ~most:2 ~per_address:2 () in
  on_kernel ~admission hello @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let first = connect () in
  say first (request "/");
  check_string "first" "200" (get first);
  let second = connect () in
  say second (request "/");
  check_string "second" "200" (get second);
  let third = connect () in
  say third (request "/");
  check_string "third" "200" (get third);
  check_string "who has waited longest" "closed" (ending first);
  say second (request "/");
  check_string "the other goes on" "200" (get second);
  Alcotest.(check (pair int int))
    "counted" (1, 2)
    (Admission.gave_way admission, Admission.live admission)

(* The bytes are in the kernel before the server can have seen them. *)
let just_gone_on () =
  let admission = Admission.create () in
  on_kernel ~admission hello @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let flow = connect () in
  say flow (request "/");
  check_string "first" "200" (get flow);
  (* The server has time to wait for the next. *)
  for _ = 1 to 20 do
    Fiber.yield ()
  done;
  let fd = Option.get (Eio_unix.Resource.fd_opt flow) and again = request "/" in
  let sent =
    Eio_unix.Fd.use_exn "write" fd (fun fd -> Unix.write_substring fd again 0 (String.length again))
  in
  Alcotest.(check int) "sent" (String.length again) sent;
  Alcotest.(check bool) "does not give way" false (Admission.make_way admission);
  check_string "second" "200" (get flow);
  let rec until_it_gives_way () =
    if not (Admission.make_way admission) then (
      Fiber.yield ();
      until_it_gives_way ())
  in
  until_it_gives_way ();
  check_string "then" "closed" (ending flow)

(* A handler that answers when it is told to. *)
let waiting () =
  let answer, resolve = Promise.create () and asked, set_asked = Promise.create () in
  let handler _ =
    ignore (Promise.try_resolve set_asked () : bool);
    Promise.await answer;
    Response.text "hello\n"
  in
  (handler, asked, resolve)

let full () =
  let handler, asked, answer = waiting () in
  let admission = Admission.create ~most:1 ~per_address:1 () in
  on_kernel ~admission handler @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let first = connect () in
  say first (request "/");
  Promise.await asked;
  let second = connect () in
  say second (request "/");
  Fiber.yield ();
  Alcotest.(check int) "one waits" 1 (Admission.live admission);
  Promise.resolve answer ();
  check_string "the first" "200" (get first);
  check_string "then the second" "200" (get second);
  check_string "to which the first gave way" "closed" (ending first)

let over_its_share () =
  let handler, asked, answer = waiting () in
  let admission = Admission.create ~most:3 ~per_address:1 () in
  on_kernel ~admission handler @@ fun ~sw:_ ~net:_ ~server:_ ~ran:_ ~connect ->
  let first = connect () in
  say first (request "/");
  Promise.await asked;
  let second =
    match connect () with
    | flow -> ending flow
    | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> "reset"
  in
  check_string "a second of one address" "reset" second;
  Promise.resolve answer ();
  check_string "the first" "200" (get first)

(* -- the end --------------------------------------------------------------- *)

(* The socket closes a moment after the server was told to stop. *)
let rec refused connect =
  match connect () with
  | flow ->
      ignore (ending flow : string);
      refused connect
  | exception Eio.Io (Eio.Net.E (Connection_failure (Refused _)), _) -> ()
  | exception Eio.Io (Eio.Net.E (Connection_reset _), _) -> refused connect

let drained () =
  let handler, asked, answer = waiting () in
  on_kernel handler @@ fun ~sw:_ ~net:_ ~server ~ran ~connect ->
  let idle = connect () and busy = connect () in
  say busy (request "/");
  Promise.await asked;
  Fiber.both
    (fun () -> Server.stop server)
    (fun () ->
      check_string "idle" "closed" (ending idle);
      refused connect;
      Promise.resolve answer ();
      let heard = hear busy "hello\n" in
      check_string "under way" "200" (status heard);
      check_string "then" "closed" (ending busy));
  Promise.await_exn ran

let cut () =
  let handler, asked, _ = waiting () in
  on_kernel handler @@ fun ~sw:_ ~net:_ ~server ~ran ~connect ->
  let busy = connect () in
  say busy (request "/");
  Promise.await asked;
  Server.stop ~timeout_ns:(Time.ms 20) server;
  Promise.await_exn ran;
  check_string "cut" "closed" (ending busy)

(* The second one in the Unix domain, whose clients have no address. *)
let two_sockets () =
  on_kernel hello @@ fun ~sw ~net ~server ~ran ~connect ->
  let path = Filename.temp_file "weir" ".sock" in
  Sys.remove path;
  let local = Eio.Net.listen ~sw ~backlog:4 net (`Unix path) in
  let also_ran = Fiber.fork_promise ~sw (fun () -> Server.run server local) in
  let ask flow =
    say flow (request "/");
    check_string "status" "200" (get flow)
  in
  ask (connect ());
  ask (Eio.Net.connect ~sw net (`Unix path));
  Server.stop server;
  Promise.await_exn ran;
  Promise.await_exn also_ran

(* -- in a simulated world, on virtual time --------------------------------- *)

type world = {
  connect : unit -> [ `Generic ] Eio.Net.stream_socket_ty r;
  seconds : unit -> float;
  sleep : float -> unit;
  server : Server.t;
}

let in_world ?(loss = 0.) ?timeouts ?admission handler f =
  Weir_sim.run ~seed:7 @@ fun world ->
  let lan = Weir_sim.lan world ~latency:(`Ms 5) ~loss in
  let a = Weir_sim.host world lan "10.0.0.1/24" and b = Weir_sim.host world lan "10.0.0.2/24" in
  Switch.run @@ fun sw ->
  let clock = a.mono_clock in
  let server = Server.create ~sw ~clock ?timeouts ?admission handler in
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:16 a.net (any 80) in
  let ran = Fiber.fork_promise ~sw (fun () -> Server.run server socket) in
  let to_server = `Tcp (Eio.Net.Ipaddr.of_raw "\010\000\000\001", 80) in
  let connect () =
    (Eio.Net.connect ~sw b.net to_server :> [ `Generic ] Eio.Net.stream_socket_ty r)
  in
  let began = Eio.Time.Mono.now clock in
  let seconds () = Mtime.Span.to_float_ns (Mtime.span began (Eio.Time.Mono.now clock)) /. 1e9 in
  f { connect; seconds; sleep = Eio.Time.Mono.sleep clock; server };
  Server.stop server;
  Promise.await_exn ran

let on_a_bad_link () =
  in_world ~loss:0.02 hello @@ fun w ->
  let ask _ () =
    let flow = w.connect () in
    for _ = 1 to 10 do
      say flow (request "/");
      check_string "status" "200" (get flow)
    done
  in
  Fiber.all (List.init 20 ask)

let between what low high s =
  if s < low || s > high then Alcotest.failf "%s: after %.2f s, not %g to %g" what s low high

let silent () =
  in_world hello @@ fun w ->
  check_string "ended" "closed" (ending (w.connect ()));
  between "silent" 10. 10.6 (w.seconds ())

let idle () =
  in_world hello @@ fun w ->
  let flow = w.connect () in
  say flow (request "/");
  check_string "status" "200" (get flow);
  check_string "ended" "closed" (ending flow);
  between "idle" 60. 60.6 (w.seconds ())

(* A client that takes nothing is reset, so that nothing waits for it. *)
let deaf () =
  let big = Response.text (String.make 8_000_000 'x') in
  in_world (fun _ -> big) @@ fun w ->
  let flow = w.connect () in
  say flow (request "/");
  w.sleep 40.;
  check_string "ended" "reset" (ending flow)

let slow_end () =
  let handler, asked, _ = waiting () in
  in_world handler @@ fun w ->
  let flow = w.connect () in
  say flow (request "/");
  Promise.await asked;
  let heard = ref "" in
  Fiber.both (fun () -> Server.stop w.server) (fun () -> heard := hear flow "hello\n");
  check_string "heard" "" !heard;
  between "cut" 5. 5.5 (w.seconds ())

(* -- without file descriptors ---------------------------------------------- *)

let port_of flow =
  let fd = Option.get (Eio_unix.Resource.fd_opt flow) in
  match Eio_unix.Fd.use_exn "getpeername" fd Unix.getpeername with
  | ADDR_INET (_, port) -> port
  | ADDR_UNIX _ -> assert false

(* In a process of its own, which may have few of them: the client's socket is
   there before the last is taken, and the kernel connects it. *)
let starving () =
  let told = ref [] in
  on_kernel ~warn:(fun m -> told := m :: !told) hello @@ fun ~sw ~net:_ ~server:_ ~ran:_ ~connect ->
  let first = connect () in
  let port = port_of first in
  say first (request "/");
  let first_status = get first in
  let second = Unix.socket ~cloexec:true PF_INET SOCK_STREAM 0 in
  let rec take_all taken =
    match Unix.openfile "/dev/null" [ O_RDONLY; O_CLOEXEC ] 0 with
    | fd -> take_all (fd :: taken)
    | exception Unix.Unix_error (EMFILE, _, _) -> taken
  in
  let taken = take_all [] in
  Unix.connect second (Unix.ADDR_INET (Unix.inet_addr_loopback, port));
  let second = Eio_unix.Net.import_socket_stream ~sw ~close_unix:true second in
  say second (request "/");
  let second_status = get second in
  let first_ending = ending first in
  List.iter Unix.close taken;
  Printf.printf "%s %s %s, told %d times\n%!" first_status second_status first_ending
    (List.length !told)

let starved () =
  let command = Filename.quote Sys.executable_name ^ " starving" in
  let out = Unix.open_process_in ("ulimit -n 64; exec " ^ command) in
  let said = In_channel.input_all out in
  Alcotest.(check bool) "ended well" true (Unix.close_process_in out = WEXITED 0);
  check_string "the first gave way" "200 200 closed, told 1 times\n" said

let () =
  if Array.mem "starving" Sys.argv then starving ()
  else
    Suite.run "http_eio"
      [
        ( "kernel",
          [
            Suite.case "requests on one connection" kept_alive;
            Suite.case "fifty clients" many;
            Suite.case "a handler that fails" failing_handler;
            Suite.case "clients that leave" gone_clients;
            Suite.case "an idle connection gives way" gives_way;
            Suite.case "one that has just gone on does not" just_gone_on;
            Suite.case "no room" full;
            Suite.case "an address with its share" over_its_share;
            Suite.case "no file descriptor left" starved;
            Suite.case "two sockets" two_sockets;
          ] );
        ( "end",
          [
            Suite.case "responses under way are finished" drained;
            Suite.case "the time is over" cut;
            Suite.case "the time is over, in a world" slow_end;
          ] );
        ( "world",
          [
            Suite.case "twenty clients on a lossy link" on_a_bad_link;
            Suite.case "a silent client" silent;
            Suite.case "an idle client" idle;
            Suite.case "a client that does not read" deaf;
          ] );
        ("words", Words.cases);
      ]
