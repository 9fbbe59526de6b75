module Checksum = Weir_base.Checksum

type unreachable = Net | Host | Protocol | Port | Fragmentation_needed of int | Other_code of int

type t =
  | Echo_request of { identifier : int; sequence : int; data_length : int }
  | Echo_reply of { identifier : int; sequence : int; data_length : int }
  | Destination_unreachable of { code : unreachable; rest : int; data_length : int }
  | Time_exceeded of { reassembly : bool; rest : int; data_length : int }
  | Parameter_problem of { code : int; pointer : int; rest : int; data_length : int }
  | Other of { kind : int; code : int; rest : int; data_length : int }

let length = 8

(* RFC 792: a header of 20 bytes and 8 more. *)
let shortest_quote = 28

let unreachable ~code ~word ~data_length =
  match code with
  | 0 -> Destination_unreachable { code = Net; rest = word; data_length }
  | 1 -> Destination_unreachable { code = Host; rest = word; data_length }
  | 2 -> Destination_unreachable { code = Protocol; rest = word; data_length }
  | 3 -> Destination_unreachable { code = Port; rest = word; data_length }
  | 4 ->
      let code = Fragmentation_needed (word land 0xffff) in
      Destination_unreachable { code; rest = word lsr 16; data_length }
  | code -> Destination_unreachable { code = Other_code code; rest = word; data_length }

let decode b ~off ~len =
  if len < length then Error.truncated ~need:length ~have:len
  else if Checksum.finish (Checksum.sum b ~off ~len) <> 0 then Error Error.Bad_checksum
  else
    let kind = Bytes.get_uint8 b off and code = Bytes.get_uint8 b (off + 1) in
    let high = Bytes.get_uint16_be b (off + 4) and low = Bytes.get_uint16_be b (off + 6) in
    let data_length = len - length and word = (high lsl 16) lor low in
    if (kind = 3 || kind = 11 || kind = 12) && data_length < shortest_quote then
      Error.truncated ~need:(length + shortest_quote) ~have:len
    else
      Ok
        (match (kind, code) with
        | 8, 0 -> Echo_request { identifier = high; sequence = low; data_length }
        | 0, 0 -> Echo_reply { identifier = high; sequence = low; data_length }
        | 3, _ -> unreachable ~code ~word ~data_length
        | 11, (0 | 1) -> Time_exceeded { reassembly = code = 1; rest = word; data_length }
        | 12, _ ->
            let pointer = word lsr 24 and rest = word land 0xff_ffff in
            Parameter_problem { code; pointer; rest; data_length }
        | _ -> Other { kind; code; rest = word; data_length })

let data_length = function
  | Echo_request { data_length; _ }
  | Echo_reply { data_length; _ }
  | Destination_unreachable { data_length; _ }
  | Time_exceeded { data_length; _ }
  | Parameter_problem { data_length; _ }
  | Other { data_length; _ } ->
      data_length

let is_error = function Echo_request _ | Echo_reply _ -> false | _ -> true

let number = function
  | Net -> 0
  | Host -> 1
  | Protocol -> 2
  | Port -> 3
  | Fragmentation_needed _ -> 4
  | Other_code code -> code

let kind = function
  | Echo_reply _ -> 0
  | Destination_unreachable _ -> 3
  | Echo_request _ -> 8
  | Time_exceeded _ -> 11
  | Parameter_problem _ -> 12
  | Other { kind; _ } -> kind

let code = function
  | Echo_request _ | Echo_reply _ -> 0
  | Destination_unreachable { code; _ } -> number code
  | Time_exceeded { reassembly; _ } -> Bool.to_int reassembly
  | Parameter_problem { code; _ } | Other { code; _ } -> code

(* The second word of the header. *)
let word = function
  | Echo_request { identifier; sequence; _ } | Echo_reply { identifier; sequence; _ } ->
      (identifier lsl 16) lor sequence
  | Destination_unreachable { code = Fragmentation_needed mtu; rest; _ } -> (rest lsl 16) lor mtu
  | Parameter_problem { pointer; rest; _ } -> (pointer lsl 24) lor rest
  | Destination_unreachable { rest; _ } | Time_exceeded { rest; _ } | Other { rest; _ } -> rest

let emit t b ~off =
  let word = word t in
  Bytes.set_uint8 b off (kind t);
  Bytes.set_uint8 b (off + 1) (code t);
  Bytes.set_uint16_be b (off + 2) 0;
  Bytes.set_uint16_be b (off + 4) (word lsr 16);
  Bytes.set_uint16_be b (off + 6) (word land 0xffff);
  let sum = Checksum.sum b ~off ~len:(length + data_length t) in
  Bytes.set_uint16_be b (off + 2) (Checksum.finish sum)

let pp_unreachable f = function
  | Net -> Fmt.string f "net"
  | Host -> Fmt.string f "host"
  | Protocol -> Fmt.string f "protocol"
  | Port -> Fmt.string f "port"
  | Fragmentation_needed mtu -> Fmt.pf f "fragmentation needed, mtu %d" mtu
  | Other_code code -> Fmt.pf f "code %d" code

let pp_what f = function
  | Echo_request { identifier; sequence; _ } ->
      Fmt.pf f "ICMP echo request id=%d seq=%d" identifier sequence
  | Echo_reply { identifier; sequence; _ } ->
      Fmt.pf f "ICMP echo reply id=%d seq=%d" identifier sequence
  | Destination_unreachable { code; _ } -> Fmt.pf f "ICMP unreachable: %a" pp_unreachable code
  | Time_exceeded { reassembly = false; _ } -> Fmt.string f "ICMP time exceeded: ttl"
  | Time_exceeded { reassembly = true; _ } -> Fmt.string f "ICMP time exceeded: reassembly"
  | Parameter_problem { code; pointer; _ } ->
      Fmt.pf f "ICMP parameter problem: code %d at byte %d" code pointer
  | Other { kind; code; _ } -> Fmt.pf f "ICMP type %d code %d" kind code

let pp f t = Fmt.pf f "%a len %d" pp_what t (data_length t)
