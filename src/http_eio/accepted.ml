type t = {
  peer : string;
  flow : Weir_flow.Flow.flow;
  shutdown_send : unit -> unit;
  has_unread : unit -> bool;
  interrupt : (bool -> unit) option;
  close : unit -> unit;
  abort : unit -> unit;
}

(* Printing by a format would cost more than all else that is done for a new connection. *)
let dotted ip =
  let byte i = string_of_int (Char.code ip.[i]) in
  String.concat "." [ byte 0; byte 1; byte 2; byte 3 ]

let name : Eio.Net.Sockaddr.stream -> string = function
  | `Tcp (ip, _) when String.length (ip :> string) = 4 -> dotted (ip :> string)
  | `Tcp (ip, _) -> Fmt.str "%a" Eio.Net.Ipaddr.pp ip
  | `Unix path -> path

(* A failed socket, or one that is not TCP, may refuse the option. *)
let abort socket =
  (try Eio.Net.setsockopt socket Eio.Net.Sockopt.SO_LINGER (Some 0)
   with Eio.Io _ | Invalid_argument _ -> ());
  Eio.Net.close socket

(* True at the end of the stream too: a connection that reads it closes itself. *)
let readable fd =
  match Unix.select [ fd ] [] [] 0. with
  | [], _, _ -> false
  | _ -> true
  | exception Unix.Unix_error _ -> false

let has_unread socket =
  match Eio_unix.Resource.fd_opt socket with
  | None -> false
  | Some fd -> Eio_unix.Fd.use fd readable ~if_closed:(fun () -> false)

let of_socket socket address =
  let flow = Weir_eio.Flows.of_eio socket in
  {
    peer = name address;
    flow :> Weir_flow.Flow.flow;
    shutdown_send = (fun () -> flow#shutdown_send);
    has_unread = (fun () -> has_unread socket);
    interrupt = None;
    close = (fun () -> Eio.Net.close socket);
    abort = (fun () -> abort socket);
  }

let of_weir c =
  {
    peer = name (Weir_eio.Connection.remote_address c);
    flow = (Weir_eio.Connection.flow c :> Weir_flow.Flow.flow);
    shutdown_send = (fun () -> Weir_eio.Connection.shutdown c `Send);
    has_unread = (fun () -> Weir_eio.Connection.unread c > 0);
    interrupt = Some (Weir_eio.Connection.set_interrupted c);
    close = (fun () -> Weir_eio.Connection.close c);
    abort = (fun () -> Weir_eio.Connection.abort c);
  }
