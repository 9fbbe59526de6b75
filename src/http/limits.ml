type t = {
  request_line : int;
  header_bytes : int;
  header_count : int;
  body_bytes : int;
  chunk_line : int;
  chunk_extensions : int;
  drain_bytes : int;
}

let default =
  {
    request_line = 8_192;
    header_bytes = 32_768;
    header_count = 100;
    body_bytes = 8_388_608;
    chunk_line = 256;
    chunk_extensions = 16_384;
    drain_bytes = 65_536;
  }
