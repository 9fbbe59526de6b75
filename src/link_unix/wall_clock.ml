let epoch_ns ~now = Weir_base.Time.of_float_s (Unix.gettimeofday ()) - now
