// The functions of checksum_stubs.c, for js_of_ocaml.

//Provides: weir_checksum_byte
//Requires: caml_uint8_array_of_bytes
function weir_checksum_byte(bytes, off, len) {
  var b = caml_uint8_array_of_bytes(bytes), even = off + (len & ~1), sum = 0;
  for (var i = off; i < even; i += 2) sum += (b[i] << 8) | b[i + 1];
  if (len & 1) sum += b[even] << 8;
  // Of less than 2^31 bytes the sum has less than 47 bits.
  while (sum > 0xffff) sum = Math.floor(sum / 65536) + (sum % 65536);
  return sum;
}

//Provides: weir_copy_checksum_byte
//Requires: weir_checksum_byte, caml_uint8_array_of_bytes
function weir_copy_checksum_byte(src, src_off, dst, dst_off, len) {
  var from = caml_uint8_array_of_bytes(src);
  caml_uint8_array_of_bytes(dst).set(from.subarray(src_off, src_off + len), dst_off);
  return weir_checksum_byte(dst, dst_off, len);
}
