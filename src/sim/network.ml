module Sockaddr = Eio.Net.Sockaddr
module Names = Weir_drive.Names
module Real = Weir_eio.Network.Net

(* Closed when the host crashes, whatever switch the program gave it. *)
let kept life ~sw socket =
  let key = Life.at_crash life (fun () -> Eio.Resource.close socket) in
  Eio.Switch.on_release sw (fun () -> Life.forget life key);
  socket

module Net = struct
  type t = Machine.t
  type tag = [ `Generic | `Unix ]

  let listen t ~reuse_addr ~reuse_port ~backlog ~sw address =
    let life = Machine.alive t in
    kept life ~sw (Real.listen (Life.host life) ~reuse_addr ~reuse_port ~backlog ~sw address)

  let connect t ~bind_to ~options ~sw address =
    Real.connect (Life.host (Machine.alive t)) ~bind_to ~options ~sw address

  let datagram_socket t ~reuse_addr ~reuse_port ~sw address =
    let life = Machine.alive t in
    kept life ~sw (Real.datagram_socket (Life.host life) ~reuse_addr ~reuse_port ~sw address)

  let getaddrinfo t ~service node =
    let host = Life.host (Machine.alive t) in
    match World.lookup (Machine.world t) node with
    | [] -> Real.getaddrinfo host ~service node
    | addresses ->
        List.concat_map (fun a -> Real.getaddrinfo host ~service (Ipaddr.to_string a)) addresses

  let getnameinfo t (address : Sockaddr.t) =
    let known ip =
      let a = Ipaddr.of_octets_exn (ip : Eio.Net.Ipaddr.v4v6 :> string) in
      World.name_of (Machine.world t) a
    in
    let named ip protocol port =
      match known ip with
      | Some name -> (name, Names.service protocol port)
      | None -> Real.getnameinfo (Life.host (Machine.alive t)) address
    in
    match address with
    | `Tcp (ip, port) -> named ip Names.Tcp port
    | `Udp (ip, port) -> named ip Names.Udp port
    | `Unix path -> ("", path)
end

let handler = Eio.Net.Pi.network (module Net)
let of_machine t = Eio.Resource.T (t, handler)
