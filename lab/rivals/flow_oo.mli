(** The studies' null and data devices as Weir flows, in both styles. *)

(** {1 Over Lwt} *)

val null : Weir_flow_lwt.Flow_lwt.flow

val data : unit -> < Weir_flow_lwt.Flow_lwt.flow ; close : unit >
(** [close] checks the bytes that were written.
    @raise Message.Damaged from [close]. *)

val copy :
  Cstruct.t ->
  #Weir_flow_lwt.Flow_lwt.flow ->
  (unit, [> `Flow of Weir_flow.Flow.error ]) Lwt_result.t
(** Copies by [read_into]. *)

val copy2 : #Weir_flow_lwt.Flow_lwt.flow -> (unit, [> `Flow of Weir_flow.Flow.error ]) Lwt_result.t
(** Copies by [read]. *)

(** {1 In direct style} *)

val data_direct : unit -> Weir_flow.Flow.closable
val copy_direct : Bytes.t -> #Weir_flow.Flow.flow -> unit
val copy2_direct : #Weir_flow.Flow.flow -> unit
