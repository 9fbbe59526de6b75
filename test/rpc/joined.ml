(* A client's and a server's machine, their bytes carried by hand. *)

open Weir_rpc
open Weir_message
module Slice = Weir_flow.Slice

type t = { caller : Caller.t; callee : Callee.t; up : Incoming.t; down : Incoming.t }

let small : Limits.t =
  { message = 4_096; calls = 4; held = 10_000; unsent = 10_000; window = 4_096 }

let incoming (l : Limits.t) = Incoming.create ~limit:l.message Length32

let create ?(client = small) ?(server = small) () =
  {
    caller = Caller.create client;
    callee = Callee.create server;
    up = incoming server;
    down = incoming client;
  }

let store incoming s =
  let rec go at =
    if at < String.length s then begin
      let n = Int.min (Incoming.space incoming) (String.length s - at) in
      Bytes.blit_string s at (Incoming.bytes incoming) (Incoming.at incoming) n;
      Incoming.received incoming n;
      go (at + n)
    end
  in
  go 0

(* Gives [frame] all frames that [s] completes, until it finds a violation. *)
let feed incoming frame s =
  store incoming s;
  let rec go () =
    match Incoming.next incoming with
    | More -> Ok ()
    | Stop e -> Error (Weir_message.Error.to_string e)
    | Frame f -> ( match frame f with Ok () -> go () | Error _ as e -> e)
  in
  go ()

let sent outbox = Slice.to_string (Outbox.take outbox)
let get what = function Ok v -> v | Error why -> Alcotest.failf "%s: %s" what why

(* The client's bytes to the server; the events. *)
let upward t =
  let events = ref [] in
  let frame f =
    Result.map
      (fun (e : Callee.event) ->
        match e with
        | Nothing -> ()
        | Stream -> events := `Stream :: !events
        | Cancel id -> events := `Cancel id :: !events
        | Call { id; timeout_us; name; request; _ } ->
            events := `Call (id, timeout_us, name, Slice.to_string request) :: !events)
      (Callee.input t.callee f)
  in
  get "upward" (feed t.up frame (sent (Caller.outbox t.caller)));
  List.rev !events

let downward t =
  get "downward" (feed t.down (Caller.input t.caller) (sent (Callee.outbox t.callee)))

(* Both have the other's hello. *)
let greeted ?client ?server () =
  let t = create ?client ?server () in
  downward t;
  assert (upward t = []);
  t

let call ?(timeout_us = 0) t name request answers =
  Caller.call t.caller ~timeout_us name
    (fun out -> Output.add_string out request)
    (fun a -> answers := Result.map Slice.to_string a :: !answers)

let reply t id s = Callee.reply t.callee id (fun out -> Output.add_string out s)

(* A frame made by hand. *)
let frame s =
  let b = Bytes.create 4 in
  Bytes.set_int32_be b 0 (Int32.of_int (String.length s));
  Bytes.to_string b ^ s
