module Checksum = Weir_base.Checksum

type t = {
  mutable src_port : int;
  mutable dst_port : int;
  mutable seq : int;
  mutable ack : int;
  mutable syn : bool;
  mutable fin : bool;
  mutable rst : bool;
  mutable psh : bool;
  mutable urgent : int;
  mutable ece : bool;
  mutable cwr : bool;
  mutable window : int;
  mutable mss : int;
  mutable window_scale : int;
  mutable sack_permitted : bool;
  mutable sacks : (int * int) list;
  mutable ts_val : int;
  mutable ts_ecr : int;
  mutable user_timeout : int;
  mutable header_length : int;
  mutable data_length : int;
}

let shortest = 20

let base =
  {
    src_port = 0;
    dst_port = 0;
    seq = 0;
    ack = -1;
    syn = false;
    fin = false;
    rst = false;
    psh = false;
    urgent = -1;
    ece = false;
    cwr = false;
    window = 0;
    mss = -1;
    window_scale = -1;
    sack_permitted = false;
    sacks = [];
    ts_val = -1;
    ts_ecr = 0;
    user_timeout = -1;
    header_length = shortest;
    data_length = 0;
  }

let[@inline] get32 b off = Int32.to_int (Bytes.get_int32_be b off) land 0xffff_ffff
let[@inline] set32 b off n = Bytes.set_int32_be b off (Int32.of_int n)

(* The flag bits of byte 13. *)
let fin = 0x01
let syn = 0x02
let rst = 0x04
let psh = 0x08
let ack = 0x10
let urg = 0x20
let ece = 0x40
let cwr = 0x80

(* Option kinds; kinds 0 and 1 are single bytes. *)
let end_of_list = 0
let nop = 1
let kind_mss = 2
let kind_window_scale = 3
let kind_sack_permitted = 4
let kind_sack = 5
let kind_timestamps = 8
let kind_user_timeout = 28
let create () = { base with src_port = 0 }

(* Assigning a pointer runs the write barrier: skip it when both lists are empty. *)
let fill t b ~off ~len ~header_length ~mss ~window_scale ~sack_permitted ~sacks ~ts_val ~ts_ecr =
  let flags = Bytes.get_uint8 b (off + 13) in
  t.src_port <- Bytes.get_uint16_be b off;
  t.dst_port <- Bytes.get_uint16_be b (off + 2);
  t.seq <- get32 b (off + 4);
  t.ack <- (if flags land ack <> 0 then get32 b (off + 8) else -1);
  t.syn <- flags land syn <> 0;
  t.fin <- flags land fin <> 0;
  t.rst <- flags land rst <> 0;
  t.psh <- flags land psh <> 0;
  t.urgent <- (if flags land urg <> 0 then Bytes.get_uint16_be b (off + 18) else -1);
  t.ece <- flags land ece <> 0;
  t.cwr <- flags land cwr <> 0;
  t.window <- Bytes.get_uint16_be b (off + 14);
  t.mss <- mss;
  t.window_scale <- window_scale;
  t.sack_permitted <- sack_permitted;
  if t.sacks != sacks then t.sacks <- sacks;
  if t.user_timeout >= 0 then t.user_timeout <- -1;
  t.ts_val <- ts_val;
  t.ts_ecr <- ts_ecr;
  t.header_length <- header_length;
  t.data_length <- len - header_length

let rec sack_blocks b at n =
  if n = 0 then []
  else
    let block = (get32 b at, get32 b (at + 4)) in
    block :: sack_blocks b (at + 8) (n - 1)

(* The error for an option of [kind] with [size] bytes where [room] are left; [""] if valid. *)
let check_option ~kind ~size ~room =
  if size < 2 then "option length below 2"
  else if size > room then "option ends beyond the header"
  else if
    (kind = kind_mss && size <> 4)
    || (kind = kind_window_scale && size <> 3)
    || (kind = kind_sack_permitted && size <> 2)
    || (kind = kind_timestamps && size <> 10)
    || (kind = kind_user_timeout && size <> 4)
    || (kind = kind_sack && (size < 10 || (size - 2) land 7 <> 0))
  then "option of the wrong length"
  else ""

let with_options t b ~off ~len ~header_length =
  let stop = off + header_length in
  let at = ref (off + shortest) and wrong = ref "" in
  let mss = ref (-1) and window_scale = ref (-1) in
  let sack_permitted = ref false and sacks = ref [] in
  let ts_val = ref (-1) and ts_ecr = ref 0 and user_timeout = ref (-1) in
  while !at < stop && !wrong = "" && Bytes.get_uint8 b !at <> end_of_list do
    let i = !at in
    let kind = Bytes.get_uint8 b i in
    if kind = nop then at := i + 1
    else
      let size = if i + 1 < stop then Bytes.get_uint8 b (i + 1) else 0 in
      wrong := check_option ~kind ~size ~room:(stop - i);
      if !wrong = "" then (
        if kind = kind_mss then mss := Bytes.get_uint16_be b (i + 2)
        else if kind = kind_window_scale then window_scale := min 14 (Bytes.get_uint8 b (i + 2))
        else if kind = kind_sack_permitted then sack_permitted := true
        else if kind = kind_sack then sacks := sack_blocks b (i + 2) (size / 8)
        else if kind = kind_timestamps then (
          ts_val := get32 b (i + 2);
          ts_ecr := get32 b (i + 6))
        else if kind = kind_user_timeout then user_timeout := Bytes.get_uint16_be b (i + 2);
        at := i + size)
  done;
  if !wrong <> "" then Error.malformed ~at:(!at - off) !wrong
  else (
    fill t b ~off ~len ~header_length ~mss:!mss ~window_scale:!window_scale
      ~sack_permitted:!sack_permitted ~sacks:!sacks ~ts_val:!ts_val ~ts_ecr:!ts_ecr;
    if !user_timeout >= 0 then t.user_timeout <- !user_timeout;
    Ok ())

let no_options t b ~off ~len ~header_length ~ts_val ~ts_ecr =
  fill t b ~off ~len ~header_length ~mss:(-1) ~window_scale:(-1) ~sack_permitted:false ~sacks:[]
    ~ts_val ~ts_ecr;
  Ok ()

let read t ~pseudo b ~off ~len =
  if len < shortest then Error.truncated ~need:shortest ~have:len
  else
    let header_length = 4 * (Bytes.get_uint8 b (off + 12) lsr 4) in
    if header_length < shortest then Error.malformed ~at:12 "header length below 20"
    else if header_length > len then Error.truncated ~need:header_length ~have:len
    else if pseudo >= 0 && Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off ~len)) <> 0
    then Error Error.Bad_checksum
    else if Bytes.get_uint16_be b off = 0 then Error.malformed ~at:0 "source port 0"
    else if Bytes.get_uint16_be b (off + 2) = 0 then Error.malformed ~at:2 "destination port 0"
    else if header_length = shortest then
      no_options t b ~off ~len ~header_length ~ts_val:(-1) ~ts_ecr:0
    else if
      (* NOP, NOP, timestamps: the options of nearly every segment of an established connection. *)
      header_length = 32
      && Bytes.get_uint16_be b (off + 20) = 0x0101
      && Bytes.get_uint16_be b (off + 22) = 0x080a
    then
      no_options t b ~off ~len ~header_length
        ~ts_val:(get32 b (off + 24))
        ~ts_ecr:(get32 b (off + 28))
    else with_options t b ~off ~len ~header_length

let decode ~pseudo b ~off ~len =
  let t = create () in
  Result.map (fun () -> t) (read t ~pseudo b ~off ~len)

(* Linux pads options to words: SACK-permitted takes the place of the two NOPs before timestamps;
   each other option has its own NOPs. *)
let options_before_sacks t =
  (if t.mss >= 0 then 4 else 0)
  + (if t.ts_val >= 0 then 12 else if t.sack_permitted then 4 else 0)
  + (if t.window_scale >= 0 then 4 else 0)
  + if t.user_timeout >= 0 then 4 else 0

let rec count list most =
  match list with [] -> 0 | _ :: l -> if most = 0 then 0 else 1 + count l (most - 1)

let fitting_sacks t ~before = count t.sacks ((40 - before - 4) / 8)

let length t =
  let before = options_before_sacks t in
  let sacks = if t.sacks = [] then 0 else fitting_sacks t ~before in
  shortest + before + if sacks = 0 then 0 else 4 + (8 * sacks)

let rec emit_blocks b at sacks n =
  match sacks with
  | (left, right) :: rest when n > 0 ->
      set32 b at left;
      set32 b (at + 4) right;
      emit_blocks b (at + 8) rest (n - 1)
  | _ -> ()

let[@inline] word b at b0 b1 b2 b3 = set32 b at ((b0 lsl 24) lor (b1 lsl 16) lor (b2 lsl 8) lor b3)

let emit_options t b ~off =
  let at = ref (off + shortest) in
  if t.mss >= 0 then (
    word b !at kind_mss 4 (t.mss lsr 8) (t.mss land 0xff);
    at := !at + 4);
  if t.ts_val >= 0 then (
    if t.sack_permitted then word b !at kind_sack_permitted 2 kind_timestamps 10
    else word b !at nop nop kind_timestamps 10;
    set32 b (!at + 4) t.ts_val;
    set32 b (!at + 8) t.ts_ecr;
    at := !at + 12)
  else if t.sack_permitted then (
    word b !at nop nop kind_sack_permitted 2;
    at := !at + 4);
  if t.window_scale >= 0 then (
    word b !at nop kind_window_scale 3 t.window_scale;
    at := !at + 4);
  if t.user_timeout >= 0 then (
    word b !at kind_user_timeout 4 (t.user_timeout lsr 8) (t.user_timeout land 0xff);
    at := !at + 4);
  if t.sacks <> [] then
    let n = fitting_sacks t ~before:(!at - off - shortest) in
    if n > 0 then (
      word b !at nop nop kind_sack (2 + (8 * n));
      emit_blocks b (!at + 4) t.sacks n)

let flags t =
  (if t.fin then fin else 0)
  lor (if t.syn then syn else 0)
  lor (if t.rst then rst else 0)
  lor (if t.psh then psh else 0)
  lor (if t.ack >= 0 then ack else 0)
  lor (if t.urgent >= 0 then urg else 0)
  lor (if t.ece then ece else 0)
  lor if t.cwr then cwr else 0

let emit_header t ~length:header ~pseudo ~data_sum b ~off =
  (* A word at a time: each store checks its bounds. *)
  set32 b off ((t.src_port lsl 16) lor t.dst_port);
  set32 b (off + 4) t.seq;
  set32 b (off + 8) (if t.ack >= 0 then t.ack else 0);
  set32 b (off + 12) ((header lsl 26) lor (flags t lsl 16) lor t.window);
  set32 b (off + 16) (if t.urgent >= 0 then t.urgent else 0);
  if header > shortest then emit_options t b ~off;
  Bytes.set_uint16_be b (off + 16)
    (if data_sum < 0 then pseudo
     else
       let sum = Checksum.add (Checksum.sum b ~off ~len:header) data_sum in
       Checksum.finish (Checksum.add pseudo sum))

let emit t ~pseudo ~data_sum b ~off = emit_header t ~length:(length t) ~pseudo ~data_sum b ~off
let in_minutes = 0x8000

let user_timeout_seconds raw =
  if raw land in_minutes = 0 then raw else 60 * (raw land lnot in_minutes)

let user_timeout_of_seconds s =
  if s < in_minutes then Int.max 1 s else in_minutes lor Int.min (in_minutes - 1) (s / 60)

let pp_flags f t =
  let flags = flags t in
  if flags = 0 then Fmt.string f "none"
  else
    List.iter
      (fun (bit, c) -> if flags land bit <> 0 then Fmt.char f c)
      [
        (fin, 'F');
        (syn, 'S');
        (rst, 'R');
        (psh, 'P');
        (ack, '.');
        (urg, 'U');
        (ece, 'E');
        (cwr, 'W');
      ]

let pp_options f t =
  let comma = ref "" in
  let item pp =
    Fmt.string f !comma;
    comma := ",";
    pp ()
  in
  if t.mss >= 0 then item (fun () -> Fmt.pf f "mss %d" t.mss);
  if t.sack_permitted then item (fun () -> Fmt.string f "sackOK");
  if t.ts_val >= 0 then item (fun () -> Fmt.pf f "TS %d %d" t.ts_val t.ts_ecr);
  if t.window_scale >= 0 then item (fun () -> Fmt.pf f "ws %d" t.window_scale);
  if t.user_timeout >= 0 then
    item (fun () -> Fmt.pf f "user timeout %d s" (user_timeout_seconds t.user_timeout));
  if t.sacks <> [] then
    item (fun () ->
        Fmt.string f "sack";
        List.iter (fun (left, right) -> Fmt.pf f " %d:%d" left right) t.sacks)

let pp_segment f t =
  Fmt.pf f "%a seq=%d" pp_flags t t.seq;
  if t.ack >= 0 then Fmt.pf f " ack=%d" t.ack;
  if t.urgent >= 0 then Fmt.pf f " urgent=%d" t.urgent;
  Fmt.pf f " win=%d" t.window;
  if options_before_sacks t > 0 || t.sacks <> [] then Fmt.pf f " <%a>" pp_options t;
  Fmt.pf f " len %d" t.data_length

let pp f t = Fmt.pf f "TCP %d > %d %a" t.src_port t.dst_port pp_segment t
