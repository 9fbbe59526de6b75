open Weir_lab_harness

let chunk = 131_072
let pattern = String.init chunk (fun i -> Char.unsafe_chr (i * 7 land 255))
let piece n = if n = chunk then pattern else String.sub pattern 0 n
let datagram = 1500 - 20 - 8
let port = 5001
let http_port = 80

let page =
  let line = "It is this long since the study's answer was this long.\n" in
  String.init 2053 (fun i -> line.[i mod String.length line])

let live_words () =
  Gc.full_major ();
  float (Gc.stat ()).live_words

type meter = { wall : int; cpu : int; minor : float }

let begin_ () =
  Gc.full_major ();
  { wall = Clock.wall_ns (); cpu = Clock.cpu_ns (); minor = Gc.minor_words () }

let mbit_s ~bytes ns = float (8 * bytes) *. 1e3 /. float (max 1 ns)
let words m = Gc.minor_words () -. m.minor

let per_segment m ~segments =
  Reading.make "minor_words_per_segment" "words" (words m /. float (max 1 segments))

let marks ~bytes = List.map (fun share -> bytes * share / 100) [ 30; 60; 90; 100 ]

let watch ~bytes =
  let began = Clock.wall_ns () in
  let left = ref (marks ~bytes) and readings = ref [] and counting = ref 0 in
  let at mark =
    let now = Clock.wall_ns () in
    let read metric unit_ value =
      readings :=
        Reading.make (Printf.sprintf "%s/%g" metric (float mark /. 1e6)) unit_ value :: !readings
    in
    let ns = now - began - !counting in
    read "rate" "Mbit/s" (mbit_s ~bytes:mark ns);
    read "time" "ms" (float ns /. 1e6);
    read "live_words" "words" (live_words ());
    counting := !counting + Clock.wall_ns () - now
  in
  let rec seen total =
    match !left with
    | mark :: rest when total >= mark ->
        left := rest;
        at mark;
        seen total
    | _ -> ()
  in
  (seen, fun () -> List.rev !readings)

let end_ m ~bytes ~segments =
  let wall = Clock.wall_ns () - m.wall and cpu = Clock.cpu_ns () - m.cpu in
  let minor = per_segment m ~segments in
  [
    Reading.make "rate" "Mbit/s" (mbit_s ~bytes wall);
    Reading.make "rate_cpu" "Mbit/s" (mbit_s ~bytes cpu);
    Reading.make "time" "ms" (float wall /. 1e6);
    Reading.make "bytes" "bytes" (float bytes);
    minor;
    Reading.make "live_words" "words" (live_words ());
  ]
