open Weir_test
open Weir_flow
open Weir_flow_unix

let closed f =
  match f () with _ -> Alcotest.fail "not closed" | exception Flow.Error (Flow.Closed, _) -> ()

(* A switch in small: what a flow's constructor is given instead of a [close]. *)
let with_switch f =
  let hooks = ref [] in
  Fun.protect
    ~finally:(fun () -> List.iter (fun h -> h ()) !hooks)
    (fun () -> f (fun h -> hooks := h :: !hooks))

let limited_life () =
  let fa, fb = Unix.socketpair PF_UNIX SOCK_STREAM 0 in
  let kept =
    with_switch (fun on_release ->
        let a = Unix_flow.of_fd ~on_release fa and b = Unix_flow.of_fd ~on_release fb in
        Flow.write_string a "hello";
        a#shutdown_send;
        Alcotest.(check string) "to the end" "hello" (Flow.read_all b ~max:100);
        Flow.write_string b "back";
        b#shutdown_send;
        Alcotest.(check string) "half-closed" "back" (Flow.read_all a ~max:100);
        a)
  in
  closed (fun () -> Flow.read kept);
  Alcotest.check_raises "descriptor released"
    (Unix.Unix_error (EBADF, "fstat", ""))
    (fun () -> ignore (Unix.fstat fa))

let closable () =
  let fr, fw = Unix.pipe () in
  let r = Unix_flow.of_fd_closable fr and w = Unix_flow.of_fd_closable fw in
  Flow.write_string w "abc";
  (match Flow.cast w Flow.Closable with Some w -> w#close | None -> Alcotest.fail "no cast");
  w#close;
  closed (fun () -> Flow.write_string w "d");
  Alcotest.(check string) "all" "abc" (Flow.read_all r ~max:10);
  r#close

let errors () =
  let was = Sys.signal Sys.sigpipe Sys.Signal_ignore in
  Fun.protect ~finally:(fun () -> Sys.set_signal Sys.sigpipe was) @@ fun () ->
  let fr, fw = Unix.pipe () in
  Unix.close fr;
  let w = Unix_flow.of_fd_closable fw in
  (match Flow.write_string w "x" with
  | () -> Alcotest.fail "no error"
  | exception Flow.Error (Flow.Reset, _) -> ());
  (match Flow.read w with
  | _ -> Alcotest.fail "no error"
  | exception Flow.Error (Unix_flow.Unix (EBADF, "read"), pp) ->
      Alcotest.(check string) "printed" "read: Bad file descriptor" (Format.asprintf "%t" pp));
  w#close

let cases =
  Suite.
    [
      case "a switch limits its life" limited_life;
      case "a type with close" closable;
      case "errors" errors;
    ]
