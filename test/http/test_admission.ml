(* Who is let in, and who gives way: against a plain list, and case by case. *)

open Weir_http
open Weir_test

type connection = { name : string; mutable slot : Admission.slot option; mutable busy : bool }

let left = ref []

let enter t ?(address = "a") name =
  let c = { name; slot = None; busy = false } in
  let give_way () =
    if c.busy then false
    else (
      left := name :: !left;
      true)
  in
  match Admission.enter t ~address ~give_way with
  | Admitted slot ->
      c.slot <- Some slot;
      Ok c
  | Full -> Error "full"
  | Refused -> Error "refused"

let get = function Ok c -> c | Error why -> Alcotest.fail why
let idle c = Admission.idle (Option.get c.slot)
let leave c = Admission.leave (Option.get c.slot)

let is what expected = function
  | Ok _ -> Alcotest.(check string) what expected "admitted"
  | Error why -> Alcotest.(check string) what expected why

let have_left what expected =
  Alcotest.(check (list string)) what expected (List.rev !left);
  left := []

let oldest_first () =
  let t = Admission.create ~most:3 ~per_address:3 () in
  let a = get (enter t "a") and b = get (enter t "b") and c = get (enter t "c") in
  is "all are busy" "full" (enter t "d");
  idle b true;
  idle a true;
  idle c true;
  idle c false;
  is "one is idle" "admitted" (enter t "d");
  have_left "the oldest" [ "b" ];
  is "another" "admitted" (enter t "e");
  have_left "the next" [ "a" ];
  is "none is left" "full" (enter t "f");
  Alcotest.(check (pair int int)) "figures" (3, 2) (Admission.live t, Admission.gave_way t);
  leave b;
  idle b true;
  is "who has left has left" "full" (enter t "f");
  leave c;
  leave c;
  is "a slot is free" "admitted" (enter t "f");
  is "but one" "full" (enter t "g")

let busy_again () =
  let t = Admission.create ~most:2 ~per_address:2 () in
  let a = get (enter t "a") and b = get (enter t "b") in
  idle a true;
  idle b true;
  a.busy <- true;
  is "who has been sent something stays" "admitted" (enter t "c");
  have_left "the next" [ "b" ];
  is "and is idle no more" "full" (enter t "d");
  idle a false;
  idle a true;
  a.busy <- false;
  is "until it says so" "admitted" (enter t "d");
  have_left "then it goes" [ "a" ]

let one_address () =
  let t = Admission.create ~most:10 () in
  let mine = List.init 5 (fun i -> get (enter t ~address:"me" (string_of_int i))) in
  is "half of all" "refused" (enter t ~address:"me" "5");
  is "others are" "admitted" (enter t ~address:"you" "x");
  Alcotest.(check int) "counted" 1 (Admission.refused t);
  let yours = get (enter t ~address:"you" "y") in
  idle yours true;
  List.iter (fun c -> idle c true) (List.rev mine);
  is "its own give way" "admitted" (enter t ~address:"me" "6");
  have_left "the oldest of them" [ "4" ];
  List.iter leave mine;
  leave (get (enter t ~address:"me" "7"));
  is "room again" "admitted" (enter t ~address:"me" "8");
  have_left "nobody" []

let room () =
  let t = Admission.create ~most:1 () and calls = ref 0 in
  Admission.on_room t (fun () -> incr calls);
  let a = get (enter t "a") in
  idle a true;
  idle a false;
  Alcotest.(check int) "nobody waits" 0 !calls;
  is "full" "full" (enter t "b");
  idle a true;
  idle a false;
  Alcotest.(check int) "one is idle" 1 !calls;
  idle a true;
  Alcotest.(check int) "once" 1 !calls;
  idle a false;
  is "full again" "full" (enter t "b");
  leave a;
  Alcotest.(check int) "one has left" 2 !calls

let stop () =
  let t = Admission.create () in
  let a = get (enter t "a") and b = get (enter t "b") and c = get (enter t "c") in
  List.iter (fun c -> idle c true) [ a; b; c ];
  idle b false;
  c.busy <- true;
  Admission.close_idle t;
  have_left "idle ones" [ "a" ];
  Alcotest.(check int) "the others stay" 2 (Admission.live t)

let impossible () =
  let refuse f = match f () with _ -> Alcotest.fail "made" | exception Invalid_argument _ -> () in
  refuse (fun () -> Admission.create ~most:0 ());
  refuse (fun () -> Admission.create ~per_address:0 ());
  let t = Admission.create ~most:1 () in
  is "one address, one slot" "admitted" (enter t "a");
  is "which it waits for" "full" (enter t "b")

(* {1 Against a list} *)

type op = Enter of int | Idle of int | Busy of int | Leave of int

let gen_op =
  QCheck2.Gen.(
    oneof_weighted
      [
        (4, map (fun a -> Enter a) (int_range 0 3));
        (4, map (fun i -> Idle i) (int_range 0 20));
        (2, map (fun i -> Busy i) (int_range 0 20));
        (2, map (fun i -> Leave i) (int_range 0 20));
      ])

let print_op = function
  | Enter a -> Printf.sprintf "enter %d" a
  | Idle i -> Printf.sprintf "idle %d" i
  | Busy i -> Printf.sprintf "busy %d" i
  | Leave i -> Printf.sprintf "leave %d" i

type known = { id : int; address : int; since : int  (** idle since; -1 if it is not *) }

let ticks = ref 0
let most = 6
let per_address = 3

(* The model: who is in, and since when idle. *)
let model_enter known ~id ~address =
  let oldest l =
    List.filter (fun k -> k.since >= 0) l |> List.sort (fun a b -> compare a.since b.since)
  in
  let without gone = List.filter (fun k -> k.id <> gone.id) known in
  let its = List.filter (fun k -> k.address = address) known in
  let admit known = known @ [ { id; address; since = -1 } ] in
  if List.length its >= per_address then
    match oldest its with [] -> (known, "refused") | k :: _ -> (admit (without k), "admitted")
  else if List.length known >= most then
    match oldest known with [] -> (known, "full") | k :: _ -> (admit (without k), "admitted")
  else (admit known, "admitted")

let as_model =
  QCheck2.Test.make ~name:"as a list has it" ~count:500
    ~print:QCheck2.Print.(list print_op)
    QCheck2.Gen.(list_size (int_range 0 80) gen_op)
  @@ fun ops ->
  left := [];
  let t = Admission.create ~most ~per_address () in
  let slots = Hashtbl.create 16 in
  let step (known, id) op =
    let change i f =
      let i = if id = 0 then -1 else i mod id in
      Option.iter f (Hashtbl.find_opt slots i);
      List.exists (fun k -> k.id = i) known
    and set i since = List.map (fun k -> if k.id = i mod id then { k with since } else k) known in
    match op with
    | Enter address ->
        let expected_known, expected = model_enter known ~id ~address in
        let got =
          match enter t ~address:(string_of_int address) (string_of_int id) with
          | Ok c ->
              Hashtbl.replace slots id c;
              "admitted"
          | Error why -> why
        in
        if got <> expected then QCheck2.Test.fail_reportf "%s, not %s" got expected;
        (expected_known, id + 1)
    | Idle i ->
        let was_idle = id > 0 && List.exists (fun k -> k.id = i mod id && k.since >= 0) known in
        let here = change i (fun c -> idle c true) in
        incr ticks;
        ((if here && not was_idle then set i !ticks else known), id)
    | Busy i ->
        let here = change i (fun c -> idle c false) in
        ((if here then set i (-1) else known), id)
    | Leave i ->
        ignore (change i leave);
        ((if id = 0 then known else List.filter (fun k -> k.id <> i mod id) known), id)
  in
  let known, _ = List.fold_left step ([], 0) ops in
  Admission.live t = List.length known

let words () =
  let t = Admission.create () in
  let c = get (enter t "a") in
  let slot = Option.get c.slot in
  let before = Gc.minor_words () in
  for _ = 1 to 1_000 do
    Admission.idle slot true;
    Admission.idle slot false
  done;
  let words = Gc.minor_words () -. before in
  if words > 100. then Alcotest.failf "%.0f words" words

let groups =
  let case = Suite.case in
  [
    ( "admission",
      [
        case "the oldest gives way" oldest_first;
        case "not who is busy again" busy_again;
        case "a share for each address" one_address;
        case "room is told" room;
        case "stop" stop;
        case "limits" impossible;
        case "no words a request" words;
        Suite.qcheck as_model;
      ] );
  ]
