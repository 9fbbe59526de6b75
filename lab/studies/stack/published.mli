(** What the study of 2022 published: two stacks, each compared with one of ours. *)

val subjects : (string * string) list
(** Each published system, and the subject that it is compared with. *)

val find : subject:string -> test:string -> metric:string -> float option

val along : subject:string -> test:string -> metric:string -> (float * float) list
(** [along ~subject ~test ~metric] is, for each line that the study printed, the megabytes received
    so far and the value. *)
