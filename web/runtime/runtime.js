// Eio's library for Unix is linked with threads, which nothing here starts.

//Provides: caml_thread_initialize
function caml_thread_initialize(unit) {
  return 0;
}

// Cstruct uses one function for strings and for bytes, which differ here.

//Provides: caml_blit_string_to_bigstring
//Requires: caml_bigstring_blit_string_to_ba, caml_bigstring_blit_bytes_to_ba, caml_is_ml_bytes
function caml_blit_string_to_bigstring(source, at, target, to, length) {
  return caml_is_ml_bytes(source)
    ? caml_bigstring_blit_bytes_to_ba(source, at, target, to, length)
    : caml_bigstring_blit_string_to_ba(source, at, target, to, length);
}

// Options of sockets of the system, which a page has not.

//Provides: caml_unix_setsockopt
//Requires: caml_failwith
function caml_unix_setsockopt(kind, socket, option, value) {
  caml_failwith("there are no sockets of the system");
}

// Frames and buffers stay arrays: js_of_ocaml's bytes are strings until they are changed, and
// most of a transfer's time went into turning one into the other.

//Provides: caml_create_bytes
//Requires: MlBytes, caml_invalid_argument
function caml_create_bytes(length) {
  if (length < 0) caml_invalid_argument("Bytes.create");
  return new MlBytes(4, new Uint8Array(length), length);
}

//Provides: caml_blit_bytes
//Requires: caml_uint8_array_of_bytes
function caml_blit_bytes(source, at, target, to, length) {
  var from = caml_uint8_array_of_bytes(source), into = caml_uint8_array_of_bytes(target);
  if (length < 24 && from !== into) for (var i = 0; i < length; i++) into[to + i] = from[at + i];
  else into.set(from.subarray(at, at + length), to);
  return 0;
}
