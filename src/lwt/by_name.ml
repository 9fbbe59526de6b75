module Lookup = Weir_drive.Lookup
module Eyeballs = Weir_drive.Eyeballs
module Names = Weir_drive.Names

(* Calls [found] with each address found, until the promise of [f ()] is resolved. *)
let asking host later ~found f =
  let cancel = later ~now:(Host.now host) found in
  Host.flush host;
  Lwt.finalize f (fun () ->
      cancel ();
      if not (Host.is_closed host) then Host.flush host;
      Lwt.return_unit)

let wait host question =
  match question (Host.pump host) with
  | Lookup.Now answer -> Lwt.return answer
  | Later later ->
      let answered, answer = Lwt.task () in
      let found x = if Lwt.is_sleeping answered then Lwt.wakeup_later answer x in
      asking host later ~found (fun () -> answered)

(* -- connecting ------------------------------------------------------------ *)

type event =
  | Resolved of Lookup.progress
  | Connected of Connection.t
  | Failed of Ipaddr.t * Error.t

type race = {
  events : event Queue.t;
  news : unit Lwt_condition.t;
  mutable attempts : (Connection.t, Error.t) result Lwt.t list;
  mutable over : bool;
}

let drop = function Connected c -> Connection.abort c | Resolved _ | Failed _ -> ()

let tell race e =
  if race.over then drop e
  else (
    Queue.push e race.events;
    Lwt_condition.broadcast race.news ())

let start race ~attempt ~port a =
  let p = attempt a ~port in
  race.attempts <- p :: race.attempts;
  Lwt.on_any p
    (function Ok c -> tell race (Connected c) | Error e -> tell race (Failed (a, e)))
    (fun _ -> ())

let end_race race =
  race.over <- true;
  List.iter Lwt.cancel race.attempts;
  Queue.iter drop race.events;
  Queue.clear race.events

let wait_for_news host race at =
  let news = Lwt_condition.wait race.news in
  if at = Weir_base.Time.never then news
  else Lwt.pick [ news; Host.sleep host (at - Host.now host) ]

let run host ~attempt ~port race () =
  let eyes = Eyeballs.create ~source:(Lookup.source (Host.pump host)) () in
  let rec go last =
    match Queue.take_opt race.events with
    | Some (Connected c) -> Lwt_result.return c
    | Some (Failed (a, e)) ->
        Eyeballs.failed eyes a;
        go e
    | Some (Resolved p) ->
        let lookup_failed e = Error.Lookup_failed (e :> Error.lookup) in
        go (Option.fold ~none:last ~some:lookup_failed (Lookup.tell eyes ~now:(Host.now host) p))
    | None -> (
        match Eyeballs.next eyes ~now:(Host.now host) with
        | Attempt a ->
            start race ~attempt ~port a;
            go last
        | Failed -> Lwt_result.fail last
        | Wait at -> Lwt.bind (wait_for_news host race at) (fun () -> go last))
  in
  go (Error.Lookup_failed `No_name)

let connect host ~attempt ~service node =
  match List.assoc_opt Names.Tcp (Names.ports service) with
  | None -> Lwt_result.fail (Error.Lookup_failed `No_service)
  | Some _ when Host.is_closed host -> Lwt_result.fail Error.Closed_locally
  | Some port -> (
      let news = Lwt_condition.create () in
      let race = { events = Queue.create (); news; attempts = []; over = false } in
      let found p = tell race (Resolved p) in
      let run () =
        Lwt.finalize (run host ~attempt ~port race) (fun () ->
            end_race race;
            Lwt.return_unit)
      in
      match Lookup.for_connect (Host.pump host) node with
      | Now p ->
          found p;
          run ()
      | Later later -> asking host later ~found run)
