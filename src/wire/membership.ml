module Checksum = Weir_base.Checksum

type kind = Is_include | Is_exclude | To_include | To_exclude | Allow | Block
type record = { kind : kind; group : Ip.t; sources : Ip.t list }

type query = {
  version : int;
  max_response_ms : int;
  about : Ip.t;
  from : Ip.t list;
  robustness : int;
  interval_s : int;
}

type t =
  | Query of query
  | Report of { version : int; group : Ip.t }
  | Leave of Ip.t
  | Records of record list

let is_mld n = (n >= 130 && n <= 132) || n = 143
let address_length ~v4 = if v4 then Ip.v4_length else Ip.v6_length
let ( let* ) = Result.bind

(* Offset of the group; length of a message up to and with the group; length of the fixed part of
   newer queries. *)
let group_at ~v4 = if v4 then 4 else 8
let shortest ~v4 = group_at ~v4 + address_length ~v4
let sources_at ~v4 = shortest ~v4 + 4
let records_at = 8
let record_head ~v4 = 4 + address_length ~v4

(* -- numbers ---------------------------------------------------------------- *)

(* RFC 9776 §4.1.1, RFC 9777 §5.1.3: if the highest bit is 1, the next three are an exponent. *)
let of_code code ~bits =
  if code < 1 lsl (bits - 1) then code
  else
    let mantissa = bits - 4 in
    let low = code land ((1 lsl mantissa) - 1) and exponent = (code lsr mantissa) land 7 in
    (low lor (1 lsl mantissa)) lsl (exponent + 3)

let to_code n ~bits =
  if n < 1 lsl (bits - 1) then n
  else
    let mantissa = bits - 4 in
    let rec go exponent =
      let low = n lsr (exponent + 3) in
      if low < 1 lsl (mantissa + 1) then
        (1 lsl (bits - 1)) lor (exponent lsl mantissa) lor (low land ((1 lsl mantissa) - 1))
      else if exponent = 7 then (1 lsl bits) - 1
      else go (exponent + 1)
    in
    go 0

let kinds = [| Is_include; Is_exclude; To_include; To_exclude; Allow; Block |]

let number kind =
  let rec go i = if kinds.(i) = kind then i + 1 else go (i + 1) in
  go 0

(* -- reading ------------------------------------------------------------------ *)

let addresses ~v4 b at n =
  let length = address_length ~v4 in
  List.init n (fun i -> Ip.get b (at + (length * i)) ~length)

let group ~v4 b ~off =
  let at = group_at ~v4 in
  let g = Ip.get b (off + at) ~length:(address_length ~v4) in
  if Ip.is_multicast g then Ok g else Error.malformed ~at "not a group"

(* The time is in tenths of a second, or in milliseconds. *)
let query ~v4 b ~off ~len =
  let* about =
    let g = Ip.get b (off + group_at ~v4) ~length:(address_length ~v4) in
    if Ip.is_any g then Ok g else group ~v4 b ~off
  in
  let short = shortest ~v4 and sources_at = sources_at ~v4 in
  let old = len < sources_at in
  let code = Bytes.get_uint8 b (off + 1) in
  let max_response_ms =
    if v4 then 100 * if old then code else of_code code ~bits:8
    else
      let delay = Bytes.get_uint16_be b (off + 4) in
      if old then delay else of_code delay ~bits:16
  in
  if old then
    let version = if v4 && code > 0 then 2 else 1 in
    Ok (Query { version; max_response_ms; about; from = []; robustness = 0; interval_s = 0 })
  else
    let n = Bytes.get_uint16_be b (off + short + 2) in
    let need = sources_at + (n * address_length ~v4) in
    if need > len then Error.truncated ~need ~have:len
    else if Ip.is_any about && n > 0 then Error.malformed ~at:short "sources without a group"
    else
      Ok
        (Query
           {
             version = (if v4 then 3 else 2);
             max_response_ms;
             about;
             from = addresses ~v4 b (off + sources_at) n;
             robustness = Bytes.get_uint8 b (off + short) land 7;
             interval_s = of_code (Bytes.get_uint8 b (off + short + 1)) ~bits:8;
           })

let record ~v4 b ~off ~at ~len =
  let head = record_head ~v4 in
  if len - at < head then Error.truncated ~need:(at + head) ~have:len
  else
    let kind = Bytes.get_uint8 b (off + at) and n = Bytes.get_uint16_be b (off + at + 2) in
    let aux = 4 * Bytes.get_uint8 b (off + at + 1) in
    let stop = at + head + (n * address_length ~v4) in
    let group = Ip.get b (off + at + 4) ~length:(address_length ~v4) in
    if stop + aux > len then Error.truncated ~need:(stop + aux) ~have:len
    else if kind < 1 || kind > Array.length kinds then Error.malformed ~at "unknown kind of record"
    else if not (Ip.is_multicast group) then Error.malformed ~at:(at + 4) "not a group"
    else
      let sources = addresses ~v4 b (off + at + head) n in
      Ok ({ kind = kinds.(kind - 1); group; sources }, stop + aux)

let records ~v4 b ~off ~len =
  let rec go n at found =
    if n = 0 then Ok (Records (List.rev found))
    else
      let* r, at = record ~v4 b ~off ~at ~len in
      go (n - 1) at (r :: found)
  in
  match Bytes.get_uint16_be b (off + 6) with
  | 0 -> Error.malformed ~at:6 "no record"
  | n -> go n records_at []

let decode ~pseudo ~v4 b ~off ~len =
  let need n f = if len < n then Error.truncated ~need:n ~have:len else f () in
  need records_at @@ fun () ->
  if pseudo >= 0 && Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off ~len)) <> 0 then
    Error Error.Bad_checksum
  else
    let short f = need (shortest ~v4) (fun () -> f ~v4 b ~off) in
    let report version =
      short (fun ~v4 b ~off ->
          let* group = group ~v4 b ~off in
          Ok (Report { version; group }))
    and leave () = short (fun ~v4 b ~off -> Result.map (fun g -> Leave g) (group ~v4 b ~off)) in
    match (v4, Bytes.get_uint8 b off) with
    | true, 0x11 | false, 130 -> short (query ~len)
    | true, 0x12 | false, 131 -> report 1
    | true, 0x16 -> report 2
    | true, 0x17 | false, 132 -> leave ()
    | true, 0x22 | false, 143 -> records ~v4 b ~off ~len
    | _ -> Error.malformed ~at:0 "unknown type"

(* -- writing -------------------------------------------------------------------- *)

let newest ~v4 = if v4 then 3 else 2
let record_length ~v4 r = record_head ~v4 + (List.length r.sources * address_length ~v4)

let length ~v4 = function
  | Query { version; from; _ } when version = newest ~v4 ->
      sources_at ~v4 + (List.length from * address_length ~v4)
  | Query _ | Report _ | Leave _ -> shortest ~v4
  | Records l -> List.fold_left (fun n r -> n + record_length ~v4 r) records_at l

let set_addresses ~v4 b at = List.iteri (fun i a -> Ip.set b (at + (address_length ~v4 * i)) a)

let emit_query q ~v4 b ~off =
  let newest = q.version = newest ~v4 and short = off + shortest ~v4 in
  Bytes.set_uint8 b off (if v4 then 0x11 else 130);
  (if v4 then
     let tenths = q.max_response_ms / 100 in
     Bytes.set_uint8 b (off + 1) (if newest then to_code tenths ~bits:8 else tenths)
   else
     let code = if newest then to_code q.max_response_ms ~bits:16 else q.max_response_ms in
     Bytes.set_uint16_be b (off + 4) code);
  Ip.set b (off + group_at ~v4) q.about;
  if newest then (
    Bytes.set_uint8 b short q.robustness;
    Bytes.set_uint8 b (short + 1) (to_code q.interval_s ~bits:8);
    Bytes.set_uint16_be b (short + 2) (List.length q.from);
    set_addresses ~v4 b (short + 4) q.from)

let emit_record ~v4 b at r =
  Bytes.set_uint8 b at (number r.kind);
  Bytes.set_uint16_be b (at + 2) (List.length r.sources);
  Ip.set b (at + 4) r.group;
  set_addresses ~v4 b (at + record_head ~v4) r.sources;
  at + record_length ~v4 r

let emit t ~pseudo ~v4 b ~off =
  let len = length ~v4 t in
  Bytes.fill b off len '\000';
  let short kind group =
    Bytes.set_uint8 b off kind;
    Ip.set b (off + group_at ~v4) group
  in
  (match t with
  | Query q -> emit_query q ~v4 b ~off
  | Report { version; group } ->
      short (if not v4 then 131 else if version = 1 then 0x12 else 0x16) group
  | Leave group -> short (if v4 then 0x17 else 132) group
  | Records l ->
      Bytes.set_uint8 b off (if v4 then 0x22 else 143);
      Bytes.set_uint16_be b (off + 6) (List.length l);
      ignore (List.fold_left (emit_record ~v4 b) (off + records_at) l : int));
  Bytes.set_uint16_be b (off + 2) (Checksum.finish (Checksum.add pseudo (Checksum.sum b ~off ~len)))

(* -- groups ------------------------------------------------------------------------ *)

let v4 a b c d = Ip.of_v4 (Ipaddr.V4.make a b c d)
let v6 last = Ip.of_ipaddr (V6 (Ipaddr.V6.make 0xff02 0 0 0 0 0 0 last))
let all_hosts = v4 224 0 0 1
let newest_v4 = v4 224 0 0 22
let newest_v6 = v6 0x16
let routers_v4 = v4 224 0 0 2

let is_reported g =
  if Ip.is_v4 g then not (Ip.equal g all_hosts)
  else
    Char.code (Ip.to_ipaddr g |> Ipaddr.to_octets).[1] land 15 > 1 && not (Ip.equal g Ip.all_nodes)

let report_to ~version g =
  let v4 = Ip.is_v4 g in
  if version < newest ~v4 then g else if v4 then newest_v4 else newest_v6

let leave_to g = if Ip.is_v4 g then routers_v4 else Ip.all_routers

(* -- printing ------------------------------------------------------------------------ *)

let name = function
  | Is_include -> "is include"
  | Is_exclude -> "is exclude"
  | To_include -> "to include"
  | To_exclude -> "to exclude"
  | Allow -> "allow"
  | Block -> "block"

let pp_sources f = function [] -> () | l -> Fmt.pf f " {%a}" Fmt.(list ~sep:(any " ") Ip.pp) l

let pp f = function
  | Query { version; about; from; max_response_ms; _ } ->
      Fmt.pf f "group query v%d" version;
      if not (Ip.is_any about) then Fmt.pf f " %a%a" Ip.pp about pp_sources from;
      Fmt.pf f " within %d ms" max_response_ms
  | Report { version; group } -> Fmt.pf f "group report v%d %a" version Ip.pp group
  | Leave group -> Fmt.pf f "group leave %a" Ip.pp group
  | Records l ->
      let one f r = Fmt.pf f "%a %s%a" Ip.pp r.group (name r.kind) pp_sources r.sources in
      Fmt.pf f "group report %a" Fmt.(list ~sep:(any ", ") one) l
