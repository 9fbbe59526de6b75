(** Frames sent through an impaired link in virtual time, and what comes out. *)

open Weir_base
open Weir_link

type arrival = { at : Time.t; bytes : string }

val through :
  ?seed:int -> ?pool:Frame.pool -> Impairment.t -> (Time.t * int) list -> Impair.t * arrival list
(** [through i sends] is the link, and what comes out at the far end, in order, of [sends]: the time
    and length of each frame. Time runs until nothing is held. *)

val id : arrival -> int
(** [id a] counts the frames that were sent, from 0. *)

val ids : arrival list -> int list

val conserved : Lane.counters -> held:int -> unit
(** Every frame that went in is in one counter, or held. *)
