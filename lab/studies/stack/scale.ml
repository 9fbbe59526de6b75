open Weir_lab_harness

let sizes ~quick = [ 1; 10; 100; 1_000 ] @ if quick then [] else [ 10_000; 100_000 ]
let subject = "weir-core"

(* -- in a worker ----------------------------------------------------------- *)

let word_bytes = Sys.word_size / 8

(* The order of requests: connections that are neighbours in memory do not follow each other. *)
let shuffled n =
  let random = Random.State.make [| n |] and order = Array.init n Fun.id in
  for i = n - 1 downto 1 do
    let j = Random.State.int random (i + 1) in
    let x = order.(i) in
    order.(i) <- order.(j);
    order.(j) <- x
  done;
  order

(* Time and words of each of [count] calls of [f], after a warm-up. *)
let per_call t name count f =
  let segments = Crowd.segments t and words = Gc.minor_words () and began = Clock.cpu_ns () in
  for i = 0 to count - 1 do
    f i
  done;
  let time = float (Clock.cpu_ns () - began) and words = Gc.minor_words () -. words in
  let count = float count and segments = float (Crowd.segments t - segments) in
  [
    Reading.make (name ^ ".time") "ns" (time /. count);
    Reading.make (name ^ ".time_per_segment") "ns" (time /. segments);
    Reading.make (name ^ ".minor_words") "words" (words /. count);
    Reading.make (name ^ ".minor_words_per_segment") "words" (words /. segments);
  ]

let warm_and_measure t name count f =
  ignore (per_call t name (min count 2_000) f : Reading.t list);
  per_call t name count f

let measure ~connections:n ~count =
  let t = Crowd.create () in
  Crowd.grow t 1;
  let empty = Load.live_words () in
  Crowd.grow t n;
  let order = shuffled n in
  let all i =
    Crowd.request t order.(i mod n);
    Crowd.step t ~among:n
  in
  for i = 0 to n - 1 do
    all i
  done;
  Crowd.rest t;
  let idle = Load.live_words () -. empty in
  let each = float (word_bytes / 2) *. idle /. float (max 1 (n - 1)) in
  (* All connections make requests; one makes requests while the others are idle; one more is opened
     and closed while the others are idle. *)
  let all = warm_and_measure t "all" (max count n) all in
  Crowd.rest t;
  let one =
    warm_and_measure t "one" count (fun _ ->
        Crowd.request t 0;
        Crowd.step t ~among:1)
  in
  Crowd.rest t;
  let visits =
    warm_and_measure t "open" (count / 4) (fun _ ->
        Crowd.visit t;
        Crowd.step t ~among:1)
  in
  all @ one @ visits @ if n < 100 then [] else [ Reading.make "idle.bytes" "bytes" each ]

let worker_word = "scale"

let act = function
  | [ connections; count ] ->
      measure ~connections:(int_of_string connections) ~count:(int_of_string count)
      |> List.iter Reading.print
  | _ -> Child.failed "scale CONNECTIONS COUNT"

(* -- rows -------------------------------------------------------------------- *)

let test kind n = Printf.sprintf "scale-%s/%d" kind n

(* A reading [all.time] with 10 connections is [time/10] of the test [scale-all]. *)
let rows_of n rounds kind =
  let of_kind (r : Reading.t) =
    match String.split_on_char '.' r.metric with
    | [ k; metric ] when k = kind -> Some { r with metric = Printf.sprintf "%s/%d" metric n }
    | _ -> None
  in
  Rounds.rows subject ("scale-" ^ kind) (List.map (List.filter_map of_kind) rounds)

let measured = [ "all"; "one"; "open"; "idle" ]

let run ~quick ~progress =
  let rounds = if quick then 1 else 3 and count = if quick then 2_000 else 20_000 in
  let sizes = sizes ~quick in
  let results = List.map (fun n -> (n, ref [])) sizes and failures = ref [] in
  for round = 1 to rounds do
    List.iter
      (fun (n, readings) ->
        progress (Printf.sprintf "stack: %d connections, round %d of %d" n round rounds);
        match
          Child.within_worker ~seconds:60.
            [ worker_word; string_of_int n; string_of_int count ]
            (fun child -> List.filter_map Reading.of_line (Child.lines child))
        with
        | found -> readings := found :: !readings
        | exception Child.Failed e -> failures := e :: !failures)
      results
  done;
  ( List.concat_map (fun (n, readings) -> List.concat_map (rows_of n !readings) measured) results,
    !failures )

(* -- telling ------------------------------------------------------------------ *)

let find rows kind n metric =
  List.find_opt
    (fun (r : Row.t) -> (r.subject, r.test, r.metric) = (subject, test kind n, metric))
    rows

let kinds =
  [
    ("all", "a request, all ask in turn");
    ("one", "a request of one, the others idle");
    ("open", "open and close one, the others idle");
  ]

let caption =
  "Growth: two hosts in memory in one thread, virtual time, each connection asks twice a second; "
  ^ String.concat "; " (List.map (fun (kind, what) -> kind ^ ": " ^ what) kinds)

let value rows kind n metric =
  match find rows kind n metric with
  | Some (r : Row.t) -> Printf.sprintf "%.0f" r.value
  | None -> ""

let table rows =
  let line n =
    let cells (kind, _) =
      List.map
        (fun metric -> Table.Right (value rows kind n metric))
        [ "time"; "time_per_segment"; "minor_words" ]
    in
    (Table.Right (string_of_int n) :: List.concat_map cells kinds)
    @ [ Table.Right (value rows "idle" n "bytes") ]
  in
  let sizes = List.filter (fun n -> find rows "all" n "time" <> None) (sizes ~quick:false) in
  let headings =
    List.concat_map (fun (kind, _) -> [ kind ^ "\nns"; "ns a\nsegment"; "words" ]) kinds
  in
  Table.make (("connections" :: headings) @ [ "bytes each,\nidle" ]) (List.map line sizes)

let figures rows =
  let series metric (kind, what) =
    let at n = Option.map (fun (r : Row.t) -> r.value) (find rows kind n metric) in
    match at 1 with
    | Some first when first > 0. ->
        let point n = Option.map (fun v -> (Float.log10 (float n), v /. first)) (at n) in
        [
          {
            Plot.label = what;
            published_of = None;
            points = List.filter_map point (sizes ~quick:false);
          };
        ]
    | _ -> []
  in
  let figure title metric =
    match List.concat_map (series metric) kinds with
    | [] -> []
    | series ->
        [
          Plot.svg
            {
              title;
              x = "connections, powers of ten";
              y = "times that with one";
              log_y = false;
              series;
            };
        ]
  in
  figure "Time against the number of connections" "time"
  @ figure "Words against the number of connections" "minor_words"
