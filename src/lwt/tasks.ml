type t = {
  most : int;
  on_error : exn -> unit;
  mutable live : int;
  changed : unit Lwt_condition.t;  (** one has ended *)
}

let create ~most ~on_error = { most; on_error; live = 0; changed = Lwt_condition.create () }

let rec below t n =
  if t.live < n then Lwt.return_unit
  else Lwt.bind (Lwt_condition.wait t.changed) (fun () -> below t n)

let room t = below t t.most
let idle t = below t 1

let start t f =
  t.live <- t.live + 1;
  Lwt.async (fun () ->
      Lwt.finalize
        (fun () -> Lwt.catch f (fun e -> Lwt.return (t.on_error e)))
        (fun () ->
          t.live <- t.live - 1;
          Lwt_condition.broadcast t.changed ();
          Lwt.return_unit))
