(** The runner's protocol: on standard input and output, a four-byte little-endian length before
    each request and response. *)
