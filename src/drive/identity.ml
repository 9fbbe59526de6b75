let system_random () =
  let seed = In_channel.with_open_bin "/dev/urandom" (fun ic -> really_input_string ic 64) in
  Random.State.make (Array.init 8 (fun i -> Int64.to_int (String.get_int64_le seed (8 * i))))

let read what of_string s =
  match of_string s with
  | Ok x -> x
  | Error (`Msg m) -> invalid_arg (Printf.sprintf "%s %S: %s" what s m)

(* Locally administered, unicast. *)
let random_mac random =
  let bits = Random.State.bits random lor (Random.State.bits random lsl 30) in
  Weir_wire.Mac.of_int (bits land 0xfcff_ffff_ffff lor 0x0200_0000_0000)

let settings ~random ~mtu ~config ?mac ?gateway address : Weir_core.Stack.settings =
  let network = read "address" Ipaddr.V4.Prefix.of_string address in
  let mac = match mac with Some m -> Weir_wire.Mac.of_macaddr m | None -> random_mac random in
  {
    mac;
    address = Ipaddr.V4.Prefix.address network;
    prefix = Ipaddr.V4.Prefix.prefix network;
    gateway = Option.map (read "gateway" Ipaddr.V4.of_string) gateway;
    mtu;
    config;
  }
