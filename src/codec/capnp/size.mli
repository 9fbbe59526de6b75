(** How many bytes the values of a record take beside the struct that points to them: the first of
    the two passes of {!Record}, called by generated code. Each is whole words; an empty text or
    list takes none, since a null pointer stands for it.
    @raise Invalid_argument for a list of more than 67,108,863 elements. *)

val text : string -> int
val data : string -> int

val optional : ('a -> int) -> int -> 'a option -> int
(** [optional size own v] is of a struct of [own] bytes itself. *)

val structs : ('a -> int) -> int -> 'a list -> int
(** [structs size own l] is of a list of structs of [own] bytes each and what they point to. *)

val length : 'a list -> int
(** [length l] is [List.length l]. *)

val checked : 'a list -> int -> int
(** [checked l total] is [total], unless it is more than a list that [l] may be can take. *)

val flat_structs : int -> 'a list -> int
(** [flat_structs own l] is {!structs} of structs without pointers. *)

val pointers : ('a -> int) -> 'a list -> int
(** [pointers size l] is of a list of texts, lists or the like. *)

val voids : int -> int
val bits : Bits.t -> int
val octets : string -> int

val items : int -> 'a list -> int
(** [items width l] is of a list of data elements of [width] bytes each. *)
