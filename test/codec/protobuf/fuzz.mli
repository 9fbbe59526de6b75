(** Hostile inputs. *)

val message : Test_messages_proto3_pb.Test_all_types_proto3.t
(** A message with a value of most kinds of field. *)

val mutated_json : Random.State.t -> string -> string
(** [mutated_json random text] is [text] with a few characters changed, added or left out. *)

val cases : Weir_test.Suite.case list
