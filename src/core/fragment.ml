open Weir_wire

let least_mtu = 68
let fits ~mtu h = Ipv4.length h + h.data_length <= mtu

(* Fragments after the first carry only the options with the copied flag (RFC 791 §3.1), padded to
   words with end-of-options. *)
let copied_options options =
  let n = String.length options in
  let b = Buffer.create n in
  let rec from i =
    if i < n then
      match Char.code options.[i] with
      | 0 -> ()
      | 1 -> from (i + 1)
      | kind when i + 1 < n ->
          let length = Char.code options.[i + 1] in
          if length >= 2 && i + length <= n then (
            if kind land 0x80 <> 0 then Buffer.add_substring b options i length;
            from (i + length))
      | _ -> ()
  in
  from 0;
  while Buffer.length b land 3 <> 0 do
    Buffer.add_char b '\000'
  done;
  Buffer.contents b

let iter ~mtu (h : Ipv4.t) f =
  if mtu < least_mtu then invalid_arg "Fragment.iter: mtu";
  if fits ~mtu h then f h ~at:0
  else
    let later = { h with options = copied_options h.options } in
    let rec from (base : Ipv4.t) at =
      let left = h.data_length - at in
      let header_length = Ipv4.length base and fragment_offset = h.fragment_offset + at in
      if header_length + left <= mtu then
        f { base with header_length; fragment_offset; data_length = left } ~at
      else
        let data_length = (mtu - header_length) land lnot 7 in
        f { base with header_length; fragment_offset; data_length; more_fragments = true } ~at;
        from later (at + data_length)
    in
    from h 0

let iter_v6 ~mtu (h : Ipv6.t) ~identification f =
  let header = Ipv6.shortest + Ipv6.fragment_length in
  if mtu < Ipv6.minimum_mtu then invalid_arg "Fragment.iter_v6: mtu";
  let rec from at =
    let left = h.data_length - at in
    let more = header + left > mtu in
    let data_length = if more then (mtu - header) land lnot 7 else left in
    f { h with fragment = Some { identification; offset = at; more }; data_length } ~at;
    if more then from (at + data_length)
  in
  from 0

type ids = { secret : int; counters : int array }

let ids random =
  let secret = Random.State.bits random in
  let random = Public_random.make random in
  { secret; counters = Array.init 256 (fun _ -> Random.State.bits random) }

let next t h =
  let i = (Weir_base.Mix.scramble h lsr 29) land 255 in
  t.counters.(i) <- t.counters.(i) + 1;
  t.counters.(i)

let next_id t ~dst ~protocol =
  next t (Ip.key dst lor (protocol lsl 32) lxor (t.secret lsl 8)) land 0xffff

let next_id_v6 t ~dst = next t (Ip.hash t.secret dst ~port:0) land 0xffff_ffff
