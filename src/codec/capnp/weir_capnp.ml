(* What the library offers. What is not under [Unsafe], or named so, reads and writes nothing
   outside of a message or builder, whatever its arguments are. *)

module Any = Any
module Bits = Bits
module Blob = Blob
module Builder = Builder
module Canonical = Canonical
module Items = Items
module Kind = Kind
module Message = Message
module Packed = Packed
module Reader = Reader
module Size = Size

(** For generated code, which computes sizes before it writes. Nothing here checks a position or a
    size: a wrong one reads or writes outside of the bytes. *)
module Unsafe = struct
  module Copy = Copy
  module Pointer = Pointer
  module Put = Put
  module Record = Record
  module Shape = Shape
  module Word = Word
end
