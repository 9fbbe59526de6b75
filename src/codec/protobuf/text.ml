let registry types c =
  let own = Codec.types c in
  match types with Some t -> Registry.union t own | None -> own

let[@inline never] encode ?types ?(unknown = false) c m =
  let s = Codec.encode c m in
  let b = Buffer.create 256 in
  Text_print.message (registry types c) ~unknown b ~indent:0 (Codec.descriptor c) (Walk.whole s)
    ~depth:Codec.max_depth;
  Buffer.contents b

let[@inline never] decode ?types ?memory c s =
  let c' = Codec.Unsafe.parts c in
  match
    let memory =
      match memory with Some n -> n | None -> Unfolding.default_memory (String.length s)
    in
    let lexer = Text_lexer.of_string s ~memory in
    let b = Buffer.create (Int.min 256 (String.length s)) in
    Text_parse.message (registry types c) lexer c'.descriptor ~depth:Codec.max_depth b;
    let bytes = Buffer.contents b and memory = Text_lexer.memory lexer in
    let n = String.length bytes in
    Unfolding.read ~memory c'.descriptor bytes 0 n (Budget.depth max_int) (fun depth ->
        c'.read c'.default bytes 0 n depth)
  with
  | m -> Ok m
  | exception Error.Error e -> Error e
