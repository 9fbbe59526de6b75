type t = int

let here () = (Domain.self () :> int)
let is_here owner = here () = owner

let check owner =
  let caller = here () in
  if caller <> owner then raise (Error.Wrong_domain { owner; caller })
