let style =
  {|:root{color-scheme:light dark}
*{box-sizing:border-box}
body{font:16px/1.45 system-ui,sans-serif;max-width:70rem;margin:1.5rem auto;padding:0 1rem;color:#222;background:#fff;overflow-wrap:break-word}
h1{margin:.2rem 0}h2{margin-top:3rem;border-top:1px solid #8886;padding-top:1rem}h3{font-size:1.05rem;margin:1.6rem 0 .4rem}
figure{margin:1.5rem 0}li{margin:.25rem 0}ul{padding-left:1.2rem}
svg{max-width:100%;height:auto}
code{background:#8882;padding:.1rem .3rem}
a{color:#0b62a4}
.small{color:#666;font-size:.85rem}
.study{border:1px solid #8886;border-radius:.5rem;padding:.2rem 1rem .8rem;margin:1rem 0}
.study h2{border:0;margin:.6rem 0 .3rem;padding:0;font-size:1.2rem}
.study dl{display:grid;grid-template-columns:6.5rem 1fr;gap:.4rem .8rem;margin:0}
.study dt{color:#666}.study dd{margin:0}
.study ul{margin:.3rem 0 0}
details{margin:.3rem 0}summary{cursor:pointer}
table{border-collapse:collapse;width:100%;margin:.5rem 0 1rem;font-size:.8rem;font-variant-numeric:tabular-nums}
table.slim{width:auto}
th,td{padding:.2rem .45rem;border-bottom:1px solid #8884;text-align:right;vertical-align:top}
th{font-weight:600;text-align:right;vertical-align:bottom}
th:first-child{text-align:left}
td.l{text-align:left}td:first-child{overflow-wrap:anywhere}
tr>td:first-child{font-weight:500}
@media(max-width:48rem){
.study dl{display:block}.study dt{margin-top:.5rem}
table.wide,table.wide tbody,table.wide tr,table.wide td{display:block;width:100%}
table.wide thead{display:none}
table.wide tr{border:1px solid #8886;border-radius:.3rem;margin:.5rem 0;padding:.2rem .5rem}
table.wide td{border:0;padding:.1rem 0;display:flex;justify-content:space-between;gap:1rem;text-align:right}
table.wide td:empty{display:none}
table.wide td::before{content:attr(data-h);color:#666;font-weight:400;text-align:left}
table.slim{width:100%}
}
@media(prefers-color-scheme:dark){
body{color:#ddd;background:#181a1d}a{color:#5aa9e6}.small,.study dt,table.wide td::before{color:#aaa}
:root{--c0:#5aa9e6;--c1:#ef7b8b;--c2:#6cc47a;--c3:#f2c14e;--c4:#a98bd6;--c5:#35b5c5;--c6:#c99764;--c7:#b5b5b5;--c8:#f06ba0}
}|}

let e = Axis.escape
let json_file (study : Study.t) = study.name ^ ".json"

let list b items =
  Printf.bprintf b "<ul>\n";
  List.iter (fun s -> Printf.bprintf b "<li>%s</li>\n" (e s)) items;
  Printf.bprintf b "</ul>\n"

(* -- the summary ------------------------------------------------------------- *)

let missed (t : Study.target) =
  let reason =
    if t.measured.low <= t.bound then " The bound lies within the interval." else " " ^ t.reason
  in
  Printf.sprintf "%s: %s, the bound is %.3g.%s" t.claim
    (Sample.text ~digits:3 t.measured)
    t.bound
    (if reason = " " then " The reason is not known." else reason)

let entry b what text = Printf.bprintf b "<dt>%s</dt><dd>%s</dd>\n" what (e text)

let summary b ((study : Study.t), (o : Study.outcome)) =
  Printf.bprintf b "<section class='study'>\n<h2><a href='#%s'>%s</a></h2>\n<dl>\n" study.name
    (e study.name);
  entry b "Question" study.question;
  entry b "Published" study.published;
  entry b "Today" o.summary;
  if o.targets <> [] then begin
    Printf.bprintf b "<dt>Targets</dt><dd>%s" (e (Study.count o.targets));
    (match List.filter (fun t -> not (Study.holds t)) o.targets with
    | [] -> Printf.bprintf b "."
    | l ->
        Printf.bprintf b ". These do not:\n";
        list b (List.map missed l));
    Printf.bprintf b "</dd>\n"
  end;
  Printf.bprintf b
    "<dt>Numbers</dt><dd><a href='%s'>%s</a>, every number with its interval, and the times of \
     each round</dd>\n\
     </dl>\n\
     </section>\n"
    (json_file study) (json_file study)

(* -- a study ----------------------------------------------------------------- *)

let folded b caption table =
  let rows = List.length table.Table.rows in
  Printf.bprintf b "<details><summary>%s (%d row%s)</summary>\n%s</details>\n" (e caption) rows
    (if rows = 1 then "" else "s")
    (Table.html table)

let section ~command b ((study : Study.t), (o : Study.outcome)) =
  Printf.bprintf b "<h2 id='%s'>%s</h2>\n<p>%s</p>\n<p>Repeat it with <code>%s</code>.</p>\n"
    study.name (e study.name) (e study.question)
    (e (command [ study.name ]));
  if o.conclusion <> [] then begin
    Printf.bprintf b "<h3>What the numbers say</h3>\n";
    list b o.conclusion
  end;
  if o.targets <> [] then
    Printf.bprintf b "<h3>Targets: %s</h3>\n%s"
      (e (Study.count o.targets))
      (Table.html (Study.targets_table o.targets));
  List.iter (Printf.bprintf b "<figure>%s</figure>\n") o.plots;
  if o.tables <> [] then Printf.bprintf b "<h3>Tables</h3>\n";
  List.iter (fun (caption, table) -> folded b caption table) o.tables;
  if o.warnings <> [] then begin
    Printf.bprintf b "<details><summary>Noise (%d warnings)</summary>\n" (List.length o.warnings);
    list b o.warnings;
    Printf.bprintf b "</details>\n"
  end

let html ~command ~machine outcomes =
  let b = Buffer.create 65536 in
  Printf.bprintf b
    "<!doctype html>\n\
     <html lang='en'><head><meta charset='utf-8'><title>Weir lab</title><meta name='viewport' \
     content='width=device-width,initial-scale=1'><link rel='icon' \
     href='data:,'><style>%s</style></head><body>\n\
     <h1>Weir lab</h1>\n\
     <p>Published studies, measured again with Weir. Repeat them with <code>%s</code>.</p>\n\
     <p class='small'>%s</p>\n"
    style
    (e (command (List.map (fun ((s : Study.t), _) -> s.name) outcomes)))
    (e (String.concat " · " (List.map (fun (k, v) -> k ^ ": " ^ v) machine)));
  List.iter (summary b) outcomes;
  Printf.bprintf b
    "<p class='small'>A range in brackets is a 95%% interval of what a second run would find; a \
     ratio compares values of the same rounds. Dashed lines, hatched bars and columns marked \
     “published” are the studies' own numbers, from their machines.</p>\n";
  List.iter (section ~command b) outcomes;
  Printf.bprintf b "</body></html>\n";
  Buffer.contents b
