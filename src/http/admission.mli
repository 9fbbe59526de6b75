(** Who may be connected to a server: so many at a time, so many of one address, and who gives way
    when there is no room. It accepts, waits and closes nothing itself: whoever accepts connections
    asks it, under any scheduler.

    A connection that waits for a request, be it the first or the next, is idle. When all slots are
    taken, the one that has been idle longest gives way to a new one: clients that connect and say
    nothing lock nobody out, however many they are. An address that has all the slots it may have
    makes its own connections give way first, and is refused if none is idle.

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
(** [create ()] has [most] slots (10,000), of which one address may have [per_address] (half of
    them, so that no single one has all). Behind a proxy, where all clients have one address,
    [per_address] should be [most].
    @raise Invalid_argument if either is below 1. *)

type slot
(** A connection's. *)

type entry =
  | Admitted of slot
  | Full  (** all slots are taken and none is idle *)
  | Refused  (** the address has its share, less than all the slots, and none of it is idle *)

val enter : t -> address:string -> give_way:(unit -> bool) -> entry
(** [enter t ~address ~give_way] asks for a slot. [give_way ()] is called at most once at a time,
    and only while the slot is idle: it closes the connection and is true, or false if bytes have
    come that make it busy. It must not call [t]'s functions. *)

val idle : slot -> bool -> unit
(** [idle s on] says whether [s] waits for a request: {!Server.serve_connection}'s [on_idle]. It
    allocates nothing. *)

val leave : slot -> unit
(** [leave s] gives the slot back. Idempotent; who has given way has left. *)

val on_room : t -> (unit -> unit) -> unit
(** [on_room t f]: [f ()] is called once after [Full] was given, when trying again may give more.
    The last [f] counts. *)

val make_way : t -> bool
(** [make_way t] has the connection that has been idle longest give way; false if none does. For
    when something else than slots has run out. *)

val close_idle : t -> unit
(** [close_idle t] has all idle connections give way: what a server that stops does. *)

(** {1 Figures} *)

val live : t -> int
(** [live t] is how many slots are taken. *)

val gave_way : t -> int
(** [gave_way t] is how many connections gave way so far. *)

val refused : t -> int
