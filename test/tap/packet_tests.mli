(** What a packet socket does that a TAP does not. *)

val over : Station.kind -> Weir_test.Suite.case list
(** What any link on a network card does. *)

val cases : Weir_test.Suite.case list

val as_nobody : (unit -> string) -> string
(** [as_nobody f] is [f ()] in a process of a user without rights. *)

val send_frames : string
(** Python: [frame(dst, text)] makes the kernel send a frame to that MAC address, in hexadecimal. *)

val text : Weir_link.Frame.t -> string option
(** The text of such a frame. *)
