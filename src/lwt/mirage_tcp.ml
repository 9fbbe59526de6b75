module Keepalive = struct
  type t = { after : int64; interval : int64; probes : int }
end

type error = [ `Timeout | `Refused | `Failed of Error.t ]
type write_error = [ `Closed | error ]
type ipaddr = Ipaddr.t
type flow = Connection.t

type listener = {
  listening : Network.listener;
  mutable callback : flow -> unit Lwt.t;
  mutable keepalive : Keepalive.t option;
}

type t = { host : Host.t; listeners : (int, listener) Hashtbl.t }

let of_host host = { host; listeners = Hashtbl.create 8 }

let pp_error f : error -> unit = function
  | `Timeout -> Error.pp f (Tcp Timed_out)
  | `Refused -> Error.pp f (Tcp Refused)
  | `Failed e -> Error.pp f e

let pp_write_error f : write_error -> unit = function
  | `Closed -> Fmt.string f "the flow is closed"
  | #error as e -> pp_error f e

let error : Error.t -> error = function
  | Tcp Timed_out -> `Timeout
  | Tcp Refused -> `Refused
  | e -> `Failed e

let write_error : Error.t -> write_error = function
  | Closed_locally | Tcp Reset -> `Closed
  | e -> (error e :> write_error)

(* -- flows --------------------------------------------------------------- *)

let read c = Lwt_result.map_error error (Connection.read_fresh c)
let writev c bufs = Lwt_result.map_error write_error (Connection.writev c bufs)
let write c buf = writev c [ buf ]

let writev_nodelay c bufs =
  Connection.set_nodelay c true;
  writev c bufs

let write_nodelay c buf = writev_nodelay c [ buf ]
let shutdown = Mirage_flow.shutdown
let close = Connection.close
let dst c = Connection.remote c
let src c = Connection.local c

(* -- opening ------------------------------------------------------------- *)

let keep_alive c (k : Keepalive.t) =
  Connection.set_keepalive c
    (Some { idle = Int64.to_int k.after; interval = Int64.to_int k.interval; probes = k.probes })

let create_connection ?keepalive t (dst, port) =
  Lwt.map
    (function
      | Ok c ->
          Option.iter (keep_alive c) keepalive;
          Ok c
      | Error e -> Error (error e))
    (Network.connect t.host dst ~port)

let answer l c =
  Option.iter (keep_alive c) l.keepalive;
  Lwt.async (fun () ->
      Lwt.catch (fun () -> l.callback c) (fun e -> Lwt.bind (close c) (fun () -> Lwt.fail e)))

let rec serve l =
  Lwt.bind (Network.accept l.listening) (function
    | Error _ -> Lwt.return_unit
    | Ok c ->
        answer l c;
        serve l)

(* Each connection is passed to its callback at once, so the queue has several only if they arrive
   in one step. *)
let backlog = 1_024

let listen t ~port ?keepalive callback =
  Error.check_port port;
  match Hashtbl.find_opt t.listeners port with
  | Some l when not (Host.is_closed t.host) ->
      l.callback <- callback;
      l.keepalive <- keepalive
  | _ -> (
      match Network.listen t.host ~port ~backlog with
      | Error e -> raise (Error.Error e)
      | Ok listening ->
          let l = { listening; callback; keepalive } in
          Hashtbl.replace t.listeners port l;
          Lwt.async (fun () -> serve l))

let unlisten t ~port =
  match Hashtbl.find_opt t.listeners port with
  | None -> ()
  | Some l ->
      Hashtbl.remove t.listeners port;
      Lwt.async (fun () -> Network.close_listener l.listening)

let disconnect t =
  let all = Hashtbl.fold (fun _ l all -> l :: all) t.listeners [] in
  Hashtbl.reset t.listeners;
  Lwt.join (List.map (fun l -> Network.close_listener l.listening) all)

let input _ ~src:_ ~dst:_ _ =
  Lwt.fail (Invalid_argument "Weir_lwt: segments come from the host's own link")
