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
