let () = Weir_protoc.Plugin.main ()
