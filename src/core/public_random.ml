(* [Random.State.make] hashes its seed, so the numbers of the new generator do not reveal the seed. *)
let make secrets = Random.State.make (Array.init 8 (fun _ -> Random.State.bits secrets))
