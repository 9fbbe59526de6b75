open Weir_link

type Link.readiness += Fd of Unix.file_descr

let of_link (link : Link.t) =
  match link#readiness with
  | Fd fd -> fd
  | _ -> invalid_arg "Descriptor.await: a link without a descriptor"

let await links =
  let fds = List.map of_link links in
  fun ns ->
    match Unix.select fds [] [] (Weir_base.Time.to_float_s ns) with
    | _ -> ()
    | exception Unix.Unix_error (EINTR, _, _) -> ()
