let registry types c =
  let own = Codec.types c in
  match types with Some t -> Registry.union t own | None -> own

(* The descriptor says of which strings the schema asks that they are UTF-8: those [Codec.encode]
   refuses, as always; others are shown as they can be. *)
let[@inline never] encode ?types c m =
  let types = registry types c in
  match Json_out.with_writer types (fun w -> (Codec.Unsafe.parts c).to_json w m) with
  | s -> s
  | exception Json_out.Not_utf8 ->
      Json_print.any_message types (Codec.descriptor c) (Codec.encode c m)

let try_encode ?types c m =
  match encode ?types c m with s -> Ok s | exception Error.Error e -> Error e

let[@inline never] decode ?types ?memory ?(ignore_unknown = false) c s =
  let types = registry types c in
  match
    let r = Json_in.make ?memory types ~ignore_unknown s in
    let m = (Codec.Unsafe.parts c).of_json r in
    Json_in.finish r;
    m
  with
  | m -> Ok m
  | exception Error.Error e ->
      Error { e with path = Json_trail.path types (Codec.descriptor c) s e }
