open Weir_lab_harness

type subject = Eio | Eio_card of Space.device | Lwt | Kernel | Nginx | Rival of Rival.t

type task =
  | Memory of {
      transport : Driver.transport;
      offload : bool;
      bytes : int;
      pcap : bool;
      watched : bool;
    }
  | Bulk of { direction : [ `In | `Out ]; offload : bool; bytes : int }
  | Http of { connections : int; offload : bool; seconds : int }

let driver = function
  | Eio | Eio_card _ -> Some Eio_side.driver
  | Lwt -> Some Lwt_side.driver
  | Kernel | Nginx | Rival _ -> None

let device = function Eio_card d -> d | _ -> Space.Tap
let driver_exn s = match driver s with Some d -> d | None -> Child.failed "no such driver"

let can s task =
  match (s, task) with
  | (Eio | Lwt), _ | Eio_card Packet, (Bulk _ | Http _) -> true
  | Eio_card _, (Bulk { offload; _ } | Http { offload; _ }) -> not offload
  | Kernel, Bulk _ | Nginx, Http _ -> true
  | Rival r, (Bulk { offload; _ } | Http { offload; _ }) -> r.offload || not offload
  | (Eio_card _ | Kernel | Nginx | Rival _), _ -> false

let first_some a b = match a with Some _ -> a | None -> b ()

let built s () =
  match s with Rival r -> Rival.unavailable r | s -> Space.device_unavailable (device s)

let unavailable s = function
  | Memory _ -> None
  | Bulk _ -> first_some (Space.unavailable ()) (built s)
  | Http _ ->
      first_some (Space.unavailable ()) @@ fun () ->
      if not (Child.on_path "wrk") then Some "needs wrk"
      else if s = Nginx then Nginx.unavailable ()
      else built s ()

(* -- the command line of a worker ---------------------------------------- *)

let subjects =
  [
    ("eio", Eio);
    ("packet", Eio_card Packet);
    ("xdp", Eio_card Xdp);
    ("lwt", Lwt);
    ("kernel", Kernel);
    ("nginx", Nginx);
  ]
  @ List.map (fun r -> (r.Rival.name, Rival r)) Rival.all

let transports = [ ("tcp", Driver.Tcp); ("udp", Driver.Udp) ]
let directions = [ ("in", `In); ("out", `Out) ]
let name table v = fst (List.find (fun (_, w) -> w = v) table)

let arguments s t =
  name subjects s
  ::
  (match t with
  | Memory { transport; offload; bytes; pcap; watched } ->
      [
        "memory";
        name transports transport;
        string_of_bool offload;
        string_of_int bytes;
        string_of_bool pcap;
        string_of_bool watched;
      ]
  | Bulk { direction; offload; bytes } ->
      [ "bulk"; name directions direction; string_of_bool offload; string_of_int bytes ]
  | Http { connections; offload; seconds } ->
      [ "http"; string_of_int connections; string_of_bool offload; string_of_int seconds ])

let task_of_arguments = function
  | [ "memory"; transport; offload; bytes; pcap; watched ] ->
      Memory
        {
          transport = List.assoc transport transports;
          offload = bool_of_string offload;
          bytes = int_of_string bytes;
          pcap = bool_of_string pcap;
          watched = bool_of_string watched;
        }
  | [ "bulk"; direction; offload; bytes ] ->
      Bulk
        {
          direction = List.assoc direction directions;
          offload = bool_of_string offload;
          bytes = int_of_string bytes;
        }
  | [ "http"; connections; offload; seconds ] ->
      Http
        {
          connections = int_of_string connections;
          offload = bool_of_string offload;
          seconds = int_of_string seconds;
        }
  | args -> Child.failed "no such task: %s" (String.concat " " args)

(* -- measuring ----------------------------------------------------------- *)

(* The words that the program holds before it has a host are not the stack's. *)
let beyond resting (r : Reading.t) =
  if String.starts_with ~prefix:"live_words" r.metric then { r with value = r.value -. resting }
  else r

let memory s transport ~offload ~bytes ~pcap ~watched =
  let resting = Load.live_words () in
  let memory ~pcap =
    let seen, marks = if watched then Load.watch ~bytes else (ignore, fun () -> []) in
    let whole = (driver_exn s).memory transport ~offload ~bytes ~pcap ~seen in
    (* To count what lives takes time: a watched transfer has no rate of its own. *)
    List.map (beyond resting) (if watched then marks () else whole)
  in
  if not pcap then memory ~pcap:None
  else
    let file = Filename.temp_file "weir-lab" ".pcap" in
    Fun.protect ~finally:(fun () -> Sys.remove file) (fun () -> memory ~pcap:(Some file))

(* The other end has its own process, in this one's namespace or, if it is the
   kernel's, in one of its own. *)
let opposite s t ~offload ~seconds f =
  Child.within_worker ~seconds ("serve" :: arguments s t) @@ fun child ->
  if s = Kernel || s = Nginx then Space.join child ~offload;
  Child.await child "ready";
  f child

let seconds_for = function Memory _ | Bulk _ -> 30. | Http { seconds; _ } -> float seconds +. 15.

let measured s t =
  match t with
  | Memory { transport; offload; bytes; pcap; watched } ->
      memory s transport ~offload ~bytes ~pcap ~watched
  | Bulk { direction; offload; bytes } ->
      Space.enter ();
      opposite s t ~offload ~seconds:(seconds_for t) @@ fun child ->
      let rate = Kernel_side.transfer direction ~bytes in
      rate :: List.filter_map Reading.of_line (Child.lines child)
  | Http { connections; offload; seconds } ->
      Space.enter ();
      opposite s t ~offload ~seconds:(seconds_for t) @@ fun _ -> Wrk.run ~connections ~seconds

exception Stopped

(* A worker that is told to end stops what it started. *)
let heed_signals () =
  List.iter
    (fun s -> Sys.set_signal s (Signal_handle (fun _ -> raise Stopped)))
    [ Sys.sigterm; Sys.sigint; Sys.sigalrm ]

let serve s = function
  | Memory _ -> Child.failed "nothing to serve"
  | Bulk { direction; offload; bytes } -> (
      match s with
      | Rival r -> Rival.become r ~test:(name directions direction) ~offload ~bytes
      | Kernel -> Kernel_side.serve direction ~offload ~bytes
      | s ->
          List.iter Reading.print ((driver_exn s).bulk direction ~device:(device s) ~offload ~bytes)
      )
  | Http { offload; _ } -> (
      match s with
      | Rival r -> Rival.become r ~test:"http" ~offload ~bytes:0
      | Nginx ->
          heed_signals ();
          Nginx.serve ~offload
      | s -> (driver_exn s).http ~device:(device s) ~offload)

let act = function
  | word :: args when word = Scale.worker_word -> Scale.act args
  | "serve" :: s :: task -> serve (List.assoc s subjects) (task_of_arguments task)
  | s :: task ->
      heed_signals ();
      List.iter Reading.print (measured (List.assoc s subjects) (task_of_arguments task))
  | [] -> Child.failed "no task"

(* Whoever started a worker may have died: then an alarm ends it. *)
let bounded args =
  ignore (Unix.alarm 120);
  match act args with
  | () -> 0
  | exception Stopped -> 1
  | exception Child.Failed e ->
      Printf.eprintf "weir lab: %s\n%!" e;
      1
  | exception e ->
      Printf.eprintf "weir lab: %s: %s\n%!" (String.concat " " args) (Printexc.to_string e);
      1

let run_if_asked () =
  match Array.to_list Sys.argv with
  | _ :: word :: args when word = Child.worker_word ->
      Sys.set_signal Sys.sigpipe Signal_ignore;
      exit (bounded args)
  | _ -> ()

let measure s t =
  Child.within_worker ~seconds:(seconds_for t +. 10.) (arguments s t) @@ fun child ->
  List.filter_map Reading.of_line (Child.lines child)
