module Impairment = Weir_link.Impairment
module Trace = Weir_link.Delivery_trace

type rate =
  | Constant of { bps : int; queue : int option }
  | Trace of { name : string; trace : Trace.t; queue : int option }

type kind =
  | Refuse
  | Black_hole
  | Reset of int
  | Stall of int
  | Dns of [ `Servfail | `Nxdomain | `Timeout ]

type fault = { kind : kind; chance : float }
type what = Impair of Impairment.t | Rate of rate | Cut | Heal | Fault of fault
type t = { what : what; scope : Run_scope.t }

let ( let* ) = Result.bind
let error fmt = Printf.ksprintf Result.error fmt

(* -- rates ------------------------------------------------------------------- *)

let most_trace = 64_000_000

let read_trace path =
  match In_channel.with_open_bin path (fun c -> really_input_string c (in_channel_length c)) with
  | exception Sys_error why -> Error why
  | s when String.length s > most_trace -> error "%s: longer than %d bytes" path most_trace
  | s -> Result.map_error (fun why -> path ^ ": " ^ why) (Trace.of_string s)

let queue_of s =
  match String.split_on_char '=' s with
  | [ "queue"; _ ] ->
      let* i = Impairment.of_string s in
      Ok (Some i.queue_bytes)
  | _ -> error "%s: give a rate such as 10mbit or 10mbit,queue=64kB" s

let rate_of s =
  let rate, rest =
    match String.index_opt s ',' with
    | Some i -> (String.sub s 0 i, String.sub s (i + 1) (String.length s - i - 1))
    | None -> (s, "")
  in
  let* queue = if rest = "" then Ok None else queue_of rest in
  if rate = "none" then Ok (Constant { bps = Impairment.unlimited; queue })
  else if String.starts_with ~prefix:"trace:" rate then
    let name = String.sub rate 6 (String.length rate - 6) in
    let* trace = read_trace name in
    Ok (Trace { name; trace; queue })
  else
    let* i = Impairment.of_string ("rate=" ^ rate) in
    Ok (Constant { bps = i.rate_bps; queue })

let trace s =
  let* name, scope =
    (* A file whose name ends like a direction is that file. *)
    if Sys.file_exists s then Ok (s, Run_scope.everything) else Run_scope.split s
  in
  let* trace = read_trace name in
  Ok { what = Rate (Trace { name; trace; queue = None }); scope }

(* -- faults ------------------------------------------------------------------ *)

let chance_of s =
  let* i = Impairment.of_string ("loss=" ^ s) in
  match i.loss with Steady p -> Ok p | Bursts _ -> error "%s: not a chance" s

let bytes_of s =
  let* i = Impairment.of_string ("queue=" ^ s) in
  Ok i.queue_bytes

let known_faults =
  "refuse=CHANCE, blackhole=CHANCE, reset=BYTES[:CHANCE], stall=BYTES[:CHANCE], dns=CHANCE \
   [:servfail|:nxdomain|:timeout]"

let after_bytes value kind =
  match String.split_on_char ':' value with
  | [ bytes ] ->
      let* n = bytes_of bytes in
      Ok { kind = kind n; chance = 1. }
  | [ bytes; chance ] ->
      let* n = bytes_of bytes in
      let* chance = chance_of chance in
      Ok { kind = kind n; chance }
  | _ -> error "%s: give BYTES or BYTES:CHANCE" value

let dns_of value =
  let* how, chance =
    match String.split_on_char ':' value with
    | [ chance ] | [ chance; "servfail" ] -> Ok (`Servfail, chance)
    | [ chance; "nxdomain" ] -> Ok (`Nxdomain, chance)
    | [ chance; "timeout" ] -> Ok (`Timeout, chance)
    | _ -> error "dns=%s: give CHANCE, with :servfail, :nxdomain or :timeout behind it" value
  in
  let* chance = chance_of chance in
  Ok { kind = Dns how; chance }

let fault_of s =
  let name, value =
    match String.index_opt s '=' with
    | Some i -> (String.sub s 0 i, String.sub s (i + 1) (String.length s - i - 1))
    | None -> (s, "100%")
  in
  let by_chance kind = Result.map (fun chance -> { kind; chance }) (chance_of value) in
  match name with
  | "refuse" -> by_chance Refuse
  | "blackhole" -> by_chance Black_hole
  | "reset" -> after_bytes value (fun n -> Reset n)
  | "stall" -> after_bytes value (fun n -> Stall n)
  | "dns" -> dns_of value
  | _ -> error "%s: the faults are %s" name known_faults

(* -- all of them ------------------------------------------------------------- *)

let empty s what = if s = "" then Ok what else error "%s: only /in, /out or @WHERE may follow" s

(* The members of a cut may stand without a colon. *)
let with_colon option value =
  match option with
  | ("cut" | "heal") when String.contains value ',' && not (String.contains value ':') ->
      value ^ ":"
  | _ -> value

let between_only_packets scope what =
  match what with
  | Fault _ when Run_scope.is_between scope ->
      error "faults are of connections out of the network, not between its members"
  | what -> Ok what

let parse option value =
  let* s, scope = Run_scope.split (with_colon option value) in
  let* what =
    match option with
    | "impair" -> Result.map (fun i -> Impair i) (Impairment.of_string s)
    | "rate" -> Result.map (fun r -> Rate r) (rate_of s)
    | "fault" -> Result.map (fun f -> Fault f) (fault_of s)
    | "cut" -> empty s Cut
    | "heal" -> empty s Heal
    | _ -> error "%s: the changes are impair, rate, cut, heal and fault" option
  in
  let* what = between_only_packets scope what in
  Ok { what; scope }

let time s =
  let* i = Impairment.of_string ("delay=" ^ s) in
  Ok i.delay_ns

(* What stands before and behind the first [..]; a time may have one dot. *)
let around_dots s =
  let rec find i =
    if i + 1 >= String.length s then None
    else if s.[i] = '.' && s.[i + 1] = '.' then
      Some (String.sub s 0 i, String.sub s (i + 2) (String.length s - i - 2))
    else find (i + 1)
  in
  find 0

let times s =
  let* span, scope = Run_scope.split s in
  match around_dots span with
  | None -> error "%s: give two times, such as 5s..8s" span
  | Some (from, until) ->
      let* from = time from in
      let* until = if until = "" then Ok Weir_base.Time.never else time until in
      if until <= from then error "%s: the second time must be later" span
      else Ok (from, until, { what = Cut; scope })

let pp_kind f = function
  | Refuse -> Fmt.string f "refuse"
  | Black_hole -> Fmt.string f "blackhole"
  | Reset n -> Fmt.pf f "reset after %d bytes" n
  | Stall n -> Fmt.pf f "stall after %d bytes" n
  | Dns `Servfail -> Fmt.string f "dns servfail"
  | Dns `Nxdomain -> Fmt.string f "dns nxdomain"
  | Dns `Timeout -> Fmt.string f "dns timeout"

let pp_what f = function
  | Impair i -> Fmt.pf f "impair %a" Impairment.pp i
  | Rate (Constant { bps; _ }) when bps = Impairment.unlimited -> Fmt.string f "rate none"
  | Rate (Constant { bps; _ }) -> Impairment.pp f { Impairment.none with rate_bps = bps }
  | Rate (Trace { name; _ }) -> Fmt.pf f "rate trace:%s" name
  | Cut -> Fmt.string f "cut"
  | Heal -> Fmt.string f "heal"
  | Fault { kind; chance = 1. } -> Fmt.pf f "fault %a" pp_kind kind
  | Fault { kind; chance } -> Fmt.pf f "fault %a, %g%%" pp_kind kind (100. *. chance)

let pp f t = Fmt.pf f "%a%a" pp_what t.what Run_scope.pp t.scope

(* -- exact, for other processes of this user ------------------------------------ *)

let absolute name = if Filename.is_relative name then Filename.concat (Sys.getcwd ()) name else name

let rate_text rate =
  let rate, queue =
    match rate with
    | Constant { bps; queue } when bps = Impairment.unlimited -> ("none", queue)
    | Constant { bps; queue } -> (Printf.sprintf "%dbit" bps, queue)
    | Trace { name; queue; _ } -> ("trace:" ^ absolute name, queue)
  in
  rate ^ Option.fold queue ~none:"" ~some:(Printf.sprintf ",queue=%dB")

let to_text t =
  let join what = Run_scope.join what t.scope in
  match t.what with
  | Impair i -> Some ("impair " ^ join (Fmt.str "%a" Impairment.pp i))
  | Rate rate -> Some ("rate " ^ join (rate_text rate))
  | Cut -> Some ("cut " ^ join "")
  | Heal -> Some ("heal " ^ join "")
  | Fault _ -> None

let of_text s =
  match String.index_opt s ' ' with
  | None -> error "%s: no change" s
  | Some i -> parse (String.sub s 0 i) (String.sub s (i + 1) (String.length s - i - 1))
