(** [weir iperf --driver lwt]. *)

type mode =
  | In_memory
  | To of (Ipaddr.t * int)
  | From of (Ipaddr.t * int)
  | Listen of { port : int; once : bool }

val run : Attach.t -> mode -> bytes:int -> line:(string -> Stream.result -> unit) -> unit
(** [run attach mode ~bytes ~line] calls [line label result] for each transfer. *)
