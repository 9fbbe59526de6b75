open Weir_wire
open Expression

type t = Expression.t
type error = { at : int; found : string; wanted : string }

let everything = All []
let matches = Expression.matches

(* -- the words ----------------------------------------------------------- *)

exception Wrong of error

let wrong (word : Filter_words.t) wanted =
  raise_notrace (Wrong { at = word.at; found = word.text; wanted })

(* The remaining words; the last is the empty word at the end. *)
type input = { mutable words : Filter_words.t list }

let peek input = List.hd input.words
let skip input = if List.tl input.words <> [] then input.words <- List.tl input.words

let take input =
  let word = peek input in
  skip input;
  word

let accept input texts =
  let found = List.mem (peek input).text texts in
  if found then skip input;
  found

(* -- values --------------------------------------------------------------- *)

let decimal s =
  if s <> "" && String.length s <= 15 && String.for_all (fun c -> c >= '0' && c <= '9') s then
    int_of_string_opt s
  else None

let integer s =
  let is_hex c = (c >= '0' && c <= '9') || (c >= 'a' && c <= 'f') in
  let n = String.length s in
  if
    n > 2 && n <= 14 && s.[0] = '0' && s.[1] = 'x' && String.for_all is_hex (String.sub s 2 (n - 2))
  then int_of_string_opt s
  else decimal s

let address s = Result.to_option (Result.map Ip.of_ipaddr (Ipaddr.of_string s))

let network s =
  match String.split_on_char '/' s with
  | [ ip ] -> Option.map (fun ip -> { ip; bits = Ip.bits ip }) (address ip)
  | [ ip; bits ] -> (
      match (address ip, decimal bits) with
      | Some ip, Some bits when bits <= Ip.bits ip -> Some { ip; bits }
      | _ -> None)
  | _ -> None

let range s =
  let port s = match decimal s with Some n when n <= 0xffff -> Some n | _ -> None in
  match List.map port (String.split_on_char '-' s) with
  | [ Some n ] -> Some (n, n)
  | [ Some low; Some high ] when low <= high -> Some (low, high)
  | _ -> None

let read input parse wanted =
  let word = peek input in
  match parse word.text with
  | Some x ->
      skip input;
      x
  | None -> wrong word wanted

(* -- tests ----------------------------------------------------------------- *)

let an_address = "an IP address"

let place input direction =
  match (peek input).text with
  | "host" ->
      skip input;
      let ip = read input address an_address in
      Within (direction, { ip; bits = Ip.bits ip })
  | "net" ->
      skip input;
      let has_prefix s = if String.contains s '/' then network s else None in
      Within (direction, read input has_prefix "a network such as 10.0.0.0/8")
  | "port" ->
      skip input;
      let low, high = read input range "a port, 0 to 65535, or two with - between" in
      Port (direction, low, high)
  | _ ->
      let ip = read input address "host, net, port or an IP address" in
      Within (direction, { ip; bits = Ip.bits ip })

let comparison input =
  let take c =
    skip input;
    Some c
  in
  match (peek input).text with
  | "==" | "=" -> take Equal
  | "!=" -> take Different
  | "<" -> take Less
  | "<=" -> take Less_or_equal
  | ">" -> take Greater
  | ">=" -> take Greater_or_equal
  | _ -> None

let number names s = match List.assoc_opt s names with Some n -> Some n | None -> integer s

let numbers_wanted = function
  | [] -> "a number"
  | names -> "a number, or one of " ^ String.concat ", " (List.map fst names)

let flag = function "0" | "false" -> Some false | "1" | "true" -> Some true | _ -> None
let mac s = Result.to_option (Result.map Mac.of_macaddr (Macaddr.of_string s))

let literal input : Fields.kind -> literal = function
  | Numbers names -> Is_number (read input (number names) (numbers_wanted names))
  | Flags -> Is_flag (read input flag "0 or 1")
  | Addresses -> Is_within (read input network "an IP address, or a network such as 10.0.0.0/8")
  | Macs -> Is_mac (read input mac "a MAC address")
  | Texts -> wrong (peek input) "no value"

let field_test input (field : Fields.t) =
  let word = peek input in
  match (comparison input, field.kind) with
  | None, _ -> Has field
  | Some _, Texts -> wrong word "and, or, or the end (this field cannot be compared)"
  | Some (Less | Less_or_equal | Greater | Greater_or_equal), (Flags | Addresses | Macs) ->
      wrong word "== or != (this field has no order)"
  | Some c, kind -> Compare (field, c, literal input kind)

let begins_place text =
  List.mem text [ "src"; "dst"; "host"; "net"; "port" ] || address text <> None

let any_place input =
  if accept input [ "src" ] then place input Source
  else if accept input [ "dst" ] then place input Destination
  else place input Either

let test_wanted = "host, net, port, src, dst, a protocol or a field"

let test input =
  let word = peek input in
  let is_protocol (p : Fields.protocol) = p.protocol = word.text in
  if begins_place word.text then any_place input
  else
    match (List.find_opt is_protocol Fields.protocols, Fields.find word.text) with
    | Some p, _ ->
        skip input;
        let place = if begins_place (peek input).text then [ any_place input ] else [] in
        All (Protocol p :: place)
    | None, Some field ->
        skip input;
        field_test input field
    | None, None -> wrong word test_wanted

(* -- expressions ---------------------------------------------------------- *)

let most_nested = 100

let rec expression input ~depth =
  let first = term input ~depth in
  let rec more found =
    if accept input [ "or"; "||" ] then more (term input ~depth :: found) else Any (List.rev found)
  in
  more [ first ]

and term input ~depth =
  let first = factor input ~depth in
  let rec more found =
    if accept input [ "and"; "&&" ] then more (factor input ~depth :: found)
    else All (List.rev found)
  in
  more [ first ]

and factor input ~depth =
  if depth > most_nested then wrong (peek input) "at most 100 nested parentheses and \"not\""
  else if accept input [ "not"; "!" ] then Not (factor input ~depth:(depth + 1))
  else if accept input [ "(" ] then
    let e = expression input ~depth:(depth + 1) in
    let word = take input in
    if word.text = ")" then e else wrong word "and, or, or )"
  else test input

let parse s =
  let input = { words = Filter_words.all s } in
  if (peek input).text = "" then Ok everything
  else
    match expression input ~depth:0 with
    | e ->
        if (peek input).text = "" then Ok e
        else
          let word = peek input in
          Error { at = word.at; found = word.text; wanted = "and, or, or the end" }
    | exception Wrong e -> Error e

let pp_found f s =
  let n = String.length s in
  if n = 0 then Fmt.string f "its end"
  else if n > 40 then Fmt.pf f "%S..." (String.sub s 0 40)
  else Fmt.pf f "%S" s

let pp_error f { at; found; wanted } =
  Fmt.pf f "the filter is wrong at character %d: expected %s, found %a" (at + 1) wanted pp_found
    found
