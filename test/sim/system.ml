let run f = Eio_main.run (fun env -> f (Eio.Stdenv.net env))
