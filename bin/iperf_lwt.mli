(** [weir iperf --driver lwt]. *)

type mode =
  | In_memory of { ipv6 : bool }
  | To of (string * int)
  | From of (string * int)
  | Listen of { port : int; once : bool }

val run : Link_options.t -> mode -> bytes:int -> line:(string -> Stream.result -> unit) -> unit
(** [run attach mode ~bytes ~line] calls [line label result] for each transfer. *)
