type protocol = Binary | Compact

let bool = 1
let i8 = 3
let i16 = 4
let i32 = 5
let i64 = 6
let double = 7
let string = 8
let list = 9
let set = 10
let map = 11
let struct_ = 12
let uuid = 13

(* The binary protocol's numbers, by ours and back; 0 for none. *)
let to_binary = "\000\002\000\003\006\008\010\004\011\015\014\013\012\016\000\000"
let of_binary = "\000\000\001\003\007\000\004\000\005\000\006\008\012\011\010\009\013"
