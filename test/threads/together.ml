open Weir_test
open Weir_threads
open Threads

let run f = Lwt_main.run (start f)

let yields n =
  for _ = 1 to n do
    yield ()
  done

let never () = await (fst (Lwt.task ()))

let both_ () =
  Alcotest.(check (pair int string))
    "values" (1, "b")
    (run (fun () ->
         both
           (fun () ->
             yields 3;
             1)
           (fun () ->
             yields 1;
             "b")));
  Alcotest.(check (pair int string))
    "at once" (1, "b")
    (run (fun () -> both (fun () -> 1) (fun () -> "b")));
  Alcotest.(check (list int))
    "all" [ 0; 1; 2; 3 ]
    (run (fun () ->
         all
           (List.init 4 (fun i () ->
                yields (4 - i);
                i))))

let one_fails () =
  let log = ref [] in
  let cleaning () =
    try never ()
    with Lwt.Canceled ->
      yields 5;
      log := "cleaned" :: !log
  in
  Alcotest.check_raises "the failure" Exit (fun () ->
      run (fun () ->
          ignore
            (both cleaning (fun () ->
                 yields 2;
                 raise Exit))));
  Alcotest.(check (list string)) "waited for" [ "cleaned" ] !log;
  Alcotest.check_raises "at once: the second never starts" Exit (fun () ->
      run (fun () -> ignore (both (fun () -> raise Exit) (fun () -> Alcotest.fail "started"))))

let first_ () =
  let released = ref false in
  let loser () = Fun.protect ~finally:(fun () -> released := true) never in
  Alcotest.(check int)
    "value" 2
    (run (fun () ->
         first loser (fun () ->
             yields 3;
             2)));
  Alcotest.(check bool) "loser released" true !released;
  Alcotest.check_raises "exception" Exit (fun () ->
      run (fun () ->
          first never (fun () ->
              yields 2;
              raise Exit)));
  Alcotest.(check int)
    "loser's late value is dropped" 1
    (run (fun () ->
         first
           (fun () ->
             yield ();
             1)
           (fun () -> try never () with Lwt.Canceled -> 9)));
  Alcotest.(check int)
    "at once" 7
    (run (fun () -> first (fun () -> 7) (fun () -> Alcotest.fail "started")))

let cancelled () =
  let released = ref 0 in
  let child () =
    Fun.protect
      ~finally:(fun () -> incr released)
      (fun () ->
        try never ()
        with Lwt.Canceled ->
          yields 2;
          raise Exit)
  in
  let t = start (fun () -> ignore (both child child)) in
  Lwt.cancel t;
  Alcotest.(check bool) "waits for its children" true (Lwt.is_sleeping t);
  Alcotest.check_raises "Canceled" Lwt.Canceled (fun () -> Lwt_main.run t);
  Alcotest.(check int) "both ended" 2 !released

let timeout () =
  let r =
    run (fun () ->
        first
          (fun () ->
            sleep Lwt_unix.sleep 0.001;
            "timeout")
          (fun () -> never ()))
  in
  Alcotest.(check string) "timer" "timeout" r;
  Alcotest.check_raises "none" (Invalid_argument "Threads.any: nothing to run") (fun () ->
      run (fun () -> any []))

let cases =
  Suite.
    [
      case "both, all" both_;
      case "one fails" one_fails;
      case "first" first_;
      case "cancelled" cancelled;
      case "timeout" timeout;
    ]
