open Js_of_ocaml
open Web_stage

let () = Web_runtime.linked
let current : Play.t option ref = ref None
let text = Js.string

(* {error} or the play, as JSON. *)
let play setting =
  match Setting.of_string (Js.to_string setting) with
  | Error why -> text (Printf.sprintf "{\"error\":%s}" (Play_json.text why))
  | Ok setting ->
      let t = Play.run setting in
      current := Some t;
      text (Play_json.of_play t)

let packet f n =
  match !current with
  | None -> text ""
  | Some t -> ( match f t n with s -> text s | exception Not_found -> text "")

let scenarios () =
  Play_json.list
    (List.map (fun (name, about) -> Play_json.(list [ text name; text about ])) Setting.scenarios)
  |> text

(* ns of a wait in a loop of them. *)
let wait direct turn depth =
  Js_ways.Ways.(
    ns_of_wait Basic ~direct:(Js.to_bool direct) ~turn:(Js.to_bool turn) ~depth ~waits:15_000)

let () =
  let open Js.Unsafe in
  set global "weirMachine"
    (obj
       [|
         ("play", inject (Js.wrap_callback play));
         ("line", inject (Js.wrap_callback (packet Play.line)));
         ( "fields",
           inject (Js.wrap_callback (packet (fun t n -> Play_json.fields (Play.fields t n)))) );
         ("wait", inject (Js.wrap_callback wait));
         ("speed", inject (Js.wrap_callback (fun bytes -> Web_report.speed ~bytes)));
         ("scenarios", inject (Js.wrap_callback scenarios));
       |])
