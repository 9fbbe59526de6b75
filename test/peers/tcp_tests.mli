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

val with_nft_loss : World.t -> (unit -> unit) -> unit
(** [with_nft_loss w f] runs [f] while the kernel drops 1% of the packets each way. *)

val refused_by_weir : World.t -> unit
val refused_by_kernel : World.t -> unit
