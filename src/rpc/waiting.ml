open Weir_base

type phase = Outside | In_line of (unit -> unit) | Turn | Sent_as of int | Gone

type place = {
  number : int;
  mutable phase : phase;
  mutable slot : int;
  mutable stream : Stream.t option;
}

type t = {
  caller : Caller.t;
  unsent : int;
  room : Turns.t;
  line : place Heap.t;
  mutable next : int;
  mutable turns : int;  (** callers that may send and have not yet done so *)
  mutable advancing : bool;
  mutable in_room : Turns.place option;
      (** the next caller's place in [room], while streams queue there too *)
}

let create (limits : Limits.t) caller =
  {
    caller;
    unsent = limits.unsent;
    room = Outbox.room (Caller.outbox caller) ~unsent:limits.unsent;
    line = Heap.create ~moved:(fun p slot -> p.slot <- slot) ();
    next = 0;
    turns = 0;
    advancing = false;
    in_room = None;
  }

let room t = t.room

let place t =
  t.next <- t.next + 1;
  { number = t.next; phase = Outside; slot = -1; stream = None }

let has_its_room t = match t.in_room with None -> false | Some p -> Turns.has p

let leave_room t =
  match t.in_room with
  | Some p when Turns.has p ->
      t.in_room <- None;
      Turns.leave t.room p
  | _ -> ()

(* An estimate of the bytes that a caller will add; a caller that finds no space queues again. *)
let guess = 4_096

let may_call t =
  match Caller.state t.caller with
  | Over _ -> true
  | Greeting -> false
  | Open n -> Caller.unanswered t.caller + t.turns < n

let is_over t = match Caller.state t.caller with Over _ -> true | Greeting | Open _ -> false

let has_room t =
  is_over t
  || (Turns.is_free t.room && Outbox.length (Caller.outbox t.caller) + (t.turns * guess) <= t.unsent)

let give_one t =
  match Heap.pop t.line with
  | Some ({ phase = In_line on_turn; _ } as p) ->
      p.phase <- Turn;
      t.turns <- t.turns + 1;
      on_turn ()
  | Some _ | None -> ()

let someone_may t = (not (Heap.is_empty t.line)) && may_call t

(* In the queue for [room], all callers together count as one stream. *)
let rec give t =
  if someone_may t then
    if has_room t then begin
      give_one t;
      give t
    end
    else if t.in_room = None then begin
      let p = Turns.join t.room (fun () -> if someone_may t then give_one t else leave_room t) in
      t.in_room <- Some p;
      if Turns.has p then give_one t
    end

(* [on_turn] may call this function. *)
let advance t =
  Turns.advance t.room;
  if not t.advancing then begin
    t.advancing <- true;
    match give t with
    | () -> t.advancing <- false
    | exception e ->
        t.advancing <- false;
        raise e
  end

let enter t p on_turn =
  p.phase <- In_line on_turn;
  Heap.add t.line ~key:p.number p;
  advance t

let try_turn t p =
  let now = Heap.is_empty t.line && may_call t && has_room t in
  if now then begin
    p.phase <- Turn;
    t.turns <- t.turns + 1
  end;
  now

type sent = Sent | Not_yet | Over of Error.ending

let use_turn t p phase =
  t.turns <- t.turns - 1;
  p.phase <- phase

(* [f] may wait; others are served meanwhile. *)
let meanwhile t f =
  let advancing = t.advancing in
  t.advancing <- false;
  Fun.protect ~finally:(fun () -> t.advancing <- advancing) f

let send t p ?shape ~timeout_us name write on_answer =
  if p.phase <> Turn then invalid_arg "Waiting.send: call it from on_turn or after try_turn";
  match Caller.state t.caller with
  | Over ending ->
      leave_room t;
      use_turn t p Gone;
      Over ending
  | (Greeting | Open _) when not (has_its_room t || Turns.is_free t.room) ->
      use_turn t p Outside;
      Not_yet
  | Greeting | Open _ -> (
      let on_answer a =
        match p.phase with
        | Gone -> ()
        | Outside | In_line _ | Turn | Sent_as _ ->
            p.phase <- Gone;
            on_answer a
      in
      (* Before [write], which may wait. *)
      leave_room t;
      let call () = Caller.call t.caller ?shape ~timeout_us name write on_answer in
      match if t.advancing then meanwhile t call else call () with
      | id ->
          (* While [write] waited, the call may have been given up. *)
          if p.phase = Turn then begin
            use_turn t p (Sent_as id);
            p.stream <- Caller.stream t.caller id
          end
          else Caller.cancel t.caller id;
          advance t;
          Sent
      | exception Caller.Gone ending ->
          use_turn t p Gone;
          Over ending
      | exception e ->
          if p.phase = Turn then use_turn t p Gone;
          advance t;
          raise e)

let give_up t p =
  match p.phase with
  | Outside | Gone -> p.phase <- Gone
  | In_line _ ->
      p.phase <- Gone;
      Heap.remove t.line p.slot
  | Turn ->
      leave_room t;
      use_turn t p Gone;
      advance t
  | Sent_as id ->
      p.phase <- Gone;
      Caller.cancel t.caller id

let stream p = p.stream
