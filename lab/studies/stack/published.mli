(** What the study of 2022 published: its two stacks, each to be read beside one of ours. *)

val subjects : (string * string) list
(** Each published system, and the subject that it is to be read beside. *)

val find : subject:string -> test:string -> metric:string -> float option

val along : subject:string -> test:string -> metric:string -> (float * float) list
(** [along ~subject ~test ~metric] is the value when so many megabytes had come, for each line that
    the study printed, the last included. *)
