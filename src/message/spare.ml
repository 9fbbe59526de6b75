type 'a t = { make : unit -> 'a; slot : 'a option ref Domain.DLS.key }

let create make = { make; slot = Domain.DLS.new_key (fun () -> ref None) }

let use ~keep t f =
  let slot = Domain.DLS.get t.slot in
  let held = !slot in
  slot := None;
  let x = match held with Some x -> x | None -> t.make () in
  let result = f x in
  (if keep x then slot := match held with Some _ -> held | None -> Some x);
  result
