open Weir_flow

type Flow.flow_error += Eio of exn

let () = Flow.register_cancellation (function Eio.Cancel.Cancelled _ -> true | _ -> false)
let chunk = 16_384

let error : exn -> Flow.error = function
  | Eio.Io (Eio.Net.E (Connection_reset (Eio_unix.Unix_error (ECONNABORTED, _, _))), _) ->
      Flow.closed
  | Eio.Io (Eio.Net.E (Connection_reset _), _) -> Flow.reset
  | Eio.Io (Eio.Exn.X (Eio_unix.Unix_error (ETIMEDOUT, _, _)), _) -> Flow.timeout
  | e -> (Eio e, fun f -> Eio.Exn.pp f e)

let fail e = Printexc.raise_with_backtrace (Flow.Error (error e)) (Printexc.get_raw_backtrace ())
let caught f = try f () with Eio.Io _ as e -> fail e

type (_, _, _) Eio.Resource.pi += Nodelay : ('t, 't -> bool -> unit, [> `Nodelay ]) Eio.Resource.pi

(* Eio's own way to an option asks the type whether this is a socket. Not every
   socket of the kernel's is TCP's, nor open still. *)
let nodelay (Eio.Resource.T (resource, handler) as eio) =
  match (Eio.Resource.get_opt handler Nodelay, Eio_unix.Resource.fd_opt eio) with
  | Some set, _ -> Some (set resource)
  | None, None -> None
  | None, Some fd ->
      let set on fd = try Unix.setsockopt fd TCP_NODELAY on with Unix.Unix_error _ -> () in
      Some (fun on -> Eio_unix.Fd.use fd (set on) ~if_closed:ignore)

(* A reader and a writer may be at work at once: each has its own buffer. *)
let of_eio (Eio.Resource.T (resource, handler) as eio) : Flow.half_close =
  let close = Eio.Resource.get_opt handler Eio.Resource.Close in
  let set_nodelay = nodelay eio in
  let incoming = Cstruct.create_unsafe chunk and outgoing = Cstruct.create_unsafe chunk in
  (object (self)
     inherit Flow.flow

     method read_into b ~off ~len =
       match
         caught (fun () -> Eio.Flow.single_read eio (Cstruct.sub incoming 0 (Int.min len chunk)))
       with
       | n ->
           Cstruct.blit_to_bytes incoming 0 b off n;
           n
       | exception End_of_file -> 0

     method write b ~off ~len =
       if len > 0 then (
         let n = Int.min len chunk in
         Cstruct.blit_from_bytes b off outgoing 0 n;
         caught (fun () -> Eio.Flow.write eio [ Cstruct.sub outgoing 0 n ]);
         self#write b ~off:(off + n) ~len:(len - n))

     method shutdown_send = caught (fun () -> Eio.Flow.shutdown eio `Send)
     method close = Option.iter (fun close -> caught (fun () -> close resource)) close
     method set_nodelay on = Option.iter (fun set -> set on) set_nodelay

     method! cast : type a. a Flow.ty -> a option =
       function
       | Flow.Half_close -> Some (self :> Flow.half_close)
       | Flow.Closable when Option.is_some close -> Some (self :> Flow.closable)
       | Flow.Nodelay when Option.is_some set_nodelay -> Some (self :> Flow.nodelay)
       | _ -> None
   end
    :> Flow.half_close)

type wrapped = { flow : Flow.flow; incoming : Bytes.t; outgoing : Bytes.t }

let raised f =
  try f () with
  | Flow.Error (Flow.Reset, _) -> raise (Errors.v ECONNRESET "flow" "")
  | Flow.Error (Flow.Closed, _) -> raise (Errors.closed_meanwhile "flow")
  | Flow.Error (Flow.Timeout, _) -> raise (Errors.flow_timeout "flow")
  | Flow.Error (Eio e, _) -> raise e

module Two_way = struct
  type t = wrapped

  let read_methods = []

  let single_read t buf =
    let len = Int.min chunk (Cstruct.length buf) in
    let n = raised (fun () -> Flow.read_into t.flow t.incoming ~off:0 ~len) in
    if n = 0 then raise End_of_file;
    Cstruct.blit_from_bytes t.incoming 0 buf 0 n;
    n

  (* As much of the list as the buffer holds. *)
  let rec gather t at = function
    | buf :: rest when at < chunk ->
        let n = Int.min (Cstruct.length buf) (chunk - at) in
        Cstruct.blit_to_bytes buf 0 t.outgoing at n;
        gather t (at + n) rest
    | _ -> at

  let single_write t bufs =
    let len = gather t 0 bufs in
    if len > 0 then raised (fun () -> Flow.write t.flow t.outgoing ~off:0 ~len);
    len

  let copy t ~src = Eio.Flow.Pi.simple_copy ~single_write t ~src

  let shutdown t how =
    if how <> `Receive then
      Option.iter
        (fun (f : Flow.half_close) -> raised (fun () -> f#shutdown_send))
        (Flow.cast t.flow Flow.Half_close)
end

let handler = Eio.Flow.Pi.two_way (module Two_way)

let to_eio flow =
  let flow = (flow :> Flow.flow) in
  Eio.Resource.T ({ flow; incoming = Bytes.create chunk; outgoing = Bytes.create chunk }, handler)
