type ipaddr = Ipaddr.t
type callback = src:ipaddr -> dst:ipaddr -> src_port:int -> Cstruct.t -> unit Lwt.t
type listener = { socket : Datagram.t; tasks : Tasks.t; mutable callback : callback }
type t = { host : Host.t; listeners : (int, listener) Hashtbl.t }
type error = Error.t

let pp_error = Error.pp
let of_host host = { host; listeners = Hashtbl.create 8 }
let most = 1_000

let answer l (data, (r : Datagram.received)) =
  Tasks.start l.tasks (fun () ->
      l.callback ~src:r.from ~dst:r.at ~src_port:r.from_port (Cstruct.of_bytes data))

(* The main loop calls the callback: a datagram to the host itself arrives within the call that
   sends it, when the sender is not yet ready for an answer. *)
let rec serve l =
  Lwt.bind (Datagram.readable l.socket) (function
    | Error Closed_locally -> Lwt.return_unit
    | Error _ -> serve l
    | Ok () -> Lwt.bind (Lwt.pause ()) (fun () -> take l most))

and take l left =
  if left = 0 then serve l
  else
    Lwt.bind (Tasks.room l.tasks) (fun () ->
        match Datagram.take l.socket with
        | None -> serve l
        | Some datagram ->
            answer l datagram;
            take l (left - 1))

let listen t ~port callback =
  Error.check_port port;
  match Hashtbl.find_opt t.listeners port with
  | Some l when not (Host.is_closed t.host) -> l.callback <- callback
  | _ -> (
      match Datagram.open_ t.host ~port with
      | Error e -> raise (Error.Error e)
      | Ok socket ->
          let on_error e = !Lwt.async_exception_hook e in
          let l = { socket; tasks = Tasks.create ~most ~on_error; callback } in
          Hashtbl.replace t.listeners port l;
          Lwt.async (fun () -> serve l))

let close l : unit Lwt.t = Datagram.close l.socket

let unlisten t ~port =
  match Hashtbl.find_opt t.listeners port with
  | None -> ()
  | Some l ->
      Hashtbl.remove t.listeners port;
      Lwt.async (fun () -> close l)

let disconnect t =
  let all = Hashtbl.fold (fun _ l all -> l :: all) t.listeners [] in
  Hashtbl.reset t.listeners;
  Lwt.join (List.map close all)

(* The socket to send from, and whether to close it afterwards. *)
let socket t src_port =
  match Option.bind src_port (Hashtbl.find_opt t.listeners) with
  | Some l -> Ok (l.socket, Lwt.return)
  | None ->
      Option.iter Error.check_port src_port;
      Datagram.open_ t.host ~port:(Option.value src_port ~default:0)
      |> Result.map (fun socket ->
          (socket, fun result -> Lwt.map (fun () -> result) (Datagram.close socket)))

let source_fits t src dst =
  match src with
  | None -> true
  | Some src -> Ipaddr.compare src (Weir_core.Stack.source_for (Host.stack t.host) dst) = 0

let write ?src ?src_port ?ttl ~dst ~dst_port t data =
  let ( let* ) = Lwt_result.bind in
  if not (source_fits t src dst) then
    Lwt_result.fail (Error.Bad_address (Fmt.str "%a" Fmt.(option Ipaddr.pp) src))
  else
    let* socket, finish = Lwt_result.lift (socket t src_port) in
    let length = Cstruct.length data in
    Lwt.bind
      (Datagram.send socket ?ttl ~dst:(dst, dst_port) (Cstruct.to_bytes data) ~off:0 ~len:length)
      finish

let input _ ~src:_ ~dst:_ _ =
  Lwt.fail (Invalid_argument "Weir_lwt: datagrams come from the host's own link")
