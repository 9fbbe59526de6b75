(** Handles of structs: position and sizes in one immediate int, with the struct's generated type as
    a phantom. A handle means something only beside the message that it came from: beside another it
    reads wrong bytes or raises [Invalid_argument], never outside memory. *)

type +'a reader [@@immediate]
type 'a builder [@@immediate]

(**/**)

external reader : int -> 'a reader = "%identity"
external int_of_reader : 'a reader -> int = "%identity"
external builder : int -> 'a builder = "%identity"
external int_of_builder : 'a builder -> int = "%identity"
