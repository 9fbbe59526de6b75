module Session = Weir_http.Server
module Request = Weir_http.Request
module Response = Weir_http.Response
module Flow = Weir_flow.Flow
module Threads = Weir_threads.Threads

type timeouts = Session.timeouts
type t = { session : Session.t; limits : Time_limits.t option }

let create ?limits ?timeouts ?timer ?now ?stop ?gather ?(report = fun _ _ -> ()) ?page () =
  let report head = function Lwt.Canceled as e -> raise e | e -> report head e in
  {
    session = Session.create ?limits ?timeouts ?now ?stop ?gather ~report ?page ();
    limits = Option.map Time_limits.create timer;
  }

let direct_flow (t : Transport.t) watch : Flow.flow =
  let await : 'a. 'a Lwt.t -> 'a =
   fun p -> match watch with Some w -> Time_limits.await w p | None -> Threads.await p
  in
  let buffered : Flow.buffered option =
    Option.map
      (fun write_by ->
        object
          method write_by ~want f = await (write_by ~want f)
        end)
      t.write_by
  in
  object
    inherit Flow.flow
    method read_into b ~off ~len = await (t.read b ~off ~len)
    method write b ~off ~len = await (t.write b ~off ~len)
    method! cast : type a. a Flow.ty -> a option = function Flow.Buffered -> buffered | _ -> None
  end

let nothing _ ~off:_ ~len:_ = Lwt.return 0

(* The handler runs outside the thread, so each read of the body starts a thread. *)
let monadic_request (r : Request.t) : Handler.request =
  let read b ~off ~len = Threads.start (fun () -> r.body#read_into b ~off ~len) in
  { head = r.head; read_body = (if r.body == Request.no_body then nothing else read) }

let direct_response (r : Handler.response) : Response.t =
  let body : Response.body =
    match r.body with
    | Empty -> Empty
    | String s -> String s
    | Stream { length; read; close } ->
        Stream { length; close; read = (fun b ~off ~len -> Threads.await (read b ~off ~len)) }
  in
  { status = r.status; headers = r.headers; body }

let serve_direct ?on_idle ?log t (transport : Transport.t) handler =
  let watch = Option.map Time_limits.watch t.limits in
  let timer = Option.map Time_limits.http_timer watch in
  let shutdown_send () = Threads.await (transport.shutdown_send ()) in
  Threads.start @@ fun () ->
  Fun.protect
    ~finally:(fun () -> Option.iter Time_limits.forget watch)
    (fun () ->
      Session.serve_connection ?on_idle ?log ?timer ~shutdown_send t.session
        (direct_flow transport watch) handler)

let serve_connection ?on_idle ?log t transport handler =
  serve_direct ?on_idle ?log t transport (fun request ->
      direct_response (Threads.await (handler (monadic_request request))))
