(* Times and minor words of an operation. Subjects alternate in rounds; the shortest round counts. *)

let keep = ref (Obj.repr 0)

let time f n =
  let t = Unix.gettimeofday () in
  for _ = 1 to n do
    f ()
  done;
  (Unix.gettimeofday () -. t) /. float n *. 1e9

let table subjects ~against =
  let n = 20000 in
  let best = Array.make (List.length subjects) infinity in
  for _ = 1 to 15 do
    List.iteri (fun i (_, f) -> best.(i) <- Float.min best.(i) (time f n)) subjects
  done;
  let names = List.map fst subjects in
  let best_of name = best.(Option.get (List.find_index (String.equal name) names)) in
  List.iteri
    (fun i (name, f) ->
      let w = Gc.minor_words () in
      for _ = 1 to 1000 do
        f ()
      done;
      let words = (Gc.minor_words () -. w) /. 1000. in
      Printf.printf "%-36s %8.1f ns %8.1f minor words" name best.(i) words;
      List.iter
        (fun other -> Printf.printf "  %5.2f of %s" (best.(i) /. best_of other) other)
        against;
      print_newline ())
    subjects

(* bench.exe NAME TIMES only runs that subject, for a profiler. *)
let run subjects ~against =
  match Sys.argv with
  | [| _; name; times |] -> ignore (time (List.assoc name subjects) (int_of_string times) : float)
  | _ -> table subjects ~against
