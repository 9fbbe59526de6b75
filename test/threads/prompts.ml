open Weir_test
open Weir_threads

let int = Alcotest.(check int)
let strings = Alcotest.(check (list string))

let no_take () =
  int "value" 7 (Prompt.push (Prompt.create ()) (fun () -> 7));
  Alcotest.check_raises "exception" Exit (fun () ->
      Prompt.push (Prompt.create ()) (fun () -> raise Exit))

let abort () =
  let p = Prompt.create () in
  int "the rest is dropped" 3 (Prompt.push p (fun () -> 1 + Prompt.take p (fun _ -> 3)))

let resume () =
  let p = Prompt.create () in
  int "1 + 10, times 2" 22
    (Prompt.push p (fun () -> 1 + Prompt.take p (fun k -> 2 * Prompt.resume k 10)))

(* Each yields its elements through its own prompt; the inner one's elements pass
   the outer one's mark. *)
let two_prompts () =
  let outer = Prompt.create () and inner = Prompt.create () in
  let log = ref [] in
  let say s = log := s :: !log in
  let emit p s =
    Prompt.take p (fun k ->
        say s;
        Prompt.resume k ())
  in
  Prompt.push outer (fun () ->
      Prompt.push inner (fun () ->
          emit inner "i1";
          emit outer "o1";
          emit inner "i2");
      emit outer "o2");
  strings "order" [ "i1"; "o1"; "i2"; "o2" ] (List.rev !log)

(* [take] removes the mark while its body runs, [shift] leaves it. *)
let take_and_shift () =
  let p = Prompt.create () and q = Prompt.create () in
  Alcotest.check_raises "take in take" Prompt.No_prompt (fun () ->
      Prompt.push p (fun () -> Prompt.take p (fun _ -> Prompt.take p (fun _ -> ()))));
  int "shift in shift" 5
    (Prompt.push q (fun () -> Prompt.shift q (fun _ -> Prompt.shift q (fun _ -> 5))))

let no_prompt () =
  let p = Prompt.create () and q = Prompt.create () in
  Alcotest.check_raises "none" Prompt.No_prompt (fun () -> Prompt.take p (fun _ -> ()));
  Alcotest.check_raises "another" Prompt.No_prompt (fun () ->
      Prompt.push q (fun () -> Prompt.take p (fun _ -> ())))

let once () =
  let p = Prompt.create () in
  let kept = ref None in
  int "first" 4
    (Prompt.push p (fun () ->
         Prompt.take p (fun k ->
             kept := Some k;
             Prompt.resume k 4)));
  let k = Option.get !kept in
  Alcotest.check_raises "resume" Prompt.Used (fun () -> ignore (Prompt.resume k 5));
  Alcotest.check_raises "discard" Prompt.Used (fun () -> Prompt.discard k)

let discard () =
  let p = Prompt.create () in
  let log = ref [] in
  let piece = ref None in
  Prompt.push p (fun () ->
      Fun.protect
        ~finally:(fun () -> log := "released" :: !log)
        (fun () -> Prompt.take p (fun k -> piece := Some k)));
  strings "held" [] !log;
  Prompt.discard (Option.get !piece);
  strings "released" [ "released" ] !log

let error_inside () =
  let p = Prompt.create () in
  let r =
    Prompt.push p (fun () ->
        try Prompt.take p (fun k -> Prompt.resume_error k Not_found (Printexc.get_callstack 0))
        with Not_found -> "caught inside")
  in
  Alcotest.(check string) "where" "caught inside" r

(* A generator: the piece is kept between calls, over 100,000 elements. *)
type stream = End | More of int * (unit, stream) Prompt.piece

let generator () =
  let p = Prompt.create () in
  let yield x = Prompt.take p (fun k -> More (x, k)) in
  let rec walk n =
    if n > 0 then (
      yield n;
      walk (n - 1))
  in
  let rec sum acc = function End -> acc | More (x, k) -> sum (acc + x) (Prompt.resume k ()) in
  let step () =
    Prompt.push p (fun () ->
        walk 100_000;
        End)
  in
  int "sum" 5_000_050_000 (sum 0 (step ()))

let cases =
  Suite.
    [
      case "push alone" no_take;
      case "a piece dropped" abort;
      case "a piece resumed" resume;
      case "two prompts" two_prompts;
      case "take removes, shift keeps" take_and_shift;
      case "no prompt is an error" no_prompt;
      case "one shot" once;
      case "discard runs finalisers" discard;
      case "an error put in" error_inside;
      case "generator" generator;
    ]
