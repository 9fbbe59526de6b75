type t =
  | Truncated of { need : int; have : int }
  | Bad_checksum
  | Malformed of { at : int; what : string }

let pp f = function
  | Truncated { need; have } -> Fmt.pf f "truncated: %d of %d bytes" have need
  | Bad_checksum -> Fmt.string f "bad checksum"
  | Malformed { at; what } -> Fmt.pf f "malformed at byte %d: %s" at what

let truncated ~need ~have = Error (Truncated { need; have })
let malformed ~at what = Error (Malformed { at; what })
