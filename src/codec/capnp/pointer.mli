(** Pointers: from the word that holds one to a handle of what it points to, checked: within its
    segment, within the budget and the depth. The rest of the library is made of this; programs use
    {!Reader} and {!Items}. A handle is one immediate int, see the implementation.

    Each function raises {!Message.Error}. *)

val struct_ : Message.t -> int -> int -> int
(** [struct_ m p depth] is the struct that word [p] points to; 0, an empty struct, for null. *)

val any : int
(** The kind that stands for any element type. *)

val list : Message.t -> int -> int -> int -> int
(** [list m p depth want] is the list that [p] points to, if [want] (a {!Kind}) can be read from its
    elements; 0, an empty list, for null. *)

val text : Message.t -> int -> int
(** [text m p] is the text that [p] points to, without its zero byte. *)

val string : Message.t -> int -> string
(** [string m p] is a copy of the text that [p] points to. *)

val blob : Message.t -> int -> text:bool -> int

type what = Null | Struct | List | Capability of int

val what : Message.t -> int -> what

val kind_at : Message.t -> int -> int
(** [kind_at m p] is the {!Kind} of the list that [p] points to. *)

val weightless : int
(** 3: as many elements without a size (voids, empty structs) may be in a list that we write as
    such. A longer one gets a byte or a word an element, which readers take for elements of a newer
    schema: {!Reader.decode} follows four words for each of a message, so that a small one does not
    unfold into a large value, and counts an element without a size as one. *)

(**/**)

val word_at : Message.t -> int -> int
val blob_slowly : Message.t -> int -> text:bool -> int
val pointers_at : int -> int
val data_at : int -> int
val data_words : int -> int
val data_bytes : int -> int
val pointers : int -> int
val has : int -> int -> bool
val depth : int -> int
val narrow_byte : int -> int
val narrow_width : int -> int
val pack_struct : int -> int -> int -> int -> int
val pack_before : int -> int -> int -> int -> int
val pack_narrow : int -> int -> int -> int
val max_count : int
val max_bytes : int
val most : int
val count : int -> int
val kind : int -> int
val position : int -> int
val position_byte : int -> int
val list_depth : int -> int
val pack_list : int -> int -> int -> int -> int
val string_words : int -> int
val blob_byte : int -> int
val blob_length : int -> int
val low : Message.t -> int -> int
val high : Message.t -> int -> int
val fits : want:int -> int -> d:int -> p:int -> bool
val element_words : int -> int -> int
val bits : int array
val void : int
val bit : int
val byte : int
val pointer : int
val composite : int
