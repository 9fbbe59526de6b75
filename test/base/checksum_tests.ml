module Checksum = Weir_base.Checksum
module Suite = Weir_test.Suite

(* RFC 1071 word for word. *)
let naive b ~off ~len =
  let sum = ref 0 in
  for i = 0 to len - 1 do
    let byte = Bytes.get_uint8 b (off + i) in
    sum := !sum + if i land 1 = 0 then byte lsl 8 else byte
  done;
  while !sum > 0xffff do
    sum := (!sum land 0xffff) + (!sum lsr 16)
  done;
  !sum

let random_bytes state n = Bytes.init n (fun _ -> Char.chr (Random.State.int state 256))
let state () = Random.State.make [| 1071 |]

let check_at b ~off ~len =
  let want = naive b ~off ~len in
  if Checksum.sum b ~off ~len <> want then
    Alcotest.failf "sum ~off:%d ~len:%d is %04x, should be %04x" off len (Checksum.sum b ~off ~len)
      want

let every_alignment () =
  let b = random_bytes (state ()) 700 in
  for off = 0 to 40 do
    for len = 0 to 600 do
      check_at b ~off ~len
    done
  done

let extremes () =
  List.iter
    (fun byte ->
      let b = Bytes.make 300_001 byte in
      List.iter
        (fun len -> check_at b ~off:1 ~len)
        [ 0; 1; 2; 3; 15; 16; 17; 1_460; 65_535; 131_072; 299_999; 300_000 ])
    [ '\000'; '\001'; '\127'; '\254'; '\255' ]

(* RFC 1071 §3's own example. *)
let published () =
  let b = Bytes.of_string "\x00\x01\xf2\x03\xf4\xf5\xf6\xf7" in
  Alcotest.(check int) "sum" 0xddf2 (Checksum.sum b ~off:0 ~len:8);
  Alcotest.(check int) "field" 0x220d (Checksum.finish 0xddf2)

let copied () =
  let state = state () in
  for _ = 1 to 2_000 do
    let src = random_bytes state (Random.State.int state 2_000) in
    let src_off = Random.State.int state (Bytes.length src + 1) in
    let len = Random.State.int state (Bytes.length src - src_off + 1) in
    let dst_off = Random.State.int state 20 in
    let dst = Bytes.make (dst_off + len + 10) '.' in
    let sum = Checksum.blit_sum src ~src_off dst ~dst_off ~len in
    Alcotest.(check int) "sum" (naive src ~off:src_off ~len) sum;
    let want = Bytes.make (Bytes.length dst) '.' in
    Bytes.blit src src_off want dst_off len;
    Alcotest.(check bytes) "copy" want dst
  done

let added =
  QCheck2.Test.make ~name:"pieces split at even places add up" ~count:2_000
    QCheck2.Gen.(pair string (int_bound 1_000))
    (fun (s, cut) ->
      let b = Bytes.of_string s in
      let len = Bytes.length b in
      let cut = min len (2 * cut) land lnot 1 in
      let sum =
        Checksum.add (Checksum.sum b ~off:0 ~len:cut) (Checksum.sum b ~off:cut ~len:(len - cut))
      in
      sum = naive b ~off:0 ~len)

let verified =
  QCheck2.Test.make ~name:"data with their checksum finish to 0" ~count:2_000
    QCheck2.Gen.(string_size (int_range 2 100))
    (fun s ->
      let b = Bytes.of_string s in
      Bytes.set_uint16_be b 0 0;
      let len = Bytes.length b in
      Bytes.set_uint16_be b 0 (Checksum.finish (Checksum.sum b ~off:0 ~len));
      Checksum.finish (Checksum.sum b ~off:0 ~len) = 0)

let raises what f =
  match f () with
  | (_ : int) -> Alcotest.failf "%s: no exception" what
  | exception Invalid_argument _ -> ()

let bounds () =
  let b = Bytes.create 10 and c = Bytes.create 5 in
  List.iter
    (fun (off, len) ->
      let what = Printf.sprintf "off %d len %d" off len in
      raises what (fun () -> Checksum.sum b ~off ~len);
      raises what (fun () -> Checksum.blit_sum b ~src_off:off (Bytes.create 100) ~dst_off:0 ~len);
      raises what (fun () -> Checksum.blit_sum (Bytes.create 100) ~src_off:0 b ~dst_off:off ~len))
    [ (-1, 1); (0, 11); (10, 1); (11, 0); (0, -1); (max_int, 1); (1, max_int); (5, min_int) ];
  raises "short target" (fun () -> Checksum.blit_sum b ~src_off:0 c ~dst_off:0 ~len:6);
  Alcotest.(check int) "nothing at the end" 0 (Checksum.sum b ~off:10 ~len:0)

let cases =
  [
    Suite.case "RFC 1071's example" published;
    Suite.case "every offset and length" every_alignment;
    Suite.case "long runs of one byte" extremes;
    Suite.case "sum while copying" copied;
    Suite.case "ranges are checked" bounds;
    Suite.qcheck added;
    Suite.qcheck verified;
  ]
