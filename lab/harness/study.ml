type target = { claim : string; measured : Sample.interval; bound : float; reason : string }

type outcome = {
  rows : Row.t list;
  tables : (string * Table.t) list;
  plots : string list;
  summary : string;
  conclusion : string list;
  targets : target list;
  warnings : string list;
}

type measuring =
  | Rounds of { rounds : int; parts : Session.part list; outcome : Session.results -> outcome }
  | Once of (quick:bool -> progress:(string -> unit) -> outcome)

type t = { name : string; question : string; published : string; measuring : measuring }

let holds t = t.measured.value <= t.bound

let count targets =
  Printf.sprintf "%d of %d hold" (List.length (List.filter holds targets)) (List.length targets)

let verdict t =
  if holds t then "yes"
  else if t.measured.low <= t.bound then "no, by less than its interval"
  else "NO"

let targets_table targets =
  Table.make
    [ "Target"; "Measured"; "Bound"; "Holds" ]
    (List.map
       (fun t ->
         Table.
           [
             Left t.claim;
             Right (Sample.text ~digits:3 t.measured);
             Right (Printf.sprintf "%.3f" t.bound);
             Left (verdict t);
           ])
       targets)

let not_measured = function
  | [] -> []
  | l ->
      [
        ( "Not measured",
          Table.make [ "What"; "Why" ]
            (List.map (fun (what, why) -> Table.[ Left what; Left why ]) l) );
      ]

let print ppf study o =
  Format.fprintf ppf "@\n%s@\n%s@\n" (String.uppercase_ascii study.name) study.question;
  List.iter (fun (caption, t) -> Format.fprintf ppf "@\n%s@\n%a" caption Table.print t) o.tables;
  if o.conclusion <> [] then Format.fprintf ppf "@\nWhat the numbers say@\n";
  List.iter (fun s -> Format.fprintf ppf "- %s@\n" s) o.conclusion;
  if o.targets <> [] then Format.fprintf ppf "@\n%a" Table.print (targets_table o.targets);
  List.iter (fun w -> Format.fprintf ppf "noise: %s@\n" w) o.warnings;
  Format.pp_print_flush ppf ()
