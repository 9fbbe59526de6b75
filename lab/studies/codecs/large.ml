open Weir_lab_harness

(* Subject, program, and what is behind the format's name. *)
let subjects =
  [
    ("protobuf-bin", "weir", "");
    ("protobuf-bin-array", "weir", "-array");
    ("prost", "rust", "");
    ("cpp-protobuf", "cpp", "");
    ("go-protobuf", "go", "");
  ]

(* Beside this program, which is the command or a test. *)
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

let tests = [ "read"; "write" ]
let quota ~quick = if quick then Measure.quick else { Measure.rounds = 5; seconds = 0.25 }

(* One shape and size at a time, as a process may hold a gigabyte. *)
let one ~quick ~progress folder (shape : Shapes.t) (size, n) =
  let peers, missing = List.partition_map (start folder shape (shape.bytes n)) subjects in
  let named test = Printf.sprintf "large-%s-%s/%s" shape.name test size in
  let subject test { Peers.subject; peer } =
    Measure.elsewhere (subject ^ " " ^ named test) (Peer.run peer test)
  in
  let all test =
    Measure.all ~progress (quota ~quick) (List.map (subject test) peers)
    |> List.map2
         (fun { Peers.subject; _ } result -> { Tables.subject; test = named test; result })
         peers
  in
  Fun.protect
    ~finally:(fun () -> List.iter (fun p -> Peer.stop p.Peers.peer) peers)
    (fun () -> (List.concat_map all tests, missing))

let sizes ~quick = if quick then [ ("0.02", 20_000) ] else [ ("0.5", 500_000); ("40", 40_000_000) ]

let measure ~quick ~progress folder =
  let of_shape shape = List.map (one ~quick ~progress folder shape) (sizes ~quick) in
  let results, missing = List.split (List.concat_map of_shape Shapes.all) in
  (List.concat results, List.sort_uniq compare (List.concat missing))
