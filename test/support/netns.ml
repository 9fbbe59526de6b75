module Namespace = Weir_tap.Namespace

let why e = Fmt.str "%a" Weir_tap.Error.pp e
let reason = ref (Some "Netns.run was not called")

let enter () =
  match
    Result.bind (Namespace.enter ()) (fun () ->
        Namespace.sysctl "net.ipv4.tcp_congestion_control" "reno")
  with
  | Ok () -> None
  | Error e -> Some (why e)

let run main =
  reason := enter ();
  main ()

let apart () = Option.iter Suite.skip !reason
let or_skip = function Ok () -> () | Error e -> Suite.skip (why e)

let needed () =
  apart ();
  or_skip (Weir_tap.Tap.available ())

let possible () =
  or_skip (Namespace.possible ());
  or_skip (Weir_tap.Tap.available ())

let by_root () =
  let ids line = Scanf.sscanf line " %_d %_d %d" Fun.id in
  let map = In_channel.with_open_bin "/proc/self/uid_map" In_channel.input_all in
  let lines = List.filter (( <> ) "") (String.split_on_char '\n' map) in
  List.fold_left (fun n l -> n + ids l) 0 lines > 65_534

let needs_root () = if not (by_root ()) then Suite.skip "needs the machine's root"
