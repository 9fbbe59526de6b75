(* The echo service (RFC 862), over both transports. *)

open Lwt.Syntax
open Packages

module Service (S : Tcpip.Stack.V4V6) = struct
  let rec copy flow =
    let* r = S.TCP.read flow in
    match r with
    | Ok (`Data b) -> (
        let* r = S.TCP.write flow b in
        match r with Ok () -> copy flow | Error _ -> S.TCP.close flow)
    | Ok `Eof | Error _ -> S.TCP.close flow

  let start stack =
    S.TCP.listen (S.tcp stack) ~port:7 copy;
    S.UDP.listen (S.udp stack) ~port:7 (fun ~src ~dst:_ ~src_port data ->
        Lwt.map ignore (S.UDP.write ~src_port:7 ~dst:src ~dst_port:src_port (S.udp stack) data))
end
