open Weir_base
open Weir_link

type host = { congestion : string; sack : bool; delayed_ack : bool; nagle : bool }
type fault = Cut | Heal

type t = {
  scenario : string;
  seed : int;
  bytes : int;
  link : Impairment.t;
  back : Impairment.t option;
  mtu : int;
  silent : bool;
  marks : Time.t option;
  client : host;
  server : host;
  faults : (Time.t * fault) list;
}

let usual = { congestion = "cubic"; sack = true; delayed_ack = true; nagle = true }

let default =
  {
    scenario = "transfer";
    seed = 1;
    bytes = 400_000;
    link =
      { Impairment.none with delay_ns = Time.ms 20; rate_bps = 10_000_000; queue_bytes = 32_000 };
    back = None;
    mtu = 1_500;
    silent = false;
    marks = None;
    client = usual;
    server = usual;
    faults = [];
  }

let scenarios =
  ("transfer", "the client sends bytes to the server")
  :: ("short", "the client sends a request in two short writes, eight times")
  :: List.map
       (fun (s : Weir_scenarios.Scenario.t) -> (s.name, s.about))
       Weir_scenarios.Scenarios.all

let algorithms =
  List.map Weir_core.Congestion.name Weir_core.Config.default.Weir_core.Config.congestion

let ( let* ) = Result.bind
let wrong name value = Error (Printf.sprintf "%s cannot be %S" name value)

let number name value ~least ~most =
  match int_of_string_opt value with
  | Some n when n >= least && n <= most -> Ok n
  | _ -> wrong name value

let span name value ~unit =
  match Float.of_string_opt value with
  | Some x when x >= 0. && x <= 3_600. *. 1e9 /. unit -> Ok (Float.to_int (x *. unit))
  | _ -> wrong name value

let switch name = function "1" -> Ok true | "0" -> Ok false | value -> wrong name value

let host h name field value =
  match field with
  | "cc" when List.mem value algorithms -> Ok { h with congestion = value }
  | "sack" -> Result.map (fun sack -> { h with sack }) (switch name value)
  | "delack" -> Result.map (fun delayed_ack -> { h with delayed_ack }) (switch name value)
  | "nagle" -> Result.map (fun nagle -> { h with nagle }) (switch name value)
  | "cc" -> wrong name value
  | _ -> Error (Printf.sprintf "there is no setting %S" name)

let fault t name value kind =
  let* at = span name value ~unit:1e9 in
  let later (a, _) (b, _) = Int.compare a b in
  Ok { t with faults = List.stable_sort later (t.faults @ [ (at, kind) ]) }

let set t name value =
  match String.split_on_char '.' name with
  | [ "scenario" ] ->
      if List.mem_assoc value scenarios then Ok { t with scenario = value } else wrong name value
  | [ "seed" ] ->
      Result.map (fun seed -> { t with seed }) (number name value ~least:0 ~most:1_000_000_000)
  | [ "bytes" ] ->
      Result.map (fun bytes -> { t with bytes }) (number name value ~least:1 ~most:5_000_000)
  | [ "link" ] -> Result.map (fun link -> { t with link }) (Impairment.of_string value)
  | [ "back" ] -> Result.map (fun i -> { t with back = Some i }) (Impairment.of_string value)
  | [ "mtu" ] -> Result.map (fun mtu -> { t with mtu }) (number name value ~least:576 ~most:1_500)
  | [ "silent" ] -> Result.map (fun silent -> { t with silent }) (switch name value)
  | [ "marks" ] -> Result.map (fun ns -> { t with marks = Some ns }) (span name value ~unit:1e6)
  | [ "cut" ] -> fault t name value Cut
  | [ "heal" ] -> fault t name value Heal
  | [ "client"; field ] ->
      Result.map (fun client -> { t with client }) (host t.client name field value)
  | [ "server"; field ] ->
      Result.map (fun server -> { t with server }) (host t.server name field value)
  | _ -> Error (Printf.sprintf "there is no setting %S" name)

let part t text =
  match String.index_opt text '=' with
  | None -> Error (Printf.sprintf "%S has no value" text)
  | Some i -> set t (String.sub text 0 i) (String.sub text (i + 1) (String.length text - i - 1))

let of_string text =
  List.fold_left
    (fun t text -> Result.bind t (fun t -> part t text))
    (Ok default)
    (List.filter (fun s -> s <> "") (String.split_on_char '&' text))
