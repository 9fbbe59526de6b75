(* [Random.State.make] hashes its seed, so what the new generator gives says nothing of the seed. *)
let make secrets = Random.State.make (Array.init 8 (fun _ -> Random.State.bits secrets))
