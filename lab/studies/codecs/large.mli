(** The large rows: messages of half a megabyte and of forty, read and written by Weir and by the
    peers, each in a process of its own. *)

open Weir_lab_harness

val parts : Session.part list
(** A group for each shape, size and test: [large-SHAPE-read/SIZE] or [-write], the size in
    megabytes. The largest are measured in every other round. A quick run's messages are small. *)

val prefix : string
(** What the names of these groups begin with. *)
