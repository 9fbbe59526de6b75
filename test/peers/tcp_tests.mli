val over : World.link -> Weir_test.Suite.case list

val few : World.link -> Weir_test.Suite.case list
(** [few link] is some of {!over}[ link], over IPv6. *)

val data : int -> string
(** [data n] is [n] bytes without pattern, the same each time. *)

val check_received : ?started:(unit -> unit) -> Weir_flow.Flow.flow -> string -> unit
(** [check_received flow s] reads to the end and fails the test unless that was [s]; [started ()] is
    called at the first byte. *)

val exchange : World.t -> string -> string -> unit
(** [exchange w what s] sends [s] each way between Weir and the kernel, once with each as server,
    and reports the rates under the name [what]. *)

val weir_side : World.t -> string -> string -> Weir_eio.Connection.t -> unit
(** [weir_side w what s c] sends [s] and the end over [c], and expects the same back. *)

val check_peer : Weir_programs.Programs.running -> string -> unit
(** [check_peer p s] waits for the kernel's side of an exchange, which has hashed what it received,
    and expects [s]. *)

val data_file : World.t -> string -> string
(** [data_file w s] is a file that holds [s]. *)

val with_nft_loss : World.t -> (unit -> unit) -> unit
(** [with_nft_loss w f] runs [f] while the kernel drops 1% of the packets each way. *)

val refused_by_weir : World.t -> unit
val refused_by_kernel : World.t -> unit
