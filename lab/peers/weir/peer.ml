open Weir_lab_harness

let fail fmt =
  Printf.ksprintf
    (fun why ->
      prerr_endline why;
      exit 1)
    fmt

(* What is written is read first, and kept no longer than it is needed: another test would pay for
   the collector's way through it. *)
let serve bytes ~read ~write ~write_into =
  let kept = ref Bytes.empty in
  if not (String.equal (write (read bytes)) bytes) then fail "what was read is written otherwise";
  Gc.full_major ();
  Printf.printf "ready %d\n%!" (String.length bytes);
  let value = ref None in
  let prepared () =
    match !value with
    | Some v -> v
    | None ->
        let v = read bytes in
        value := Some v;
        Gc.full_major ();
        v
  in
  let timed n f =
    let cpu = Clock.cpu_ns () and wall = Clock.wall_ns () in
    for _ = 1 to n do
      f ()
    done;
    Printf.printf "%d %d\n%!" (Clock.cpu_ns () - cpu) (Clock.wall_ns () - wall)
  in
  let answer test n =
    match test with
    | "read" ->
        value := None;
        timed n (fun () -> Measure.keep (read bytes))
    | "write" ->
        let v = prepared () in
        timed n (fun () -> Measure.keep (write v))
    | "write-into" ->
        let v = prepared () in
        if Bytes.length !kept = 0 then kept := Bytes.create (String.length bytes);
        timed n (fun () -> Measure.keep (write_into v !kept))
    | "rw" ->
        let v = prepared () in
        timed n (fun () -> Measure.keep (read (write v)))
    | test -> fail "no test %s" test
  in
  In_channel.fold_lines (fun () line -> Scanf.sscanf line "%s %d" answer) () stdin

let decoded = function Ok v -> v | Error e -> fail "%s" (Weir_protobuf.Error.to_string e)

let serve_codec bytes codec =
  serve bytes
    ~read:(fun s -> decoded (Weir_protobuf.Codec.decode ~memory:max_int codec s))
    ~write:(Weir_protobuf.Codec.encode codec)
    ~write_into:(fun v b -> Weir_protobuf.Codec.encode_before codec v b ~stop:(Bytes.length b))

let () =
  match Sys.argv with
  | [| _; format; file |] -> (
      let bytes = In_channel.with_open_bin file In_channel.input_all in
      match format with
      | "numbers" -> serve_codec bytes Large_pb.Numbers.codec
      | "texts" -> serve_codec bytes Large_pb.Texts.codec
      | "nodes" -> serve_codec bytes Large_pb.Nodes.codec
      | "numbers-array" -> serve_codec bytes Large_array_pb.Numbers.codec
      | "texts-array" -> serve_codec bytes Large_array_pb.Texts.codec
      | "nodes-array" -> serve_codec bytes Large_array_pb.Nodes.codec
      | "protobuf" -> serve_codec bytes Payload_pb.Payload.codec
      | format -> fail "no format %s" format)
  | _ -> fail "usage: peer FORMAT FILE"
