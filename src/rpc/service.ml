module Codec = Weir_message.Codec

type 'run entry = {
  name : string;
  shape : Method.shape;
  read : Weir_flow.Slice.t -> ('run, string) result;
}

let reading (m : _ Method.t) shape f =
  { name = m.name; shape; read = (fun view -> Result.map f (Codec.read m.request view)) }

let entry m f = reading m Single f
let download (Method.Download m) f = reading m Down f
let streamed (m : _ Method.t) shape run = { name = m.name; shape; read = (fun _ -> Ok run) }

type 'run t = (string, 'run entry) Hashtbl.t

let of_entries entries =
  let t = Hashtbl.create 16 in
  List.iter
    (fun e ->
      if Hashtbl.mem t e.name then invalid_arg ("Service: two methods are called " ^ e.name);
      Hashtbl.replace t e.name e)
    entries;
  t

let prepare t shape name request =
  match Hashtbl.find_opt t name with
  | None -> Error (Failure.make Unknown_method name)
  | Some e when e.shape <> shape ->
      Error (Failure.make Unknown_method (name ^ ": the method has other streams"))
  | Some e -> Result.map_error (Failure.make Undecodable) (e.read request)

type 'run step =
  | Run of { id : int; timeout_us : int; name : string; run : 'run }
  | Cancel of int
  | Stream
  | Nothing

let input t callee frame =
  match Callee.input callee frame with
  | Error _ as e -> e
  | Ok Nothing -> Ok Nothing
  | Ok Stream -> Ok Stream
  | Ok (Cancel id) -> Ok (Cancel id)
  | Ok (Call { id; timeout_us; name; shape; request }) -> (
      match prepare t shape name request with
      | Ok run -> Ok (Run { id; timeout_us; name; run })
      | Error failure ->
          Callee.fail callee id failure;
          Ok Nothing)

let received codec message =
  match Codec.read codec (Weir_flow.Slice.of_string message) with
  | Ok v -> v
  | Error why -> Failure.fail Undecodable why

let given_up () = Failure.fail Cancelled ""

let too_long n =
  Failure.fail Too_large (Printf.sprintf "a stream's message: the limit is %d bytes" n)

(* {1 In direct style} *)

type handler =
  | Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
  | Download :
      ('request, 'response) Method.download * ('request -> ('response -> unit) -> unit)
      -> handler
  | Upload :
      ('request, 'response) Method.upload * ((unit -> 'request option) -> 'response)
      -> handler
  | Exchange :
      ('request, 'response) Method.exchange
      * ((unit -> 'request option) -> ('response -> unit) -> unit)
      -> handler

type pipe = { take : unit -> string option; put : string -> unit }

let no_pipe = { take = (fun () -> None); put = ignore }

type direct = pipe -> Weir_message.Output.t -> unit

let receive (m : _ Method.t) pipe () = Option.map (received m.request) (pipe.take ())
let send (m : _ Method.t) pipe v = pipe.put (Codec.to_string m.response v)

let direct : handler -> direct entry = function
  | Handler (m, f) ->
      entry m (fun request _ ->
          let response = f request in
          fun out -> m.response.encode out response)
  | Download ((Download m as d), f) ->
      download d (fun request pipe ->
          f request (send m pipe);
          ignore)
  | Upload (Upload m, f) ->
      streamed m Up (fun pipe ->
          let response = f (receive m pipe) in
          fun out -> m.response.encode out response)
  | Exchange (Exchange m, f) ->
      streamed m Both (fun pipe ->
          f (receive m pipe) (send m pipe);
          ignore)

let make handlers = of_entries (List.map direct handlers)
