module Checksum = Weir_base.Checksum

type unreachable = No_route | Prohibited | Beyond_scope | Address | Port | Other_code of int

type t =
  | Echo_request of { identifier : int; sequence : int; data_length : int }
  | Echo_reply of { identifier : int; sequence : int; data_length : int }
  | Destination_unreachable of { code : unreachable; data_length : int }
  | Packet_too_big of { mtu : int; data_length : int }
  | Time_exceeded of { reassembly : bool; data_length : int }
  | Parameter_problem of { code : int; pointer : int; data_length : int }
  | Other of { kind : int; code : int; rest : int; data_length : int }

let length = 8
let echo_request = 128
let echo_reply = 129

(* RFC 4443 §2.4 (c): as much of the packet as fits, so at least its header. *)
let shortest_quote = Ipv6.shortest

let unreachable = function
  | 0 -> No_route
  | 1 -> Prohibited
  | 2 -> Beyond_scope
  | 3 -> Address
  | 4 -> Port
  | code -> Other_code code

let sum_of b ~off ~len ~pseudo = Checksum.add pseudo (Checksum.sum b ~off ~len)

let decode ~pseudo b ~off ~len =
  if len < length then Error.truncated ~need:length ~have:len
  else if pseudo >= 0 && Checksum.finish (sum_of b ~off ~len ~pseudo) <> 0 then
    Error Error.Bad_checksum
  else
    let kind = Bytes.get_uint8 b off and code = Bytes.get_uint8 b (off + 1) in
    let high = Bytes.get_uint16_be b (off + 4) and low = Bytes.get_uint16_be b (off + 6) in
    let data_length = len - length and word = (high lsl 16) lor low in
    if kind >= 1 && kind <= 4 && data_length < shortest_quote then
      Error.truncated ~need:(length + shortest_quote) ~have:len
    else
      Ok
        (match (kind, code) with
        | 128, 0 -> Echo_request { identifier = high; sequence = low; data_length }
        | 129, 0 -> Echo_reply { identifier = high; sequence = low; data_length }
        | 1, _ -> Destination_unreachable { code = unreachable code; data_length }
        | 2, _ -> Packet_too_big { mtu = word; data_length }
        | 3, (0 | 1) -> Time_exceeded { reassembly = code = 1; data_length }
        | 4, _ -> Parameter_problem { code; pointer = word; data_length }
        | _ -> Other { kind; code; rest = word; data_length })

let data_length = function
  | Echo_request { data_length; _ }
  | Echo_reply { data_length; _ }
  | Destination_unreachable { data_length; _ }
  | Packet_too_big { data_length; _ }
  | Time_exceeded { data_length; _ }
  | Parameter_problem { data_length; _ }
  | Other { data_length; _ } ->
      data_length

let number = function
  | No_route -> 0
  | Prohibited -> 1
  | Beyond_scope -> 2
  | Address -> 3
  | Port -> 4
  | Other_code code -> code

let kind = function
  | Destination_unreachable _ -> 1
  | Packet_too_big _ -> 2
  | Time_exceeded _ -> 3
  | Parameter_problem _ -> 4
  | Echo_request _ -> 128
  | Echo_reply _ -> 129
  | Other { kind; _ } -> kind

let code = function
  | Echo_request _ | Echo_reply _ | Packet_too_big _ -> 0
  | Destination_unreachable { code; _ } -> number code
  | Time_exceeded { reassembly; _ } -> Bool.to_int reassembly
  | Parameter_problem { code; _ } | Other { code; _ } -> code

(* The second word of the header. *)
let word = function
  | Echo_request { identifier; sequence; _ } | Echo_reply { identifier; sequence; _ } ->
      (identifier lsl 16) lor sequence
  | Packet_too_big { mtu; _ } -> mtu
  | Parameter_problem { pointer; _ } -> pointer
  | Other { rest; _ } -> rest
  | Destination_unreachable _ | Time_exceeded _ -> 0

let set_checksum b ~off ~len ~pseudo =
  Bytes.set_uint16_be b (off + 2) 0;
  Bytes.set_uint16_be b (off + 2) (Checksum.finish (sum_of b ~off ~len ~pseudo))

let emit t ~pseudo b ~off =
  Bytes.set_uint8 b off (kind t);
  Bytes.set_uint8 b (off + 1) (code t);
  Bytes.set_int32_be b (off + 4) (Int32.of_int (word t));
  set_checksum b ~off ~len:(length + data_length t) ~pseudo

let pp_unreachable f = function
  | No_route -> Fmt.string f "no route"
  | Prohibited -> Fmt.string f "prohibited"
  | Beyond_scope -> Fmt.string f "beyond scope"
  | Address -> Fmt.string f "address"
  | Port -> Fmt.string f "port"
  | Other_code code -> Fmt.pf f "code %d" code

let pp_what f = function
  | Echo_request { identifier; sequence; _ } ->
      Fmt.pf f "ICMPv6 echo request id=%d seq=%d" identifier sequence
  | Echo_reply { identifier; sequence; _ } ->
      Fmt.pf f "ICMPv6 echo reply id=%d seq=%d" identifier sequence
  | Destination_unreachable { code; _ } -> Fmt.pf f "ICMPv6 unreachable: %a" pp_unreachable code
  | Packet_too_big { mtu; _ } -> Fmt.pf f "ICMPv6 packet too big, mtu %d" mtu
  | Time_exceeded { reassembly = false; _ } -> Fmt.string f "ICMPv6 time exceeded: hop limit"
  | Time_exceeded { reassembly = true; _ } -> Fmt.string f "ICMPv6 time exceeded: reassembly"
  | Parameter_problem { code; pointer; _ } ->
      Fmt.pf f "ICMPv6 parameter problem: code %d at byte %d" code pointer
  | Other { kind; code; _ } -> Fmt.pf f "ICMPv6 type %d code %d" kind code

let pp f t = Fmt.pf f "%a len %d" pp_what t (data_length t)
