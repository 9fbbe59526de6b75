external unsafe_sum : Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_checksum_byte" "weir_checksum"
[@@noalloc]

external unsafe_blit_sum :
  Bytes.t -> (int[@untagged]) -> Bytes.t -> (int[@untagged]) -> (int[@untagged]) -> (int[@untagged])
  = "weir_copy_checksum_byte" "weir_copy_checksum"
[@@noalloc]

let within b ~off ~len = off >= 0 && len >= 0 && off <= Bytes.length b - len

let sum b ~off ~len =
  if not (within b ~off ~len) then invalid_arg "Checksum.sum";
  unsafe_sum b off len

let blit_sum src ~src_off dst ~dst_off ~len =
  if not (within src ~off:src_off ~len && within dst ~off:dst_off ~len) then
    invalid_arg "Checksum.blit_sum";
  unsafe_blit_sum src src_off dst dst_off len

let add a b =
  let s = a + b in
  (s land 0xffff) + (s lsr 16)

let finish s = lnot s land 0xffff
