let index =
  {|<!doctype html><meta charset="utf-8"><title>Weir</title>
<link rel="stylesheet" href="style/site.css">
<h1>Served over our own TCP/IP</h1>
<p>Every byte of this page left through a TCP that is written in OCaml.
<p><a href="ten-megabytes.bin">ten megabytes</a>, <a href="notes/a b.txt">a name with a space</a>
|}

let ten_megabytes () =
  let random = Random.State.make [| 2026 |] in
  let b = Bytes.create 10_485_760 in
  for i = 0 to (Bytes.length b / 8) - 1 do
    Bytes.set_int64_le b (8 * i) (Random.State.bits64 random)
  done;
  Bytes.unsafe_to_string b

(* Lazy, because other subcommands link this module too. *)
let made =
  lazy
    [
      ("index.html", index);
      ("style/site.css", "body { font: 18px/1.5 serif; max-width: 40em; margin: 3em auto }\n");
      ("notes/a b.txt", "A path that needs percent-encoding.\n");
      ("notes/empty.txt", "");
      ("ten-megabytes.bin", ten_megabytes ());
    ]

let files () = Lazy.force made
let bytes () = List.fold_left (fun n (_, s) -> n + String.length s) 0 (files ())
