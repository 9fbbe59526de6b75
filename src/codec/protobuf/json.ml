let registry types (c : _ Codec.t) =
  match types with Some t -> Registry.union t c.types | None -> c.types

let[@inline never] encode ?types (c : _ Codec.t) m =
  Json_out.with_writer (registry types c) (fun w -> c.to_json w m)

(* The slow way, through the encoding, keeps track of where it is: it is asked
   what was wrong once something was. *)
let explain types ~ignore_unknown (c : _ Codec.t) s (e : Error.t) =
  match
    let lexer = Json_lexer.of_string s in
    let b = Buffer.create 256 in
    Json_parse.message types ~ignore_unknown lexer c.descriptor ~depth:Codec.max_depth b;
    Json_lexer.finish lexer
  with
  | () -> e
  | exception Error.Error e -> e

let[@inline never] decode ?types ?(ignore_unknown = false) (c : _ Codec.t) s =
  let types = registry types c in
  match
    let r = Json_in.make types ~ignore_unknown s in
    let m = c.of_json r in
    Json_in.finish r;
    m
  with
  | m -> Ok m
  | exception Error.Error e -> Error (explain types ~ignore_unknown c s e)
