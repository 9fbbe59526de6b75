type taken = (string * string, Measure.reading) Hashtbl.t

type t = {
  quick : bool;
  index : int;
  part : int; (* the groups, in the study's order *)
  rng : Random.State.t;
  before : (string * string, int) Hashtbl.t; (* the largest batches *)
}

let quick t = t.quick
let index t = t.index

type part = t -> unit

let word = "lab-round"

(* Blocks that stay allocated, so that later blocks have other addresses. A load waits for an
   earlier store if the last 12 bits of their addresses are equal, which may make a buffer three
   times as slow. Studies allocate buffers when the program starts, after this module. *)
let heap =
  match Sys.argv with
  | [| _; w; _; _; index; seed |] when w = word ->
      let rng = Random.State.make [| int_of_string seed; int_of_string index; 1 |] in
      Array.init 64 (fun _ -> Bytes.create (Random.State.int rng 16_384))
  | _ -> [||]

(* -- the lines between the processes ---------------------------------------- *)

let fields = String.concat "\t"
let say l = print_string (fields l ^ "\n")
let one_line s = String.map (function '\t' | '\n' | '\r' -> ' ' | c -> c) s
let leave_out _ name why = say [ "left-out"; one_line name; one_line why ]

let record t ~group name (r : Measure.reading) =
  let floats = List.map (Printf.sprintf "%h") [ r.time; r.minor; r.major; r.promoted ] in
  let ints = List.map string_of_int [ r.runs; r.cpu_ns; r.wall_ns; r.largest ] in
  say (("reading" :: string_of_int t.part :: group :: name :: floats) @ ints)

let reading floats ints : Measure.reading =
  match (List.map float_of_string floats, List.map int_of_string ints) with
  | [ time; minor; major; promoted ], [ runs; cpu_ns; wall_ns; largest ] ->
      { time; minor; major; promoted; runs; cpu_ns; wall_ns; largest }
  | _ -> failwith "not a reading"

(* -- in the process of a round ---------------------------------------------- *)

let shuffled rng l =
  List.map (fun x -> (Random.State.bits rng, x)) l
  |> List.sort (fun (a, _) (b, _) -> Int.compare a b)
  |> List.map snd

let measure t ~group ~seconds subjects =
  let named = List.map (fun s -> (Measure.name s, s)) subjects in
  let vary largest = int_of_float (float largest *. (0.75 +. Random.State.float t.rng 0.5)) in
  let found =
    Measure.round ~vary ~seconds
      ~largest:(fun name -> Hashtbl.find_opt t.before (group, name))
      (shuffled t.rng subjects)
  in
  List.iter
    (fun (name, _) ->
      match List.assoc name found with
      | Ok reading -> record t ~group name reading
      | Error why -> leave_out t (group ^ " " ^ name) why)
    named

let read_sizes () =
  let before = Hashtbl.create 256 in
  let rec go () =
    match String.split_on_char '\t' (input_line stdin) with
    | [ group; name; largest ] ->
        Hashtbl.replace before (group, name) (int_of_string largest);
        go ()
    | _ -> ()
  in
  go ();
  before

let act parts ~quick ~index ~seed =
  let rng = Random.State.make [| seed; index |] in
  let before = read_sizes () in
  List.iter
    (fun (i, part) -> part { quick; index; part = i; rng; before })
    (shuffled rng (List.mapi (fun i part -> (i, part)) parts));
  Measure.keep heap

let run_if_asked parts =
  match Array.to_list Sys.argv with
  | [ _; w; study; how; index; seed ] when w = word -> (
      Sys.set_signal Sys.sigpipe Signal_ignore;
      let parts = Option.value (parts study) ~default:[] in
      match
        act parts ~quick:(how = "quick") ~index:(int_of_string index) ~seed:(int_of_string seed)
      with
      | () -> exit 0
      | exception e ->
          Printf.eprintf "weir lab: %s: %s\n%!" study
            (match e with Failure why -> why | e -> Printexc.to_string e);
          exit 1)
  | _ -> ()

(* -- in the process that starts them ----------------------------------------- *)

type results = {
  order : (int * (string * string)) list; (* with its part; the last recorded first *)
  rounds : taken list; (* the last first *)
  missing : (string * string) list;
  all : (string * Measure.t list) list;
}

let empty = { order = []; rounds = []; missing = []; all = [] }

let add_line (order, taken, missing) line =
  match String.split_on_char '\t' line with
  | "reading" :: part :: group :: name :: f0 :: f1 :: f2 :: f3 :: ints ->
      let key = (group, name) in
      let placed = (int_of_string part, key) in
      Hashtbl.replace taken key (reading [ f0; f1; f2; f3 ] ints);
      ((if List.mem placed order then order else placed :: order), taken, missing)
  | [ "left-out"; name; why ] ->
      (order, taken, if List.mem_assoc name missing then missing else (name, why) :: missing)
  | _ -> Child.failed "a round wrote a line that is not its own: %s" line

let known_sizes results =
  List.filter_map
    (fun (_, (group, name)) ->
      List.find_map (fun taken -> Hashtbl.find_opt taken (group, name)) results.rounds
      |> Option.map (fun (r : Measure.reading) -> fields [ group; name; string_of_int r.largest ]))
    results.order

let seconds = 600.

let run_round ~study ~quick ~index results =
  let rng = Random.State.make_self_init () in
  let environment =
    Array.append (Unix.environment ())
      [| "WEIR_LAB_ROOM=" ^ String.make (Random.State.int rng 4096) 'x' |]
  in
  let args =
    [
      word;
      study;
      (if quick then "quick" else "full");
      string_of_int index;
      string_of_int (Random.State.bits rng);
    ]
  in
  try
    Child.within ~environment ~seconds (Sys.executable_name :: args) @@ fun child ->
    Child.tell child (String.concat "\n" (known_sizes results @ [ "end" ]));
    let order, taken, missing =
      List.fold_left add_line
        (results.order, Hashtbl.create 256, results.missing)
        (Child.lines child)
    in
    Ok { order; rounds = taken :: results.rounds; missing; all = [] }
  with Child.Failed why -> Error why

let settled results =
  let order =
    List.rev results.order
    |> List.stable_sort (fun (p, _) (q, _) -> Int.compare p q)
    |> List.map snd
  in
  let rounds = Array.of_list (List.rev results.rounds) in
  let ts =
    List.map
      (fun (group, name) ->
        Measure.of_readings name
          (Array.map (fun taken -> Hashtbl.find_opt taken (group, name)) rounds))
      order
    |> Measure.settle
  in
  let groups =
    List.fold_left (fun l (g, _) -> if List.mem g l then l else g :: l) [] order |> List.rev
  in
  let both = List.combine order ts in
  let of_group g =
    (g, List.filter_map (fun ((g', _), t) -> if g' = g then Some t else None) both)
  in
  { results with all = List.map of_group groups }

let groups results = results.all
let group results name = Option.value (List.assoc_opt name results.all) ~default:[]

let warnings results =
  List.concat_map
    (fun (g, ms) -> List.map (fun (m : Measure.t) -> (g ^ " " ^ m.name, m)) ms)
    results.all
  |> Measure.warnings

let left_out results = List.rev results.missing
