(** The interface of a host: a link between its stack and its cable. *)

open Weir_link

val capacity : int
(** How many frames may wait for a host: 4,096. *)

val link : World.t -> mtu:int -> inbox:Inbox.t -> over:bool ref -> send:(Frame.t -> unit) -> Link.t
(** [link w ~mtu ~inbox ~over ~send] receives from [inbox], and gives what it sends to [send] until
    [over] or closed; if {!World.offload}, long frames are cut and short ones joined. Both are
    counted in the world's digest. *)

val receive : Inbox.t -> Frame.t -> unit
(** [receive i f] puts [f] in [i] and wakes the receiver; drops it if there is no room. *)
