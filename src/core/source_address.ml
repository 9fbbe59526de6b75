open Weir_wire

(* RFC 4291 §2.7, RFC 4007 §4: link-local; all other addresses are global. *)
let link = 2
let global = 14

let scope a =
  if Ip.is_multicast a then Char.code (a : Ip.t :> string).[1] land 15
  else if Ip.is_link_local a || Ip.is_loopback a then link
  else global

(* RFC 6724 §2.1, as far as native addresses go: unique local ones have a label of their own. *)
let is_unique_local a = Char.code (a : Ip.t :> string).[0] land 0xfe = 0xfc

let rec common_bits a b i =
  if i < 64 && Ip.shares_prefix a b ~bits:(i + 1) then common_bits a b (i + 1) else i

let rank_v6 ~deprecated a dst =
  let mine = scope a and wanted = scope dst in
  (* Rule 2: the smallest scope that is large enough, else the largest. *)
  let scope = if mine >= wanted then 31 - mine else mine in
  let bit n condition = if condition then 1 lsl n else 0 in
  1 + (scope lsl 16) + bit 15 (not deprecated)
  + bit 14 (is_unique_local a = is_unique_local dst)
  + common_bits a dst 0

let rank_v4 ~deprecated a ~bits dst =
  (if Ip.shares_prefix a dst ~bits then 2 else 1) + if deprecated then 0 else 2

let rank ~deprecated a ~bits dst =
  if Ip.is_v4 a <> Ip.is_v4 dst then 0
  else if Ip.is_v4 a then rank_v4 ~deprecated a ~bits dst
  else rank_v6 ~deprecated a dst
