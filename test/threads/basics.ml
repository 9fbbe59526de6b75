open Weir_test
open Weir_threads
open Threads

let int = Alcotest.(check int)
let strings = Alcotest.(check (list string))
let run f = Lwt_main.run (start f)

exception Odd of int

let at_once () =
  let p = start (fun () -> await (Lwt.return 2) + 1) in
  Alcotest.(check bool) "resolved" false (Lwt.is_sleeping p);
  int "value" 3 (Lwt_main.run p);
  int "await of the resolved outside" 3 (await p)

let waits () =
  let p, u = Lwt.wait () in
  let log = ref [] in
  let say s = log := s :: !log in
  let t =
    start (fun () ->
        say "in";
        let v = await p in
        say "on";
        v * 2)
  in
  say "out";
  Alcotest.(check bool) "pending" true (Lwt.is_sleeping t);
  Lwt.wakeup u 21;
  int "value" 42 (Lwt_main.run t);
  strings "order" [ "in"; "out"; "on" ] (List.rev !log)

let nested () =
  let v =
    run (fun () ->
        let inner =
          start (fun () ->
              yield ();
              let innermost =
                start (fun () ->
                    yield ();
                    1)
              in
              10 + await innermost)
        in
        yield ();
        100 + await inner)
  in
  int "sum" 111 v

let from_bind () =
  let open Lwt.Infix in
  let p =
    Lwt.pause () >>= fun () ->
    start (fun () ->
        yield ();
        5)
    >|= fun v -> v + 1
  in
  int "value" 6 (Lwt_main.run p)

let outside () =
  let p, _ = Lwt.wait () in
  Alcotest.check_raises "await" Outside_start (fun () -> await p);
  let q = Lwt.bind (Lwt.pause ()) (fun () -> Lwt.return (await p)) in
  Alcotest.check_raises "in a callback" Outside_start (fun () -> Lwt_main.run q);
  let says = Printexc.to_string Outside_start in
  Alcotest.(check bool) "says what to do" true (String.ends_with ~suffix:"of its own)" says)

let raised () =
  Alcotest.check_raises "at once" (Odd 1) (fun () -> run (fun () -> raise (Odd 1)));
  Alcotest.check_raises "later" (Odd 2) (fun () ->
      run (fun () ->
          yield ();
          raise (Odd 2)));
  Alcotest.check_raises "awaited" (Odd 3) (fun () -> run (fun () -> await (Lwt.fail (Odd 3))));
  let v =
    run (fun () ->
        try
          await
            (start (fun () ->
                 yield ();
                 raise (Odd 4)))
        with Odd n -> n)
  in
  int "caught across threads" 4 v

let contains = Weir_test.Text.contains
let[@inline never] culprit n = if n > 0 then raise (Odd n) else n

let[@inline never] middle () =
  yield ();
  1 + culprit 9

let[@inline never] lost () = raise Not_found
let[@inline never] awaiting p = 1 + await p

let backtraces () =
  let was = Printexc.backtrace_status () in
  Printexc.record_backtrace true;
  Fun.protect ~finally:(fun () -> Printexc.record_backtrace was) @@ fun () ->
  let trace wrap =
    run (fun () ->
        match awaiting (wrap (start middle)) with
        | _ -> ""
        | exception Odd _ -> Printexc.get_backtrace ())
  in
  let has t name = Alcotest.(check bool) (name ^ " in " ^ t) true (contains t ("Basics." ^ name)) in
  let t = trace Fun.id in
  List.iter (has t) [ "culprit"; "middle"; "awaiting" ];
  (* passed on by plain Lwt: found by the exception *)
  let t = trace (Lwt.map succ) in
  List.iter (has t) [ "culprit"; "middle"; "awaiting" ];
  (* one without arguments may not borrow another's trace *)
  ignore (start lost);
  let t =
    run (fun () ->
        match await (Lwt.fail Not_found) with
        | () -> ""
        | exception Not_found -> Printexc.get_backtrace ())
  in
  Alcotest.(check bool) ("not borrowed: " ^ t) false (contains t "Basics.lost")

let deep () =
  let rec sum n =
    if n = 0 then (
      yield ();
      0)
    else n + sum (n - 1)
  in
  int "100,000 frames" 5_000_050_000 (run (fun () -> sum 100_000))

let long () =
  run (fun () ->
      for _ = 1 to 100_000 do
        yield ()
      done);
  (* a chain of threads, each waiting for the one before: no stack may pile up *)
  let p, u = Lwt.wait () in
  let rec chain n p = if n = 0 then p else chain (n - 1) (start (fun () -> 1 + await p)) in
  let last = chain 100_000 p in
  Lwt.wakeup u 0;
  int "chain" 100_000 (Lwt_main.run last)

let keys () =
  let key = Lwt.new_key () in
  let v =
    run (fun () ->
        let inside =
          Lwt.with_value key (Some "mine") (fun () ->
              start (fun () ->
                  yield ();
                  Lwt.get key))
        in
        yield ();
        yield ();
        (await inside, Lwt.get key))
  in
  Alcotest.(check (pair (option string) (option string))) "kept over a wait" (Some "mine", None) v

let sleeping () =
  let slept = ref 0. in
  run (fun () ->
      sleep
        (fun s ->
          slept := s;
          Lwt.pause ())
        2.5);
  Alcotest.(check (float 0.)) "timer" 2.5 !slept;
  Alcotest.check_raises "negative" (Invalid_argument "Threads.sleep: not a time") (fun () ->
      sleep Lwt_unix.sleep (-1.));
  run (fun () -> sleep Lwt_unix.sleep 0.)

(* The same program, bound by Lwt and direct, logs the same. *)
type program = Done | Log of int * program | Yield of program | Fork of program * program

let rec bound log = function
  | Done -> Lwt.return_unit
  | Log (n, k) ->
      log n;
      bound log k
  | Yield k -> Lwt.bind (Lwt.pause ()) (fun () -> bound log k)
  | Fork (a, b) ->
      let a = bound log a in
      let b = bound log b in
      Lwt.bind a (fun () -> b)

let rec direct log = function
  | Done -> ()
  | Log (n, k) ->
      log n;
      direct log k
  | Yield k ->
      yield ();
      direct log k
  | Fork (a, b) ->
      let a = start (fun () -> direct log a) in
      let b = start (fun () -> direct log b) in
      await a;
      await b

let program =
  QCheck2.Gen.(
    sized_size (int_bound 40)
    @@ fix (fun self n ->
        if n = 0 then pure Done
        else
          oneof
            [
              map2 (fun i k -> Log (i, k)) nat_small (self (n - 1));
              map (fun k -> Yield k) (self (n - 1));
              map2 (fun a b -> Fork (a, b)) (self (n / 2)) (self (n / 2));
            ]))

let same_as_lwt =
  QCheck2.Test.make ~name:"logs as bound Lwt code does" ~count:300 program (fun p ->
      let logged f =
        let l = ref [] in
        Lwt_main.run (f (fun n -> l := n :: !l));
        !l
      in
      logged (fun log -> bound log p) = logged (fun log -> start (fun () -> direct log p)))

let cases =
  Suite.
    [
      case "runs at once" at_once;
      case "waits" waits;
      case "nests" nested;
      case "from a bound function" from_bind;
      case "await outside start" outside;
      case "exceptions" raised;
      case "backtraces" backtraces;
      case "deep stack" deep;
      case "long runs" long;
      case "Lwt keys" keys;
      case "sleep" sleeping;
      qcheck same_as_lwt;
    ]
