(** The file of a capture, or its files in sequence, each with the capture's header. *)

type rotation = {
  bytes : int;  (** the longest file; only a single record may be longer *)
  keep : int option;  (** how many files are kept, the latest ones; [None] for all *)
}

val numbered : string -> int -> string
(** [numbered path n] is the name of the [n]th file, the first being 1: [numbered "a/b.pcap" 7] is
    ["a/b-0007.pcap"]. *)

type t

val create : ?rotation:rotation -> header:string -> string -> (t, string) result
(** [create ~header path] creates the file [path], or with [rotation] [numbered path 1]. An existing
    file is emptied. The header is written with the first records. Errors are messages for users.
    With [rotation] it is an error if [path] exists and is not a regular file. *)

val write : t -> progress:int Atomic.t -> Cstruct.t -> off:int -> len:int -> (unit, string) result
(** [write t ~progress b ~off ~len] appends whole records. It may block on the disk; [progress] is
    increased whenever the system takes some bytes. After an error the file is cut to its earlier
    length, if possible. *)

val next : t -> (unit, string) result
(** [next t] closes the file, deletes the oldest file if [keep] requires it, and creates the file
    with the next number. *)

val close : t -> (unit, string) result
(** [close t] closes the last file. A capture without records consists of its header. *)

val path : t -> string
(** [path t] is the current file. *)
