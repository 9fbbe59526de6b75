module Chance = struct
  type t = Random.State.t

  let read_methods = []

  let single_read random buf =
    for i = 0 to Cstruct.length buf - 1 do
      Cstruct.set_uint8 buf i (Random.State.bits random land 255)
    done;
    Cstruct.length buf
end

(* Another domain would run at its own pace. *)
module This_domain = struct
  type t = unit

  let run () f =
    let never, _ = Eio.Promise.create () in
    f ~cancelled:never

  let run_raw () f = f ()
end

let chance = Eio.Flow.Pi.source (module Chance)
let this_domain = Eio.Domain_manager.Pi.mgr (module This_domain)

let make ~net ~clock ~mono_clock ~random =
  object
    method net = net
    method clock = clock
    method mono_clock = mono_clock
    method secure_random : Eio.Flow.source_ty Eio.Std.r = Eio.Resource.T (random, chance)
    method domain_mgr : Eio.Domain_manager.ty Eio.Std.r = Eio.Resource.T ((), this_domain)
    method debug = Eio.Private.Debug.v
    method backend_id = "weir_sim"
  end
