let registry types (c : _ Codec.t) =
  match types with Some t -> Registry.union t c.types | None -> c.types

let encode ?types c m =
  let s = Codec.encode c m in
  let b = Buffer.create 256 in
  Json_print.message (registry types c) b c.descriptor (Walk.whole s) ~depth:Codec.max_depth;
  Buffer.contents b

let decode ?types ?(ignore_unknown = false) (c : _ Codec.t) s =
  match
    let lexer = Json_lexer.of_string s in
    let b = Buffer.create (String.length s) in
    Json_parse.message (registry types c) ~ignore_unknown lexer c.descriptor ~depth:Codec.max_depth
      b;
    Json_lexer.finish lexer;
    let bytes = Buffer.contents b in
    c.read c.default bytes 0 (String.length bytes) max_int
  with
  | m -> Ok m
  | exception Error.Error e -> Error e
