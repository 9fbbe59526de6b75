type kind = Discover | Offer | Request | Decline | Ack | Nak | Release | Inform

type t = {
  reply : bool;
  kind : kind;
  hops : int;
  xid : int;
  secs : int;
  broadcast : bool;
  ciaddr : Ip.t;
  yiaddr : Ip.t;
  siaddr : Ip.t;
  giaddr : Ip.t;
  chaddr : Mac.t;
  sname : string;
  file : string;
  options : (int * string) list;
  shortest : int;
}

let client_port = 68
let server_port = 67

(* Offsets of the fields. *)
let chaddr_at = 28
let sname_at = 44
let file_at = 108
let magic_at = 236
let options_at = 240
let magic = 0x63825363l

(* Codes that this file itself reads. *)
let pad = 0
let overload = 52
let message_type = 53
let end_ = 255

let base =
  {
    reply = false;
    kind = Discover;
    hops = 0;
    xid = 0;
    secs = 0;
    broadcast = false;
    ciaddr = Ip.any;
    yiaddr = Ip.any;
    siaddr = Ip.any;
    giaddr = Ip.any;
    chaddr = Mac.of_int 0;
    sname = "";
    file = "";
    options = [];
    shortest = 300;
  }

let option t code = List.assoc_opt code t.options
let kinds = [| Discover; Offer; Request; Decline; Ack; Nak; Release; Inform |]

let number_of_kind = function
  | Discover -> 1
  | Offer -> 2
  | Request -> 3
  | Decline -> 4
  | Ack -> 5
  | Nak -> 6
  | Release -> 7
  | Inform -> 8

(* -- options ------------------------------------------------------------- *)

(* The parts of each value by code, and the codes, both in reverse order. *)
type gathered = { parts : string list array; mutable codes : int list }

let add g code value =
  if g.parts.(code) = [] then g.codes <- code :: g.codes;
  g.parts.(code) <- value :: g.parts.(code)

(* How a field's options end. *)
type ending = Ended | Unended | Beyond of int  (** where the last one would end *)

let rec gather g b ~at ~stop =
  if at = stop then Unended
  else
    let code = Bytes.get_uint8 b at in
    if code = pad then gather g b ~at:(at + 1) ~stop
    else if code = end_ then Ended
    else if at + 1 = stop then Beyond (at + 2)
    else
      let next = at + 2 + Bytes.get_uint8 b (at + 1) in
      if next > stop then Beyond next
      else (
        add g code (Bytes.sub_string b (at + 2) (next - at - 2));
        gather g b ~at:next ~stop)

let value g code = String.concat "" (List.rev g.parts.(code))

(* For [sname] or [file]. A missing end option is accepted there, because the field has a fixed
   length. *)
let gather_field g b ~off ~at ~length =
  match gather g b ~at:(off + at) ~stop:(off + at + length) with
  | Ended | Unended -> Ok ()
  | Beyond _ -> Error.malformed ~at "an option reaches beyond its field"

let ( let* ) = Result.bind

(* File first (RFC 2131 §4.1). *)
let gather_overloaded g b ~off =
  let file () = gather_field g b ~off ~at:file_at ~length:(magic_at - file_at) in
  let sname () = gather_field g b ~off ~at:sname_at ~length:(file_at - sname_at) in
  match value g overload with
  | "" when g.parts.(overload) = [] -> Ok 0
  | "\001" -> Result.map (fun () -> 1) (file ())
  | "\002" -> Result.map (fun () -> 2) (sname ())
  | "\003" ->
      let* () = file () in
      Result.map (fun () -> 3) (sname ())
  | _ -> Error.malformed ~at:options_at "option overload is not 1, 2 or 3"

let kind_of g =
  match value g message_type with
  | "" when g.parts.(message_type) = [] -> Error.malformed ~at:options_at "no message type"
  | s when String.length s = 1 && s.[0] >= '\001' && s.[0] <= '\008' ->
      Ok kinds.(Char.code s.[0] - 1)
  | _ -> Error.malformed ~at:options_at "unknown message type"

let rest g =
  List.fold_left
    (fun all code ->
      if code = overload || code = message_type then all else (code, value g code) :: all)
    [] g.codes

let rec without_zeros b ~at ~length =
  if length > 0 && Bytes.get_uint8 b (at + length - 1) = 0 then
    without_zeros b ~at ~length:(length - 1)
  else Bytes.sub_string b at length

(* -- both ways ----------------------------------------------------------- *)

let check b ~off ~len =
  if len <= options_at then Error.truncated ~need:(options_at + 1) ~have:len
  else
    let op = Bytes.get_uint8 b off in
    if op <> 1 && op <> 2 then Error.malformed ~at:0 "neither a request nor a reply"
    else if Bytes.get_uint8 b (off + 1) <> 1 then Error.malformed ~at:1 "hardware is not Ethernet"
    else if Bytes.get_uint8 b (off + 2) <> 6 then
      Error.malformed ~at:2 "length of the hardware address is not 6"
    else if Bytes.get_int32_be b (off + magic_at) <> magic then
      Error.malformed ~at:magic_at "no magic cookie"
    else Ok (op = 2)

let decode b ~off ~len =
  let* reply = check b ~off ~len in
  let g = { parts = Array.make 256 []; codes = [] } in
  let* () =
    match gather g b ~at:(off + options_at) ~stop:(off + len) with
    | Ended -> Ok ()
    | Unended -> Error.truncated ~need:(len + 1) ~have:len
    | Beyond next -> Error.truncated ~need:(next - off) ~have:len
  in
  let* overloaded = gather_overloaded g b ~off in
  let* kind = kind_of g in
  let address at = Ip.get b (off + at) ~length:Ip.v4_length in
  let text bit ~at ~stop =
    if overloaded land bit <> 0 then "" else without_zeros b ~at:(off + at) ~length:(stop - at)
  in
  Ok
    {
      reply;
      kind;
      hops = Bytes.get_uint8 b (off + 3);
      xid = Int32.to_int (Bytes.get_int32_be b (off + 4)) land 0xffff_ffff;
      secs = Bytes.get_uint16_be b (off + 8);
      broadcast = Bytes.get_uint8 b (off + 10) land 0x80 <> 0;
      ciaddr = address 12;
      yiaddr = address 16;
      siaddr = address 20;
      giaddr = address 24;
      chaddr = Mac.get b (off + chaddr_at);
      sname = text 2 ~at:sname_at ~stop:file_at;
      file = text 1 ~at:file_at ~stop:magic_at;
      options = rest g;
      shortest = len;
    }

let longest_part = 255

(* An empty value still has one part. *)
let parts value = Int.max 1 ((String.length value + longest_part - 1) / longest_part)

let length t =
  let option n (_, value) = n + (2 * parts value) + String.length value in
  Int.max t.shortest (List.fold_left option (options_at + 3) t.options + 1)

let rec emit_option b at code value ~from =
  let n = Int.min longest_part (String.length value - from) in
  Bytes.set_uint8 b at code;
  Bytes.set_uint8 b (at + 1) n;
  Bytes.blit_string value from b (at + 2) n;
  let at = at + 2 + n and from = from + n in
  if from < String.length value then emit_option b at code value ~from else at

let emit t b ~off =
  if String.length t.sname > file_at - sname_at || String.length t.file > magic_at - file_at then
    invalid_arg "Dhcpv4.emit: name too long";
  Bytes.fill b off (length t) '\000';
  Bytes.set_uint8 b off (if t.reply then 2 else 1);
  Bytes.set_uint16_be b (off + 1) 0x0106;
  Bytes.set_uint8 b (off + 3) t.hops;
  Bytes.set_int32_be b (off + 4) (Int32.of_int t.xid);
  Bytes.set_uint16_be b (off + 8) t.secs;
  Bytes.set_uint16_be b (off + 10) (if t.broadcast then 0x8000 else 0);
  Ip.set b (off + 12) t.ciaddr;
  Ip.set b (off + 16) t.yiaddr;
  Ip.set b (off + 20) t.siaddr;
  Ip.set b (off + 24) t.giaddr;
  Mac.set b (off + chaddr_at) t.chaddr;
  Bytes.blit_string t.sname 0 b (off + sname_at) (String.length t.sname);
  Bytes.blit_string t.file 0 b (off + file_at) (String.length t.file);
  Bytes.set_int32_be b (off + magic_at) magic;
  let kind = String.make 1 (Char.chr (number_of_kind t.kind)) in
  let at = emit_option b (off + options_at) message_type kind ~from:0 in
  let at =
    List.fold_left (fun at (code, value) -> emit_option b at code value ~from:0) at t.options
  in
  Bytes.set_uint8 b at end_

(* -- printing ------------------------------------------------------------ *)

let pp_kind f kind =
  Fmt.string f
    (match kind with
    | Discover -> "discover"
    | Offer -> "offer"
    | Request -> "request"
    | Decline -> "decline"
    | Ack -> "ack"
    | Nak -> "nak"
    | Release -> "release"
    | Inform -> "inform")

let pp f t =
  let address what a = if not (Ip.is_any a) then Fmt.pf f " %s %a" what Ip.pp a in
  let option what code length get =
    match option t code with
    | Some s when String.length s = length -> Fmt.pf f " %s %s" what (get (Bytes.of_string s))
    | _ -> ()
  in
  let of_address b = Fmt.str "%a" Ip.pp (Ip.get b 0 ~length:Ip.v4_length) in
  let of_seconds b = Fmt.str "%d s" (Int32.to_int (Bytes.get_int32_be b 0) land 0xffff_ffff) in
  Fmt.pf f "DHCP %a %a xid %08x" pp_kind t.kind Mac.pp t.chaddr t.xid;
  address "client" t.ciaddr;
  address "your" t.yiaddr;
  address "relay" t.giaddr;
  option "requested" 50 4 of_address;
  option "server" 54 4 of_address;
  option "lease" 51 4 of_seconds
