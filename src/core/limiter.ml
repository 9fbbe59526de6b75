open Weir_base

(* Tokens are counted in nanoseconds of credit: no division, no rounding. *)
type t = {
  cost : Time.t;
  full : Time.t;
  random : Random.State.t option;
  mutable price : Time.t;  (** of the next token *)
  mutable credit : Time.t;
  mutable at : Time.t;  (** the instant up to which [credit] was earned *)
  mutable refused : int;
}

let earn t ~now =
  if t.at = min_int then t.at <- now
  else if now > t.at then (
    let missing = t.full - t.credit and passed = now - t.at in
    t.credit <- (t.credit + if passed < missing then passed else missing);
    t.at <- now)

(* Uniform from half the cost to one and a half. *)
let draw t =
  match t.random with
  | None -> ()
  | Some random -> t.price <- (t.cost / 2) + Random.State.full_int random (t.cost + 1)

let create ?random ~rate ~burst () =
  if rate < 1 || rate > Time.s 1 then invalid_arg "Limiter.create: rate";
  if burst < 1 || burst > 1_000_000 then invalid_arg "Limiter.create: burst";
  if Option.is_some random && burst < 2 then invalid_arg "Limiter.create: burst";
  let cost = Time.s 1 / rate in
  let full = cost * burst in
  let t = { cost; full; random; price = cost; credit = full; at = min_int; refused = 0 } in
  draw t;
  t

let take t ~now =
  earn t ~now;
  let granted = t.credit >= t.price in
  if granted then (
    t.credit <- t.credit - t.price;
    (* The cost is not drawn again after a refusal: repeated draws would find a low cost. *)
    draw t)
  else t.refused <- t.refused + 1;
  granted

let refused t = t.refused
