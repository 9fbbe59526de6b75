module Lookup = Weir_drive.Lookup
module Eyeballs = Weir_drive.Eyeballs
module Names = Weir_drive.Names

let failed e =
  let e : Eio.Net.Getaddrinfo_error.t =
    match e with
    | `No_service -> SERVICE
    | `No_name -> NONAME
    | `No_data -> NODATA
    | `Try_again -> AGAIN
    | `Refused -> FAIL
  in
  Eio.Net.err (Address_lookup_failed e)

(* [f] gets each thing that is found, then the caller may end the wait. *)
let asking host later ~found f =
  let cancel = Host.pump host (fun _ -> later ~now:(Host.now host) found) in
  Fun.protect ~finally:(fun () -> Host.with_stack host (fun _ -> cancel ())) f

let wait host question =
  match Host.pump host question with
  | Lookup.Now answer -> answer
  | Later later ->
      let answered, answer = Eio.Promise.create () in
      let found x = ignore (Eio.Promise.try_resolve answer x : bool) in
      let answer = asking host later ~found (fun () -> Eio.Promise.await answered) in
      Host.check_alive host "getaddrinfo";
      answer

(* -- connecting ------------------------------------------------------------ *)

type event =
  | Resolved of Lookup.progress
  | Connected of Connection.t
  | Failed of Ipaddr.t * exn
  | Nothing

let take_until host events at =
  if at = Weir_base.Time.never then Eio.Stream.take events
  else
    Eio.Fiber.first
      ~combine:(fun a b -> if a == Nothing then b else a)
      (fun () -> Eio.Stream.take events)
      (fun () ->
        Host.sleep host (at - Host.now host);
        Nothing)

let race host ~sw ~attempt ~port events =
  let eyes = Eyeballs.create ~source:(fun a -> Host.pump host (fun p -> Lookup.source p a)) () in
  let start a =
    Eio.Fiber.fork_daemon ~sw (fun () ->
        Eio.Stream.add events
          (match attempt a ~port with
          | c -> Connected c
          | exception (Eio.Io _ as e) -> Failed (a, e));
        `Stop_daemon)
  in
  let rec go last =
    match Eyeballs.next eyes ~now:(Host.now host) with
    | Attempt a ->
        start a;
        go last
    | Failed -> raise last
    | Wait at -> (
        match take_until host events at with
        | Nothing -> go last
        | Connected c -> c
        | Failed (a, e) ->
            Eyeballs.failed eyes a;
            go e
        | Resolved p ->
            go (Option.fold ~none:last ~some:failed (Lookup.tell eyes ~now:(Host.now host) p)))
  in
  go (failed `No_name)

(* Attempts that came second at the same moment. *)
let rec close_others events =
  match Eio.Stream.take_nonblocking events with
  | None -> ()
  | Some (Connected c) ->
      Connection.abort c;
      close_others events
  | Some (Resolved _ | Failed _ | Nothing) -> close_others events

let connect host ~sw ~attempt ~service node =
  Eio.Switch.check sw;
  let port =
    match List.assoc_opt Names.Tcp (Names.ports service) with
    | Some port -> port
    | None -> raise (failed `No_service)
  in
  let events = Eio.Stream.create max_int in
  let found p = Eio.Stream.add events (Resolved p) in
  let race () = Eio.Switch.run @@ fun sw -> race host ~sw ~attempt ~port events in
  Fun.protect ~finally:(fun () -> close_others events) @@ fun () ->
  match Host.pump host (fun p -> Lookup.for_connect p node) with
  | Now p ->
      found p;
      race ()
  | Later later -> asking host later ~found race
