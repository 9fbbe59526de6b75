module Heap = Weir_base.Heap
module Suite = Weir_test.Suite

type op = Add of int | Pop | Remove of int | Clear

let op =
  let open QCheck2.Gen in
  oneof_weighted
    [
      (10, map (fun k -> Add k) (int_range (-5) 5));
      (5, map (fun k -> Add k) int);
      (9, pure Pop);
      (4, map (fun k -> Remove k) (int_bound 100));
      (1, map (fun k -> if k = 0 then Clear else Pop) (int_bound 10));
    ]

let print = function
  | Add k -> Printf.sprintf "Add %d" k
  | Pop -> "Pop"
  | Remove k -> Printf.sprintf "Remove %d" k
  | Clear -> "Clear"

(* The model is a list of (key, number of arrival), kept sorted. *)
let step heap slots (model, arrivals) op =
  match op with
  | Add key ->
      Heap.add heap ~key arrivals;
      (List.sort compare ((key, arrivals) :: model), arrivals + 1)
  | Clear ->
      Heap.clear heap;
      ([], arrivals)
  | Remove k ->
      if model = [] then (model, arrivals)
      else
        let ((_, x) as gone) = List.nth model (k mod List.length model) in
        Heap.remove heap (Hashtbl.find slots x);
        (List.filter (fun e -> e <> gone) model, arrivals)
  | Pop -> (
      match (Heap.pop heap, model) with
      | None, [] -> (model, arrivals)
      | Some x, (_, y) :: rest when x = y -> (rest, arrivals)
      | _ -> QCheck2.Test.fail_report "wrong value popped")

let agrees heap model =
  Heap.length heap = List.length model
  && Heap.is_empty heap = (model = [])
  && Heap.min_key heap = match model with [] -> max_int | (key, _) :: _ -> key

let model =
  QCheck2.Test.make ~name:"a sorted list" ~count:1_000
    ~print:QCheck2.Print.(list print)
    QCheck2.Gen.(list_size (int_bound 200) op)
    (fun ops ->
      let slots = Hashtbl.create 16 in
      let heap = Heap.create ~moved:(Hashtbl.replace slots) () in
      let rec go state = function
        | [] -> true
        | op :: ops ->
            let ((model, _) as state) = step heap slots state op in
            agrees heap model
            && List.for_all (fun (_, x) -> Hashtbl.find slots x >= 0) model
            && go state ops
      in
      go ([], 0) ops)

let many () =
  let state = Random.State.make [| 5 |] in
  let heap = Heap.create () in
  for i = 1 to 50_000 do
    Heap.add heap ~key:(Random.State.int state 1_000) i
  done;
  let rec drain key value n =
    let next_key = Heap.min_key heap in
    match Heap.pop heap with
    | None -> n
    | Some next ->
        if next_key < key || (next_key = key && next < value) then Alcotest.fail "out of order";
        drain next_key next (n + 1)
  in
  Alcotest.(check int) "all came out" 50_000 (drain min_int 0 0)

(* What was popped must be collectable while others stay. *)
let nothing_kept_alive () =
  let heap = Heap.create () in
  let weak = Weak.create 100 in
  let put key =
    let value = ref key in
    Weak.set weak key (Some value);
    Heap.add heap ~key value
  in
  for key = 0 to 99 do
    put key
  done;
  for _ = 1 to 90 do
    ignore (Heap.pop heap)
  done;
  Gc.full_major ();
  for key = 0 to 89 do
    if Weak.check weak key then Alcotest.failf "value %d is still alive" key
  done;
  for key = 90 to 99 do
    if not (Weak.check weak key) then Alcotest.failf "value %d was lost" key
  done;
  Alcotest.(check int) "length" 10 (Heap.length heap)

let cases =
  [
    Suite.qcheck model;
    Suite.case "50,000 values leave in order" many;
    Suite.native "OCaml's heap" (Suite.case "popped values are not kept alive" nothing_kept_alive);
  ]
