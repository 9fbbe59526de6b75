type cell = Left of string | Right of string
type t = { header : string list; rows : cell list list }

let make header rows = { header; rows }
let text = function Left s | Right s -> s

(* Characters, not bytes: all but UTF-8's continuation bytes. *)
let width s = String.fold_left (fun n c -> if Char.code c land 0xc0 = 0x80 then n else n + 1) 0 s
let repeat n s = String.concat "" (List.init n (fun _ -> s))

let pad w = function
  | Left s -> s ^ String.make (w - width s) ' '
  | Right s -> String.make (w - width s) ' ' ^ s

let fill n row = row @ List.init (max 0 (n - List.length row)) (fun _ -> Left "")

let print ppf { header; rows } =
  let columns = List.length header in
  let header = List.map (String.split_on_char '\n') header in
  let heads = List.fold_left (fun n h -> max n (List.length h)) 0 header in
  let rows = List.map (fill columns) rows in
  let widths =
    List.mapi
      (fun i h ->
        let head = List.fold_left (fun w l -> max w (width l)) 0 h in
        List.fold_left (fun w r -> max w (width (text (List.nth r i)))) head rows)
      header
  in
  let rule left mid right =
    Format.fprintf ppf "%s%s%s@\n" left
      (String.concat mid (List.map (fun w -> repeat (w + 2) "─") widths))
      right
  in
  let line cells =
    Format.fprintf ppf "│ %s │@\n" (String.concat " │ " (List.map2 pad widths cells))
  in
  rule "┌" "┬" "┐";
  for i = 0 to heads - 1 do
    line (List.map (fun h -> Left (Option.value (List.nth_opt h i) ~default:"")) header)
  done;
  rule "├" "┼" "┤";
  List.iter line rows;
  rule "└" "┴" "┘"

let to_string t = Format.asprintf "%a" print t

(* -- HTML -------------------------------------------------------------------- *)

let one_line heading = String.map (function '\n' -> ' ' | c -> c) heading

(* A narrow page shows a row as a list and writes this heading before each cell. *)
let cell b heading c =
  let s = text c in
  let kind = match c with Left _ -> "l" | Right _ -> "r" in
  if s = "" then Printf.bprintf b "<td></td>"
  else
    Printf.bprintf b "<td class='%s' data-h=\"%s\">%s</td>" kind
      (Axis.escape (one_line heading))
      (Axis.escape s)

let html { header; rows } =
  let b = Buffer.create 4096 in
  let columns = List.length header in
  Printf.bprintf b "<table class='%s'>\n<thead><tr>" (if columns > 4 then "wide" else "slim");
  List.iter (fun h -> Printf.bprintf b "<th>%s</th>" (Axis.escape (one_line h))) header;
  Printf.bprintf b "</tr></thead>\n<tbody>\n";
  List.iter
    (fun row ->
      Printf.bprintf b "<tr>";
      List.iter2 (cell b) header (fill columns row);
      Printf.bprintf b "</tr>\n")
    rows;
  Printf.bprintf b "</tbody></table>\n";
  Buffer.contents b

(* -- numbers ----------------------------------------------------------------- *)

let scaled x units =
  let rec go x = function
    | [ u ] -> Printf.sprintf "%.2f%s" x u
    | u :: _ when Float.abs x < 1000. -> Printf.sprintf "%.2f%s" x u
    | _ :: rest -> go (x /. 1000.) rest
    | [] -> assert false
  in
  go x units

let interval_ns low high =
  let unit_, per =
    if high < 1e3 then ("ns", 1.) else if high < 1e6 then ("us", 1e3) else ("ms", 1e6)
  in
  Printf.sprintf "%.2f…%.2f%s" (low /. per) (high /. per) unit_

let ns x = scaled x [ "ns"; "us"; "ms"; "s" ]
let words x = if Float.abs x < 0.01 then "" else scaled x [ "w"; "kw"; "Mw" ]
let percent x = Printf.sprintf "%.2f%%" x
