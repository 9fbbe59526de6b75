open Weir_base

let after ~now ns =
  let ns = Int.max 0 ns in
  if ns > Time.never - now then Time.never else now + ns

let left_us ~now deadline =
  if deadline = Time.never then 0 else Int.max 1 ((deadline - now ()) / 1_000)

let is_over ~now deadline = deadline <> Time.never && now () >= deadline

let allowed_ns ~limit_ns ~timeout_us =
  if timeout_us = 0 || timeout_us > Time.never / 1_000 then limit_ns
  else Int.min limit_ns (timeout_us * 1_000)
