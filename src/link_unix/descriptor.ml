open Weir_link

type Link.readiness += Fd of Unix.file_descr
type wait = Readable of Unix.file_descr | Told of ((unit -> unit) -> unit)

let wait ~who (link : Link.t) =
  match link#readiness with
  | Fd fd -> Readable fd
  | Link.Notify set -> Told set
  | _ -> invalid_arg (who ^ ": this link's readiness is not supported")

let of_link (link : Link.t) =
  match link#readiness with
  | Fd fd -> fd
  | _ -> invalid_arg "Descriptor.await: a link has no file descriptor"

let await links =
  let fds = List.map of_link links in
  fun ns ->
    match Unix.select fds [] [] (Weir_base.Time.to_float_s ns) with
    | _ -> ()
    | exception Unix.Unix_error (EINTR, _, _) -> ()
