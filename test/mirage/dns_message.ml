(* As much of DNS (RFC 1035 §4) as asks for addresses and gives them. *)

let name_bytes name =
  String.split_on_char '.' name
  |> List.map (fun label -> Printf.sprintf "%c%s" (Char.chr (String.length label)) label)
  |> String.concat ""

let u16 n = String.init 2 (fun i -> Char.chr ((n lsr (8 * (1 - i))) land 255))
let header ~id ~flags ~answers = String.concat "" (List.map u16 [ id; flags; 1; answers; 0; 0 ])
let question name = name_bytes name ^ "\000" ^ u16 1 ^ u16 1
let query ~id name = header ~id ~flags:0x0100 ~answers:0 ^ question name

(* The name is where the question's is, at byte 12. *)
let record address = u16 0xc00c ^ u16 1 ^ u16 1 ^ u16 0 ^ u16 60 ^ u16 4 ^ address

let answer ~id ~truncated name addresses =
  header ~id
    ~flags:(if truncated then 0x8380 else 0x8180)
    ~answers:(if truncated then 0 else List.length addresses)
  ^ question name
  ^ if truncated then "" else String.concat "" (List.map record addresses)

let get s at = String.get_uint16_be s at
let id s = get s 0

(* The name in the question, and where that ends. *)
let asked s =
  let rec labels at acc =
    match Char.code s.[at] with
    | 0 -> (String.concat "." (List.rev acc), at + 5)
    | n -> labels (at + 1 + n) (String.sub s (at + 1) n :: acc)
  in
  labels 12 []

let is_truncated s = get s 2 land 0x0200 <> 0

let addresses s =
  let _, at = asked s in
  List.init (get s 6) (fun i -> String.sub s (at + (16 * i) + 12) 4)
