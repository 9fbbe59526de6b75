type t = {
  limit : int;
  mutable used : int;
  mutable peak : int;
  spares : Bytes.t array;  (** [most_spares] of each size, the last given first taken *)
  spare_counts : int array;  (** by size, from the smallest *)
}

let smallest_spare = 1_024
let largest_spare = 4_096
let sizes = 3
let most_spares = 64

let create ~limit =
  {
    limit;
    used = 0;
    peak = 0;
    spares = Array.make (sizes * most_spares) Bytes.empty;
    spare_counts = Array.make sizes 0;
  }

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

(* 1,024, 2,048 and 4,096 bytes. *)
let[@inline] class_of size = size lsr 11

let storage t size =
  if size < smallest_spare || size > largest_spare then Bytes.create size
  else
    let c = class_of size in
    let n = t.spare_counts.(c) in
    if n = 0 then Bytes.create size
    else (
      t.spare_counts.(c) <- n - 1;
      t.spares.((c * most_spares) + n - 1))

let accept t storage =
  let c = class_of (Bytes.length storage) in
  let n = t.spare_counts.(c) in
  n < most_spares
  &&
  (t.spares.((c * most_spares) + n) <- storage;
   t.spare_counts.(c) <- n + 1;
   true)
