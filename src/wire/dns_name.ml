type t = [ `raw ] Domain_name.t

let most_pointers = 127

(* Bytes, the root label included. *)
let longest = 255

(* [labels] are in reverse order. [lowest] is where the labels being read began. [next] is the byte
   after the first pointer, or -1. *)
let rec labels b ~off ~len ~at ~lowest ~next ~pointers ~total labels_ =
  if at >= len then Error.truncated ~need:(at + 1) ~have:len
  else
    match Bytes.get_uint8 b (off + at) with
    | 0 ->
        let name = Domain_name.of_array (Array.of_list labels_) in
        Ok (name, if next < 0 then at + 1 else next)
    | n when n < 64 ->
        if at + 1 + n > len then Error.truncated ~need:(at + 1 + n) ~have:len
        else if total + 1 + n > longest then Error.malformed ~at "name above 255 bytes"
        else
          let label = Bytes.sub_string b (off + at + 1) n in
          labels b ~off ~len
            ~at:(at + 1 + n)
            ~lowest ~next ~pointers
            ~total:(total + 1 + n)
            (label :: labels_)
    | n when n >= 192 ->
        if at + 2 > len then Error.truncated ~need:(at + 2) ~have:len
        else
          let target = Bytes.get_uint16_be b (off + at) land 0x3fff in
          if target >= lowest then Error.malformed ~at "pointer that does not point backwards"
          else if pointers = most_pointers then Error.malformed ~at "too many pointers"
          else
            let next = if next < 0 then at + 2 else next in
            labels b ~off ~len ~at:target ~lowest:target ~next ~pointers:(pointers + 1) ~total
              labels_
    | _ -> Error.malformed ~at "unknown type of label"

let decode b ~off ~len ~at = labels b ~off ~len ~at ~lowest:at ~next:(-1) ~pointers:0 ~total:1 []

type table = (string list, int) Hashtbl.t

let table () = Hashtbl.create 16

let add_label out label =
  Buffer.add_uint8 out (String.length label);
  Buffer.add_string out label

(* A pointer has 14 bits. *)
let note table out labels =
  let at = Buffer.length out in
  if at < 0x4000 && not (Hashtbl.mem table labels) then Hashtbl.replace table labels at

let rec emit_labels table out ~pointers labels =
  match (labels, if pointers then Hashtbl.find_opt table labels else None) with
  | [], _ -> Buffer.add_uint8 out 0
  | _, Some at -> Buffer.add_uint16_be out (0xc000 lor at)
  | label :: rest, None ->
      note table out labels;
      add_label out label;
      emit_labels table out ~pointers rest

let emit table out name = emit_labels table out ~pointers:true (Domain_name.to_strings name)
let emit_whole table out name = emit_labels table out ~pointers:false (Domain_name.to_strings name)

let is_host name =
  let inside = function 'a' .. 'z' | 'A' .. 'Z' | '0' .. '9' | '-' | '_' -> true | _ -> false in
  let label l = String.for_all inside l && l.[0] <> '-' && l.[String.length l - 1] <> '-' in
  Domain_name.count_labels name > 0 && List.for_all label (Domain_name.to_strings name)
