type target = { claim : string; value : float; bound : float }

type outcome = {
  rows : Row.t list;
  tables : (string * string) list;
  plots : string list;
  conclusion : string list;
  targets : target list;
  warnings : string list;
}

type t = {
  name : string;
  question : string;
  run : quick:bool -> progress:(string -> unit) -> outcome;
}

let holds t = t.value <= t.bound

let count targets =
  Printf.sprintf "Targets: %d of %d hold"
    (List.length (List.filter holds targets))
    (List.length targets)

let targets_table ppf targets =
  Table.print ppf
    [ "Target"; "Measured"; "Bound"; "Holds" ]
    (List.map
       (fun t ->
         Table.
           [
             Left t.claim;
             Right (Printf.sprintf "%.3f" t.value);
             Right (Printf.sprintf "%.3f" t.bound);
             Left (if holds t then "yes" else "NO");
           ])
       targets)

let print ppf study o =
  Format.fprintf ppf "@\n%s@\n%s@\n" (String.uppercase_ascii study.name) study.question;
  List.iter (fun (caption, table) -> Format.fprintf ppf "@\n%s@\n%s" caption table) o.tables;
  if o.conclusion <> [] then Format.fprintf ppf "@\nWhat the numbers say@\n";
  List.iter (fun s -> Format.fprintf ppf "- %s@\n" s) o.conclusion;
  if o.targets <> [] then Format.fprintf ppf "@\n%a" targets_table o.targets;
  List.iter (fun w -> Format.fprintf ppf "noise: %s@\n" w) o.warnings;
  Format.pp_print_flush ppf ()

let style =
  {|:root{color-scheme:light dark}
body{font-family:sans-serif;max-width:66rem;margin:2rem auto;padding:0 1rem;color:#222;background:#fff}
pre{overflow-x:auto;line-height:1.15;font-size:11.6px}
h2{margin-top:3rem}h3{font-size:1rem}figure{margin:1.5rem 0}li{margin:.2rem 0}
svg{max-width:100%;height:auto}
.facts td{padding:0 1rem 0 0}
code{background:#8882;padding:.1rem .3rem}
@media(prefers-color-scheme:dark){
body{color:#ddd;background:#181a1d}
:root{--c0:#5aa9e6;--c1:#ef7b8b;--c2:#6cc47a;--c3:#f2c14e;--c4:#a98bd6;--c5:#35b5c5;--c6:#c99764;--c7:#b5b5b5;--c8:#f06ba0}
}|}

let list b items =
  Printf.bprintf b "<ul>\n";
  List.iter (fun s -> Printf.bprintf b "<li>%s</li>\n" (Axis.escape s)) items;
  Printf.bprintf b "</ul>\n"

let section ~command b (study, o) =
  let e = Axis.escape in
  Printf.bprintf b "<h2 id='%s'>%s</h2>\n<p>%s</p>\n<p>Repeat it with <code>%s</code>.</p>\n"
    study.name (e study.name) (e study.question)
    (e (command [ study.name ]));
  if o.conclusion <> [] then begin
    Printf.bprintf b "<h3>What the numbers say</h3>\n";
    list b o.conclusion
  end;
  if o.targets <> [] then
    Printf.bprintf b "<h3>%s</h3>\n<pre>%s</pre>\n" (count o.targets)
      (e (Format.asprintf "%a" targets_table o.targets));
  List.iter (Printf.bprintf b "<figure>%s</figure>\n") o.plots;
  List.iter
    (fun (caption, table) -> Printf.bprintf b "<h3>%s</h3>\n<pre>%s</pre>\n" (e caption) (e table))
    o.tables;
  if o.warnings <> [] then begin
    let n = List.length o.warnings in
    Printf.bprintf b "<details><summary>Noise: %d warnings</summary>\n" n;
    list b o.warnings;
    Printf.bprintf b "</details>\n"
  end

let page ~command ~machine outcomes =
  let e = Axis.escape in
  let b = Buffer.create 65536 in
  Printf.bprintf b
    "<!doctype html>\n\
     <html lang='en'><head><meta charset='utf-8'><title>Weir lab</title><meta name='viewport' \
     content='width=device-width'><style>%s</style></head><body>\n\
     <h1>Weir lab</h1>\n\
     <p>Repeat it with <code>%s</code>. Dashed lines, hatched bars and columns marked “published” \
     are the studies' own numbers, from their machines.</p>\n\
     <table class='facts'>"
    style
    (e (command (List.map (fun (s, _) -> s.name) outcomes)));
  List.iter (fun (k, v) -> Printf.bprintf b "<tr><td>%s</td><td>%s</td></tr>\n" (e k) (e v)) machine;
  Printf.bprintf b "</table>\n";
  List.iter (section ~command b) outcomes;
  Printf.bprintf b "</body></html>\n";
  Buffer.contents b
