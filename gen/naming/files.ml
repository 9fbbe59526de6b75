open Printf

type t = { ml : Buffer.t; mli : Buffer.t }

let create () = { ml = Buffer.create 4096; mli = Buffer.create 4096 }
let ml t fmt = ksprintf (Buffer.add_string t.ml) fmt
let mli t fmt = ksprintf (Buffer.add_string t.mli) fmt

let both t fmt =
  ksprintf
    (fun s ->
      Buffer.add_string t.ml s;
      Buffer.add_string t.mli s)
    fmt
