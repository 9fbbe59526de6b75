module P = Weir_protobuf

let name (c : _ P.Codec.t) = c.descriptor.full_name

let binary (c : _ P.Codec.t) : _ Codec.t =
  let encode out v =
    let len = c.size v in
    if len > P.Encode.largest then P.Encode.too_large ();
    let at = Output.reserve out len in
    if c.write (Output.bytes out) (at + len) v <> at then P.Encode.changed ()
  in
  let decode b ~off ~len =
    Result.map_error P.Error.to_string (P.Codec.decode_bytes c b ~pos:off ~len)
  in
  { name = name c; encode; decode }

let json c =
  Codec.of_strings
    ~name:(name c ^ " as JSON")
    (P.Json.encode c)
    (fun s -> Result.map_error P.Error.to_string (P.Json.decode c s))
