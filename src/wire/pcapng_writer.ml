let add16 = Buffer.add_uint16_le
let add32 b n = Buffer.add_int32_le b (Int32.of_int n)

let pad b =
  while Buffer.length b land 3 <> 0 do
    Buffer.add_char b '\000'
  done

(* The type, the length, the body, the length again. *)
let block kind fill =
  let body = Buffer.create 128 in
  fill body;
  pad body;
  let length = Buffer.length body + 12 in
  let b = Buffer.create length in
  add32 b kind;
  add32 b length;
  Buffer.add_buffer b body;
  add32 b length;
  Buffer.contents b

let longest_option = 65_535

let option b code s =
  let s = if String.length s <= longest_option then s else String.sub s 0 longest_option in
  add16 b code;
  add16 b (String.length s);
  Buffer.add_string b s;
  pad b

let comment = 1

let options b ?(comments = []) others =
  if comments <> [] || others <> [] then (
    List.iter (option b comment) comments;
    List.iter (fun (code, s) -> option b code s) others;
    option b 0 "")

let section b ~application =
  add32 b 0x1a2b3c4d;
  add16 b 1;
  add16 b 0;
  Buffer.add_int64_le b (-1L);
  options b [ (4, application) ]

let nanoseconds = "\009"

let description b ~snaplen ~interface =
  add16 b 1;
  add16 b 0;
  add32 b snaplen;
  options b [ (2, interface); (9, nanoseconds) ]

let header ~snaplen ~interface ~application =
  block 0x0a0d0d0a (section ~application) ^ block 1 (description ~snaplen ~interface)

(* The upper half comes first. *)
let add_time b time =
  add32 b (time lsr 32);
  add32 b (time land 0xffff_ffff)

let packet ~time ~original ?comments bytes ~off ~len =
  block 6 @@ fun b ->
  add32 b 0;
  add_time b time;
  add32 b len;
  add32 b original;
  Buffer.add_subbytes b bytes off len;
  pad b;
  options b ?comments []

let name b (address, name) =
  let octets = Ipaddr.to_octets address in
  add16 b (match address with Ipaddr.V4 _ -> 1 | V6 _ -> 2);
  add16 b (String.length octets + String.length name + 1);
  Buffer.add_string b octets;
  Buffer.add_string b name;
  Buffer.add_char b '\000';
  pad b

let names l =
  block 4 @@ fun b ->
  List.iter (name b) l;
  add32 b 0

let int64 n =
  let b = Bytes.create 8 in
  Bytes.set_int64_le b 0 (Int64.of_int n);
  Bytes.to_string b

let statistics ~time ~received ~dropped ?comments () =
  block 5 @@ fun b ->
  add32 b 0;
  add_time b time;
  options b ?comments [ (4, int64 received); (5, int64 dropped) ]
