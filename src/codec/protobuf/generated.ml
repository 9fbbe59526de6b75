module C = Codec
module D = Decode
module E = Encode
module I = Json_in
module J = Json_out
module K = Json_keys
module Layout = Layout

let codec (m : Layout.message) types default size write read : _ Codec.t =
  let encode v = Encode.to_string (size v) (fun b stop -> write b stop v) in
  let decode s = read default s 0 (String.length s) max_int in
  let way = Json_table.make m types ~default ~encode ~decode in
  {
    descriptor = m.descriptor;
    types;
    default;
    size;
    write;
    read;
    to_json = way.put;
    of_json = way.get;
  }

let codec_with_json (m : Layout.message) types default size write read to_json of_json : _ Codec.t =
  Json_table.set m types { put = to_json; get = of_json };
  { descriptor = m.descriptor; types; default; size; write; read; to_json; of_json }

let enum enum_name ~closed values : Descriptor.enum = { enum_name; values; closed }
