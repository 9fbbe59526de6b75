open Eio.Std
open Record

type pair = { mutable last_ns : int64; stop : unit Eio.Promise.u }

type t = {
  clock : Eio.Time.Mono.ty r;
  decide : protocol -> Ipaddr.t * int -> Decision.t;
  began : Record.t -> unit;
  ended : Record.t -> unit;
  limit : Record.t -> Decision.limit option;
  connect_timeout_ns : int;
  idle_ns : int -> int;
  datagrams : sw:Switch.t -> Ipaddr.t * int -> Outside.datagrams;
  max_connections : int;
  max_flows : int;
  pairs : (int, pair) Hashtbl.t;
  next_number : unit -> int;
  mutable connections : int;
  mutable pings : int;
}

let now t = Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock)
let span ns = Mtime.Span.of_uint64_ns (Int64.of_int ns)

(* Runs [f r], which says how it ended; if the gateway is stopped meanwhile, that is the end. What
   goes wrong with one connection must not end the others. *)
let recorded t protocol ~source ~destination f =
  let r = Record.make protocol ~number:(t.next_number ()) ~source ~destination ~began_ns:(now t) in
  t.began r;
  let finish ending =
    r.ending <- Some ending;
    r.ended_ns <- now t;
    t.ended r
  in
  match f r with
  | ending -> finish ending
  | exception (Eio.Cancel.Cancelled _ as e) ->
      let bt = Printexc.get_raw_backtrace () in
      finish (if r.client_closed || protocol <> Tcp then Closed else Stopped);
      Printexc.raise_with_backtrace e bt
  | exception e -> finish (Unreachable (Printexc.to_string e))

(* -- errors -------------------------------------------------------------------- *)

(* What the client is to be told of an error outside, so that it sees the same one. *)
let reason_of : Unix.error -> Decision.reason option = function
  | ENETUNREACH | EADDRNOTAVAIL | EAFNOSUPPORT | ENETDOWN -> Some Network
  | EHOSTUNREACH | EHOSTDOWN -> Some Host
  | EACCES | EPERM -> Some Prohibited
  | _ -> None

(* What becomes of the client, and how it is recorded. An attempt that is not answered is no reason
   to answer the client, nor is a lack of descriptors here. *)
let failure e =
  match Outside.error e with
  | Some ECONNREFUSED -> (`Refuse, Refused)
  | Some ETIMEDOUT -> (`Drop, Timed_out)
  | Some ((EMFILE | ENFILE | ENOBUFS | ENOMEM) as e) -> (`Drop, Unreachable (Unix.error_message e))
  | Some e -> (
      match reason_of e with
      | Some reason -> (`Unreachable reason, Unreachable (Unix.error_message e))
      | None -> (`Refuse, Unreachable (Unix.error_message e)))
  | None -> (`Refuse, Unreachable (Printexc.to_string e))
