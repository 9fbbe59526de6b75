external open_exn : string -> bool -> int -> Unix.file_descr * string = "weir_tap_open"

class type t = Weir_link_unix.Device.t

let ( let* ) = Result.bind

let with_mtu name = function
  | None -> Interface.mtu name
  | Some mtu -> Result.map (fun () -> mtu) (Interface.set_mtu name mtu)

let read_address address =
  match Ipaddr.V4.Prefix.of_string address with
  | Ok network -> Ok network
  | Error _ ->
      let reason = "it must be an IPv4 address with a prefix length, such as 10.0.0.1/24" in
      Error (Error.Bad_address { address; reason })

let optionally f = function None -> Ok None | Some x -> Result.map Option.some (f x)

(* Settings that are already as wanted are not set: that would need permission. *)
let give_address name network =
  let* now = Interface.address name in
  if now = Some network then Ok ()
  else
    let module P = Ipaddr.V4.Prefix in
    Interface.set_address name (V4 (P.address network)) ~prefix:(P.bits network)

let configured name ~mtu ~kernel ~up =
  let* mtu = with_mtu name mtu in
  let* _ = optionally (give_address name) kernel in
  let* () = if up then Interface.bring_up name else Ok () in
  Ok mtu

let available () =
  Error.catch ~action:"open /dev/net/tun" (fun () ->
      match Unix.openfile "/dev/net/tun" [ O_RDWR; O_CLOEXEC ] 0 with
      | fd -> Unix.close fd
      | exception Unix.Unix_error (e, _, path) ->
          raise (Unix.Unix_error (e, "open /dev/net/tun", path)))

let open_ ?(name = "tap%d") ?mtu ?(offload = false) ?persistent ?kernel ?(up = true) () =
  let persistent = match persistent with None -> 2 | Some p -> Bool.to_int p in
  let* () = Error.check_name name in
  let* kernel = optionally read_address kernel in
  let* fd, name =
    Error.catch ~action:("open the TAP device " ^ name) (fun () -> open_exn name offload persistent)
  in
  match configured name ~mtu ~kernel ~up with
  | Ok mtu ->
      let capabilities = Weir_link.Link.(if offload then { all with gathers = true } else none) in
      Ok (new Weir_link_unix.Device.t ~fd ~name ~mtu ~header:offload capabilities)
  | Error e ->
      Unix.close fd;
      Error e
