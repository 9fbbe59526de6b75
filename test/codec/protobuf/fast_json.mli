(** JSON by code of its own ([json=fast]) and by tables: the same of all messages and inputs. *)

val ok : ('a, Weir_protobuf.Error.t) result -> 'a

val message : Random.State.t -> Weir_protobuf.Descriptor.message -> depth:int -> string
(** [message random m ~depth] is a random encoding of [m], with messages within to [depth]. *)

val cases : Weir_test.Suite.case list
