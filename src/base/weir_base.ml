(* What the library offers. [Unsafe] names what checks no bounds; everything else is safe whatever
   its arguments are. *)

module Budget = Budget
module Byte_ring = Byte_ring
module Checksum = Checksum
module Fifo = Fifo
module Frame = Frame
module Heap = Heap
module Mix = Mix
module Send_queue = Send_queue
module Time = Time

(** Not checked: a wrong argument reads or writes outside of the bytes. For Weir's own code. *)
module Unsafe = struct
  module Short = Short
end
