module A' = Arrays
module C = Codec
module D = Decode
module E = Encode
module I = Json_in
module J = Json_out
module K = Json_keys
module N' = Number_lists
module Layout = Layout

external parts' : 'a Codec.t -> 'a Codec.Unsafe.parts = "%identity"

let codec layouts i types default write read : _ Codec.t =
  let m : Layout.message = layouts.(i) in
  let size v = Encode.size write v in
  let encode v = Encode.to_string (size v) (fun b stop -> write b stop v) in
  let decode s = read default s 0 (String.length s) max_int in
  let way = Json_table.make m types ~default ~encode ~decode in
  Codec.Unsafe.make
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

let codec_with_json layouts i types default write read to_json of_json : _ Codec.t =
  let m : Layout.message = layouts.(i) in
  let size v = Encode.size write v in
  Json_table.set m types { put = to_json; get = of_json };
  Codec.Unsafe.make
    { descriptor = m.descriptor; types; default; size; write; read; to_json; of_json }

let functions c =
  ( (fun s -> Codec.decode c s),
    (fun m -> Codec.encode c m),
    (fun s -> Json.decode c s),
    (fun m -> Json.encode c m),
    (fun s -> Text.decode c s),
    fun m -> Text.encode c m )

let enum enum_name ~closed values : Descriptor.enum = { enum_name; values; closed }
