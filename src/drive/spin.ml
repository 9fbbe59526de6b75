open Weir_base

type t = {
  most : Time.t;
  mutable since : Time.t;  (** of the wait that is going on, or [Time.never] *)
  mutable pays : bool;  (** the last wait was short *)
  mutable goes_on : bool;
}

let default_ns () = if Domain.recommended_domain_count () > 1 then Time.us 100 else 0
let create ~most = { most; since = Time.never; pays = false; goes_on = false }

let stepped t ~now ~found =
  if found then (
    t.pays <- t.since = Time.never || now - t.since < t.most;
    t.since <- Time.never;
    t.goes_on <- t.pays && t.most > 0)
  else (
    if t.since = Time.never then t.since <- now;
    t.goes_on <- t.pays && now - t.since < t.most)

let goes_on t = t.goes_on
