(** The numbers of the study of 2022, for two stacks, each compared with a subject here. *)

val subjects : (string * string) list
(** Each published system, and the subject with which it is compared. *)

val find : subject:string -> test:string -> metric:string -> float option

val along : subject:string -> test:string -> metric:string -> (float * float) list
(** [along ~subject ~test ~metric] is the megabytes received so far and the value, for each line
    that the study printed. *)
