type t = { limit : int; mutable used : int; mutable peak : int }

let create ~limit = { limit; used = 0; peak = 0 }
let limit t = t.limit
let used t = t.used
let peak t = t.peak
let forget_peak t = t.peak <- t.used
let fits t n = t.used + n <= t.limit
let is_tight t = t.used > t.limit - (t.limit / 8)

let take t n =
  t.used <- t.used + n;
  if t.used > t.peak then t.peak <- t.used

let give t n = t.used <- t.used - n
