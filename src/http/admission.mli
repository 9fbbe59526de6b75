(** Limits on the connections of a server: in total and for each address; and the choice of the
    connection to close when the server is full. This module does no input or output: the accept
    loop calls it, under any scheduler.

    A connection is idle while it waits for a request, the first or the next. When all slots are
    taken, the connection that has been idle longest gives way to a new one. So clients that connect
    and send nothing cannot lock others out. When an address has all its slots, one of its own idle
    connections gives way; if none is idle, the new connection is refused.

    {[
    let serve connection ~address =
      let give_way () = ... close it, unless bytes have come ... in
      match Admission.enter admission ~address ~give_way with
      | Refused -> reset connection
      | Full -> ... wait for [on_room]'s call, then try again ...
      | Admitted slot ->
          Fun.protect ~finally:(fun () -> Admission.leave slot) @@ fun () ->
          Server.serve_connection ~on_idle:(Admission.idle slot) server flow handler
    ]}

    For one domain. *)

type t

val create : ?most:int -> ?per_address:int -> unit -> t
(** [create ()] has [most] slots (default 10,000). One address may have [per_address] of them
    (default: half). Behind a proxy all clients have one address: set [per_address] to [most].
    @raise Invalid_argument if either is below 1. *)

type slot
(** The place of one connection. *)

type entry =
  | Admitted of slot
  | Full  (** all slots are taken and none is idle *)
  | Refused  (** the address has [per_address] connections, fewer than [most], and none is idle *)

val enter : t -> address:string -> give_way:(unit -> bool) -> entry
(** [enter t ~address ~give_way] asks for a slot. [give_way ()] is called only while the slot is
    idle, one call at a time. It closes the connection and is true; or it is false if bytes have
    arrived, so that the connection is no longer idle. It must not call functions of this module. *)

val idle : slot -> bool -> unit
(** [idle s on] says whether [s] waits for a request: {!Server.serve_connection}'s [on_idle]. It
    allocates nothing. *)

val leave : slot -> unit
(** [leave s] gives the slot back. Idempotent; a slot that gave way has been given back already. *)

val on_room : t -> (unit -> unit) -> unit
(** [on_room t f] registers [f] in place of the previous function. After {!enter} returned [Full],
    [f ()] is called once, when another try may succeed. *)

val make_way : t -> bool
(** [make_way t] makes the connection that has been idle longest give way; false if none does. Use
    it when another resource has run out, such as file descriptors. *)

val close_idle : t -> unit
(** [close_idle t] makes all idle connections give way, for a server that stops. *)

(** {1 Figures} *)

val live : t -> int
(** [live t] is how many slots are taken. *)

val gave_way : t -> int
(** [gave_way t] is how many connections gave way so far. *)

val refused : t -> int
