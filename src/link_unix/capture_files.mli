(** A capture's file, or its files one after the other, each with the capture's header. *)

type rotation = {
  bytes : int;  (** a file is as long at most, or holds one record *)
  keep : int option;  (** only so many files stay, the latest *)
}

val numbered : string -> int -> string
(** [numbered path n] is the name of the [n]th file, the first being 1: [numbered "a/b.pcap" 7] is
    ["a/b-0007.pcap"]. *)

type t

val create : ?rotation:rotation -> header:string -> string -> (t, string) result
(** [create ~header path] makes the file [path], or with [rotation] [numbered path 1], emptying it
    if it is there. The header is written with what comes first. Errors are sentences. With
    [rotation] a [path] that is there and no regular file is an error. *)

val write : t -> progress:int Atomic.t -> Cstruct.t -> off:int -> len:int -> (unit, string) result
(** [write t ~progress b ~off ~len] appends whole records; it blocks on the disk, and [progress]
    grows whenever the system took some. After an error the file, if it can be cut, ends where it
    did before. *)

val next : t -> (unit, string) result
(** [next t] closes the file and makes that of the next number; one that is not to be kept any
    longer is deleted. *)

val close : t -> (unit, string) result
(** [close t] ends the last file. A capture without a record is its header. *)

val path : t -> string
(** [path t] is the file that is written now. *)
