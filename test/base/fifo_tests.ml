open Weir_base

(* A list is the model, the oldest first. [`Pop_nth n] of a queue with [length] elements takes the
   one at [n mod length], and the oldest takes its place. *)
let run steps =
  let t = Fifo.create ~dummy:(-1) in
  let take model n =
    let x = List.nth model n in
    let oldest = List.hd model in
    (x, List.tl (List.mapi (fun i y -> if i = n then oldest else y) model))
  in
  let step model = function
    | `Push x ->
        Fifo.push t x;
        model @ [ x ]
    | `Pop_nth n when model <> [] ->
        let n = n mod List.length model in
        let x, rest = take model n in
        if (if n = 0 then Fifo.pop t else Fifo.pop_nth t n) <> x then failwith "another element";
        rest
    | `Pop_nth n -> (
        match Fifo.pop_nth t n with
        | _ -> failwith "an element of an empty queue"
        | exception Invalid_argument _ -> model)
  in
  let left = List.fold_left step [] steps in
  List.length left = Fifo.length t && List.for_all (fun x -> Fifo.pop t = x) left

let model =
  let open QCheck2.Gen in
  let step = oneof [ map (fun x -> `Push x) nat; map (fun n -> `Pop_nth n) (int_bound 50) ] in
  QCheck2.Test.make ~name:"as a list" ~count:500 (list_size (int_bound 200) step) run

let cases = [ Weir_test.Suite.qcheck model ]
