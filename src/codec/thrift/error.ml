type t = { at : int; what : string }

exception Error of t

let fail at what = raise (Error { at; what })
let pp f e = Format.fprintf f "Thrift, byte %d: %s" e.at e.what
