(* main [-p PARAMETER] REQUEST... FILE...: writes FILEs, b_pb.ml and b_pb.mli for a/b.proto, as
   protoc-gen-weir makes them of the schemas in REQUESTs, files whose names end in .request. *)

let fail why =
  prerr_endline ("from_request: " ^ why);
  exit 2

let () =
  let parameter, files =
    match List.tl (Array.to_list Sys.argv) with
    | "-p" :: parameter :: files -> (Some parameter, files)
    | files -> (None, files)
  in
  let requests, targets = List.partition (String.ends_with ~suffix:".request") files in
  let name target = Filename.(remove_extension (basename target)) in
  let names = List.sort_uniq compare (List.map name targets) in
  match Weir_from_request.From_request.(generate ?parameter (read requests) names) with
  | files ->
      List.iter
        (fun target ->
          match List.assoc_opt (Filename.basename target) files with
          | Some content -> Out_channel.with_open_bin target (fun oc -> output_string oc content)
          | None -> fail (target ^ " is neither an .ml nor an .mli"))
        targets
  | exception (Failure why | Sys_error why) -> fail why
