external open_exn : string -> bool -> int -> bool -> bool -> Unix.file_descr * string
  = "weir_tap_open"

class type t = Weir_link_unix.Device.t

let ( let* ) = Result.bind

let with_mtu name = function
  | None -> Interface.mtu name
  | Some mtu -> Result.map (fun () -> mtu) (Interface.set_mtu name mtu)

let read_address address =
  match Ipaddr.Prefix.of_string address with
  | Ok network -> Ok network
  | Error _ ->
      let reason =
        "it must be an address with a prefix length, such as 10.0.0.1/24 or fd00::1/64"
      in
      Error (Error.Bad_address { address; reason })

let rec for_each f = function
  | [] -> Ok []
  | x :: rest ->
      let* y = f x in
      Result.map (List.cons y) (for_each f rest)

let read_addresses addresses =
  for_each (fun a -> read_address (String.trim a)) (String.split_on_char ',' addresses)

let optionally f = function None -> Ok None | Some x -> Result.map Option.some (f x)

(* A setting that has the wanted value is not set again, as this would need permission. *)
let give_v4 name network =
  let* now = Interface.address name in
  if now = Some network then Ok ()
  else
    let module P = Ipaddr.V4.Prefix in
    Interface.set_address name (V4 (P.address network)) ~prefix:(P.bits network)

let give_v6 name network =
  let module P = Ipaddr.V6.Prefix in
  match Interface.set_address name (V6 (P.address network)) ~prefix:(P.bits network) with
  | Error (System { error = EEXIST; _ }) -> Ok ()
  | result -> result

let give_address name (network : Ipaddr.Prefix.t) =
  match network with V4 n -> give_v4 name n | V6 n -> give_v6 name n

let configured name ~mtu ~kernel ~up =
  let* mtu = with_mtu name mtu in
  let* _ = optionally (for_each (give_address name)) kernel in
  let* () = if up then Interface.bring_up name else Ok () in
  Ok mtu

let available () =
  Error.catch ~action:"open /dev/net/tun" (fun () ->
      match Unix.openfile "/dev/net/tun" [ O_RDWR; O_CLOEXEC ] 0 with
      | fd -> Unix.close fd
      | exception Unix.Unix_error (e, _, path) ->
          raise (Unix.Unix_error (e, "open /dev/net/tun", path)))

let try_open name ~offload ~persistent ~queue =
  Error.catch ~action:("open the TAP device " ^ name) (fun () ->
      open_exn name offload persistent queue false)

(* The kernel has one error code for "not a TAP" and "not with that number of queues". *)
let open_descriptor name ~offload ~persistent ~queue =
  match try_open name ~offload ~persistent ~queue with
  | Error (Not_tap _) as e -> (
      match try_open name ~offload ~persistent:2 ~queue:(not queue) with
      | Ok (fd, _) ->
          Unix.close fd;
          Error (Error.Other_queues name)
      | Error (Busy _) -> Error (Other_queues name)
      | Error _ -> e)
  | opened -> opened

let opened name ~offload ~persistent ~queues =
  let* first, name = open_descriptor name ~offload ~persistent ~queue:(queues > 1) in
  let rec others n fds =
    if n = 0 then Ok (List.rev fds, name)
    else
      match open_descriptor name ~offload ~persistent:2 ~queue:true with
      | Ok (fd, _) -> others (n - 1) (fd :: fds)
      | Error e ->
          List.iter Unix.close fds;
          Error
            (match e with
            | Error.System { error = E2BIG; _ } -> Error.Too_many_queues name
            | e -> e)
  in
  others (queues - 1) [ first ]

let open_queues ?(name = "tap%d") ?mtu ?(offload = false) ?persistent ?kernel ?(up = true) queues =
  if queues < 1 then invalid_arg "Tap.open_queues";
  let persistent = match persistent with None -> 2 | Some p -> Bool.to_int p in
  let* () = Error.check_name name in
  let* kernel = optionally read_addresses kernel in
  let* fds, name = opened name ~offload ~persistent ~queues in
  match configured name ~mtu ~kernel ~up with
  | Ok mtu ->
      let capabilities = Weir_link.Link.(if offload then { all with gathers = true } else none) in
      Ok
        (List.map
           (fun fd -> new Weir_link_unix.Device.t ~fd ~name ~mtu ~header:offload capabilities)
           fds)
  | Error e ->
      List.iter Unix.close fds;
      Error e

let open_ ?name ?mtu ?offload ?persistent ?kernel ?up () =
  Result.map List.hd (open_queues ?name ?mtu ?offload ?persistent ?kernel ?up 1)

class tun (device : t) =
  object
    inherit Weir_link.Link.forward (Weir_link.Layer3.wrap (device :> Weir_link.Link.t))
    method on_gone f = device#on_gone f
  end

let open_tun ?(name = "tun%d") ?mtu ?persistent ?kernel ?(up = true) () =
  let persistent = match persistent with None -> 2 | Some p -> Bool.to_int p in
  let* () = Error.check_name name in
  let* kernel = optionally read_addresses kernel in
  let* fd, name =
    Error.catch ~action:("open the TUN device " ^ name) (fun () ->
        open_exn name false persistent false true)
    |> Result.map_error (function Error.Not_tap name -> Error.Not_tun name | e -> e)
  in
  match configured name ~mtu ~kernel ~up with
  | Ok mtu ->
      let device = new Weir_link_unix.Device.t ~fd ~name ~mtu ~header:false Weir_link.Link.none in
      Ok (new tun device)
  | Error e ->
      Unix.close fd;
      Error e
