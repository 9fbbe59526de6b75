(* The library's modules. Functions in [Unsafe] check no bounds. All others are safe with any
   arguments. *)

module Budget = Budget
module Byte_ring = Byte_ring
module Checksum = Checksum
module Fifo = Fifo
module Frame = Frame
module Heap = Heap
module Mix = Mix
module Send_queue = Send_queue
module Time = Time

(** Unchecked: a wrong argument reads or writes out of bounds. For Weir's own code. *)
module Unsafe = struct
  module Short = Short
end
