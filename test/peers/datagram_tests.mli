val over : ?ipv6:bool -> World.link -> Weir_test.Suite.case list
val kernel_asks : World.t -> unit
val unreachable_weir : World.t -> unit
val unreachable_kernel : World.t -> unit
val kernel_pings : World.t -> unit
val weir_pings : World.t -> unit
