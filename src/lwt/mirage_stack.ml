module UDP = Mirage_udp
module TCP = Mirage_tcp
module IP = Mirage_ip

type t = { host : Host.t; udp : UDP.t; tcp : TCP.t }

let of_host host = { host; udp = UDP.of_host host; tcp = TCP.of_host host }
let udp t = t.udp
let tcp t = t.tcp
let ip t = t.host

let listen t =
  let waiters = Lwt_condition.create () in
  let forget = Host.until_closed t.host waiters in
  let closed () = if Host.is_closed t.host then Some () else None in
  Lwt.finalize
    (fun () -> Host.await waiters closed)
    (fun () ->
      forget ();
      Lwt.return_unit)

let disconnect t =
  let ( let* ) = Lwt.bind in
  let* () = TCP.disconnect t.tcp in
  let* () = UDP.disconnect t.udp in
  if Host.is_closed t.host then Lwt.return_unit
  else
    let* () = Host.shutdown t.host in
    Host.close t.host
