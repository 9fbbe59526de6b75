open Weir_lab_harness

(* Subject, program, and the suffix of the format's name. *)
let subjects =
  [
    ("protobuf-bin", "weir", "");
    ("protobuf-bin-array", "weir", "-array");
    ("prost", "rust", "");
    ("cpp-protobuf", "cpp", "");
    ("go-protobuf", "go", "");
  ]

(* In the folder of this program, which is the command or a test. *)
let own =
  let beside up = Filename.concat (Filename.dirname Sys.executable_name) up in
  List.find_opt Sys.file_exists
    [ beside "../lab/peers/weir/peer.exe"; beside "../../lab/peers/weir/peer.exe" ]

let program folder = function
  | "weir" -> Option.to_result own ~none:"its program has not been built"
  | name -> Peers.program folder name

let start folder (shape : Shapes.t) message (subject, name, suffix) =
  let started =
    Result.bind (program folder name) (fun path ->
        Peer.start path ~format:(shape.format ^ suffix) ~message)
  in
  match started with
  | Ok peer -> Either.Left { Peers.subject; peer }
  | Error why -> Either.Right (subject ^ ", large messages", why)

let tests = [ "read"; "write"; "write-into" ]
let prefix = "large-"

(* One shape and size at a time, because a process may use a gigabyte. *)
let part (shape : Shapes.t) ~quick ~every (size, n) session =
  if Session.quick session = quick && Session.index session mod every = 0 then begin
    let folder = Sys.getenv_opt "WEIR_PEERS" in
    let peers, missing = List.partition_map (start folder shape (shape.bytes n)) subjects in
    List.iter (fun (name, why) -> Session.leave_out session name why) missing;
    let measure test =
      Session.measure session
        ~group:(Printf.sprintf "%s%s-%s/%s" prefix shape.name test size)
        ~seconds:(if quick then 0.01 else 0.02)
        (List.map
           (fun { Peers.subject; peer } -> Measure.elsewhere subject (Peer.run peer test))
           peers)
    in
    Fun.protect
      ~finally:(fun () -> List.iter (fun p -> Peer.stop p.Peers.peer) peers)
      (fun () -> List.iter measure tests)
  end

(* The largest peers take seconds to start. *)
let sizes =
  [ (true, 1, ("0.02", 20_000)); (false, 1, ("0.5", 500_000)); (false, 2, ("40", 40_000_000)) ]

let parts =
  List.concat_map
    (fun shape -> List.map (fun (quick, every, size) -> part shape ~quick ~every size) sizes)
    Shapes.all
