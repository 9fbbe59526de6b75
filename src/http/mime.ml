let of_name name =
  match Magic_mime.lookup ~default:"application/octet-stream" name with
  | "text/html" -> "text/html; charset=utf-8"
  | "text/plain" | "text/x-plain" -> "text/plain; charset=utf-8"
  | "text/css" -> "text/css; charset=utf-8"
  | "text/javascript" | "application/javascript" -> "text/javascript; charset=utf-8"
  | ("text/markdown" | "text/csv" | "text/xml") as other -> other ^ "; charset=utf-8"
  | other -> other
