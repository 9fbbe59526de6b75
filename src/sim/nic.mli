(** The interface of a host: a link between its stack and its cable. *)

open Weir_link

val capacity : int
(** How many frames may wait for a host: 4,096. *)

val link : World.t -> mtu:int -> inbox:Inbox.t -> over:bool ref -> send:(Frame.t -> unit) -> Link.t
(** [link w ~mtu ~inbox ~over ~send] is a link that receives from [inbox] and passes sent frames to
    [send], until [over] is true or the link is closed. With {!World.offload} it cuts long frames
    and joins short ones. The world's digest covers frames in both directions. *)

val receive : Inbox.t -> Frame.t -> unit
(** [receive i f] puts [f] into [i] and wakes the receiver. If [i] is full it drops [f]. *)
