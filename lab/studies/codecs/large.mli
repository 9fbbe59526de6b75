(** Large messages, of half a megabyte and of forty, read and written by Weir and by the peers, each
    in a process of its own. *)

open Weir_lab_harness

val parts : Session.part list
(** There is a group for each shape, size and test: [large-SHAPE-read/SIZE] or [-write], with the
    size in megabytes. The largest are measured in every second round. Quick runs use small
    messages. *)

val prefix : string
(** The prefix of these groups' names. *)
