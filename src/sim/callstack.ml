let libraries = [ "lib_eio/"; "src/eio/"; "src/sim/"; "src/drive/"; "src/flow/"; "stdlib" ]
let standard = [ "fun.ml"; "effect.ml"; "list.ml"; "array.ml"; "option.ml"; "seq.ml" ]

let contains s part =
  let n = String.length part in
  let rec at i = i + n <= String.length s && (String.sub s i n = part || at (i + 1)) in
  at 0

let in_library (l : Printexc.location) =
  List.mem l.filename standard || List.exists (contains l.filename) libraries

(* Eio__Net.accept becomes Eio.Net.accept, Dune__exe__Main.f Main.f. *)
let readable name =
  let dotted = Buffer.create 32 in
  let rec go i =
    if i < String.length name then (
      let double = i + 1 < String.length name && name.[i] = '_' && name.[i + 1] = '_' in
      Buffer.add_char dotted (if double then '.' else name.[i]);
      go (if double then i + 2 else i + 1))
  in
  go 0;
  match String.split_on_char '.' (Buffer.contents dotted) with
  | "Dune" :: "exe" :: rest -> String.concat "." rest
  | "Eio" :: "core" :: rest -> String.concat "." ("Eio" :: rest)
  | parts -> String.concat "." parts

let means =
  [ "Eio.Condition."; "Eio.Fiber.fork"; "Eio.Switch."; "Eio.Cancel."; "Eio.Single_waiter." ]

let starts_with_any prefixes name =
  List.exists (fun prefix -> String.starts_with ~prefix name) prefixes

(* Of the library functions that the fiber is in, the innermost that a program
   calls; conditions and the like are usually the means of another. *)
let operation inside =
  let is_called name =
    starts_with_any [ "Eio."; "Weir_sim." ] name
    && (not (contains name "Scheduler."))
    && not (starts_with_any means name)
  in
  let within prefix = List.find_opt (String.starts_with ~prefix) inside in
  match (List.find_opt is_called inside, within "Eio.Condition.", within "Eio.Single_waiter.") with
  | Some name, _, _ | None, Some name, _ -> name
  | None, None, Some _ -> "Eio.Switch.run, for its fibers"
  | None, None, None -> "an operation of Eio, perhaps by a tail call"

let summary stack =
  let frames =
    Printexc.backtrace_slots stack |> Option.value ~default:[||] |> Array.to_list
    |> List.filter_map (fun slot ->
        match (Printexc.Slot.name slot, Printexc.Slot.location slot) with
        | Some name, Some location -> Some (readable name, location)
        | _ -> None)
  in
  let rec search inside = function
    | (name, location) :: rest when in_library location -> search (name :: inside) rest
    | (name, (l : Printexc.location)) :: _ ->
        (inside, Some (Printf.sprintf "%s, file %s, line %d" name l.filename l.line_number))
    | [] -> (inside, None)
  in
  let inside, place = search [] frames in
  (operation (List.rev inside), place)
