type t = { limit : int; mutable used : int }

let create ~limit = { limit; used = 0 }
let limit t = t.limit
let used t = t.used
let fits t n = t.used + n <= t.limit
let is_tight t = t.used > t.limit - (t.limit / 8)
let take t n = t.used <- t.used + n
let give t n = t.used <- t.used - n
