module P = Weir_protobuf

let name c = (P.Codec.descriptor c).full_name

let binary c : _ Codec.t =
  let parts = P.Codec.Unsafe.parts c in
  let encode out v =
    let len = parts.size v in
    if len > P.Unsafe.Encode.largest then P.Unsafe.Encode.too_large ();
    let at = Output.reserve out len in
    if parts.write (Output.bytes out) (at + len) v <> at then P.Unsafe.Encode.changed ()
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
