(** JSON by code of its own ([json=fast]) and by tables: the same of all messages and inputs. *)

val ok : ('a, Weir_protobuf.Error.t) result -> 'a

val message :
  ?special:(Random.State.t -> Weir_protobuf.Descriptor.message -> string option) ->
  Random.State.t ->
  Weir_protobuf.Descriptor.message ->
  depth:int ->
  string
(** [message random m ~depth] is a random encoding of [m], with messages within to [depth]; of
    messages of which [special] has one, that. *)

val cases : Weir_test.Suite.case list
