external is_up_exn : string -> bool = "weir_interface_is_up"
external switch_exn : string -> bool -> unit = "weir_interface_switch"
external set_address_exn : string -> string -> int -> unit = "weir_interface_set_address"
external mtu_exn : string -> int = "weir_interface_mtu"
external set_mtu_exn : string -> int -> unit = "weir_interface_set_mtu"
external hardware_address_exn : string -> string = "weir_interface_hardware_address"

let ( let* ) = Result.bind

let on name ~action f =
  let* () = Error.check_name name in
  Error.catch ~action:(action ^ " " ^ name) (fun () -> f name)

let set_up name = on name ~action:"bring up" (fun name -> switch_exn name true)
let set_down name = on name ~action:"bring down" (fun name -> switch_exn name false)
let is_up name = on name ~action:"look at" is_up_exn

let set_address name address ~prefix =
  let octets =
    match address with Ipaddr.V4 a -> Ipaddr.V4.to_octets a | Ipaddr.V6 a -> Ipaddr.V6.to_octets a
  in
  if prefix < 0 || prefix > 8 * String.length octets then
    Error (Error.System { call = "prefix length"; name; error = EINVAL })
  else on name ~action:"set the address of" (fun name -> set_address_exn name octets prefix)

let mtu name = on name ~action:"look at" mtu_exn
let set_mtu name mtu = on name ~action:"set the MTU of" (fun name -> set_mtu_exn name mtu)

let hardware_address name =
  on name ~action:"look at" (fun name -> Macaddr.of_octets_exn (hardware_address_exn name))
