type 'a reader = int
type 'a builder = int

external reader : int -> 'a reader = "%identity"
external int_of_reader : 'a reader -> int = "%identity"
external builder : int -> 'a builder = "%identity"
external int_of_builder : 'a builder -> int = "%identity"
