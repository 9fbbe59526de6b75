open Effect.Deep

type _ Effect.t += Await : 'a Lwt.t -> 'a Effect.t

exception Outside_start

let () =
  Printexc.register_printer (function
    | Outside_start ->
        Some
          "Weir_threads.Threads.await: this promise is not resolved and the call is not inside \
           Threads.start (a callback that Lwt runs must start a thread of its own)"
    | _ -> None)

type wait = Nothing | Waiting : { promise : 'b Lwt.t; k : ('b, unit) continuation } -> wait
type 'a outcome = Pending | Value of 'a | Raised of exn * Printexc.raw_backtrace

(* [last] is the current wait if [state] is [In_wait]. It is not cleared when the wait ends: that
   store would cost more than the rest of a switch. *)
type state = Running | In_wait | Ended

type 'a thread = {
  mutable state : state;
  mutable last : wait;
  mutable cancelled : bool; (* asked for while running: the next await raises *)
  mutable outcome : 'a outcome; (* used until there is a resolver *)
  mutable resolver : 'a Lwt.u option;
  mutable promise : 'a Lwt.t option; (* as the user holds it *)
}

let raise_with p e =
  match Failures.backtrace p e with
  | Some bt -> Printexc.raise_with_backtrace e bt
  | None -> raise e

let fail_into k p e =
  match Failures.backtrace p e with
  | Some bt -> discontinue_with_backtrace k e bt
  | None -> discontinue k e

let ended t outcome =
  t.state <- Ended;
  t.last <- Nothing;
  match (t.resolver, outcome) with
  | None, _ -> t.outcome <- outcome
  | Some _, Pending -> ()
  | Some u, Value v -> Lwt.wakeup_later u v
  | Some u, Raised (e, bt) ->
      Option.iter (fun p -> Failures.note p e bt) t.promise;
      Lwt.wakeup_later_exn u e

(* When the promise resolves, the wait is compared by address: a cancellation may have ended it
   already. *)
let wait (type b) t (promise : b Lwt.t) (k : (b, unit) continuation) =
  if t.cancelled then begin
    t.cancelled <- false;
    discontinue k Lwt.Canceled
  end
  else begin
    let w = Waiting { promise; k } in
    t.last <- w;
    t.state <- In_wait;
    Lwt.on_any promise
      (fun v ->
        if t.state == In_wait && t.last == w then begin
          t.state <- Running;
          continue k v
        end)
      (fun e ->
        if t.state == In_wait && t.last == w then begin
          t.state <- Running;
          fail_into k promise e
        end)
  end

let interrupt t =
  match (t.state, t.last) with
  | Ended, _ | In_wait, Nothing -> ()
  | Running, _ -> t.cancelled <- true
  | In_wait, (Waiting { promise; k } as w) ->
      Lwt.cancel promise;
      if t.state == In_wait && t.last == w && Lwt.is_sleeping promise then begin
        t.state <- Running;
        discontinue k Lwt.Canceled
      end

(* Cancelling a [Lwt.task] rejects it at once, but the thread may have more to do. So the thread's
   promise depends on a task, and on a new one each time that task is cancelled before the thread
   has ended. *)
let rec promise_of t =
  let task, u = Lwt.task () in
  t.resolver <- Some u;
  Lwt.catch
    (fun () -> task)
    (function
      | Lwt.Canceled when t.state != Ended ->
          let next = promise_of t in
          interrupt t;
          next
      | e -> Lwt.fail e)

let run t f =
  let effc : type b. b Effect.t -> ((b, unit) continuation -> unit) option = function
    | Await p -> Some (fun k -> wait t p k)
    | _ -> None
  in
  let exnc e =
    let bt = Printexc.get_raw_backtrace () in
    if Lwt.Exception_filter.run e then ended t (Raised (e, bt))
    else Printexc.raise_with_backtrace e bt
  in
  match_with f () { retc = (fun v -> ended t (Value v)); exnc; effc }

let start f =
  let t =
    {
      state = Running;
      last = Nothing;
      cancelled = false;
      outcome = Pending;
      resolver = None;
      promise = None;
    }
  in
  run t f;
  match t.outcome with
  | Value v -> Lwt.return v
  | Raised (e, bt) ->
      let p = Lwt.fail e in
      Failures.note p e bt;
      p
  | Pending ->
      let p = promise_of t in
      t.promise <- Some p;
      p

let await_slowly p =
  match Lwt.state p with
  | Lwt.Fail e -> raise_with p e
  | _ -> ( try Effect.perform (Await p) with Effect.Unhandled (Await _) -> raise Outside_start)

let[@inline] await p = match Lwt.state p with Lwt.Return v -> v | _ -> await_slowly p
let yield () = await (Lwt.pause ())

let sleep timer s =
  if not (s >= 0.) then invalid_arg "Threads.sleep: not a time";
  await (timer s)

(* Threads that live within one call *)

type child = Child : 'a Lwt.t -> child

let is_over (Child p) = not (Lwt.is_sleeping p)
let cancel (Child p) = Lwt.cancel p
let failed (Child p) = match Lwt.state p with Lwt.Fail _ -> true | _ -> false

(* [supervise children ~enough] waits until all have ended. It cancels them as soon as [enough] is
   true of one, which is then its result, or the caller is cancelled. *)
let supervise children ~enough =
  let over, set_over = Lwt.wait () in
  let left = ref (List.length children) and winner = ref None and stopped = ref false in
  let stop () =
    if not !stopped then begin
      stopped := true;
      List.iter cancel children
    end
  in
  let on_end child () =
    decr left;
    if Option.is_none !winner && (not !stopped) && enough child then begin
      winner := Some child;
      stop ()
    end;
    if !left = 0 then Lwt.wakeup_later set_over ()
  in
  List.iter (fun (Child p as child) -> Lwt.on_termination p (on_end child)) children;
  let rec join cancelled =
    match await over with
    | () -> if cancelled then raise Lwt.Canceled
    | exception Lwt.Canceled when Lwt.is_sleeping over ->
        stop ();
        join true
  in
  if not (List.for_all is_over children) then join false;
  !winner

let raise_failure = function
  | Some (Child p) -> ( match Lwt.state p with Lwt.Fail e -> raise_with p e | _ -> ())
  | None -> ()

(* Starts threads in order, until one that has ended is enough. *)
let rec start_until enough = function
  | [] -> []
  | f :: rest ->
      let p = start f in
      if is_over (Child p) && enough (Child p) then [ p ] else p :: start_until enough rest

let children ps = List.map (fun p -> Child p) ps

let all fs =
  let ps = start_until failed fs in
  raise_failure (supervise (children ps) ~enough:failed);
  List.map await ps

let both f g =
  let a = ref None and b = ref None in
  ignore (all [ (fun () -> a := Some (f ())); (fun () -> b := Some (g ())) ] : unit list);
  (Option.get !a, Option.get !b)

let any fs =
  if fs = [] then invalid_arg "Threads.any: nothing to run";
  let results = ref [] in
  let keep f () = match f () with v -> results := v :: !results in
  let ps = start_until is_over (List.map keep fs) in
  raise_failure (supervise (children ps) ~enough:is_over);
  List.nth !results (List.length !results - 1)

let first f g = any [ f; g ]
