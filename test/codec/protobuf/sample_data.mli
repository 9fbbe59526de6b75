(** One value that sets every field of sample.proto. *)

val ada : Sample_pb.Person.t
val book : Sample_pb.Address_book.t
