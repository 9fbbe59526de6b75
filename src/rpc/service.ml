module Codec = Weir_message.Codec

type 'run entry = { name : string; read : Weir_flow.Slice.t -> ('run, string) result }

let entry (m : _ Method.t) f =
  { name = m.name; read = (fun view -> Result.map f (Codec.read m.request view)) }

type 'run t = (string, 'run entry) Hashtbl.t

let of_entries entries =
  let t = Hashtbl.create 16 in
  List.iter
    (fun e ->
      if Hashtbl.mem t e.name then invalid_arg ("Service: two methods are called " ^ e.name);
      Hashtbl.replace t e.name e)
    entries;
  t

let prepare t name request =
  match Hashtbl.find_opt t name with
  | None -> Error (Failure.make Unknown_method name)
  | Some e -> Result.map_error (Failure.make Undecodable) (e.read request)

type 'run step =
  | Run of { id : int; timeout_us : int; name : string; run : 'run }
  | Cancel of int
  | Nothing

let input t callee frame =
  match Callee.input callee frame with
  | Error _ as e -> e
  | Ok Nothing -> Ok Nothing
  | Ok (Cancel id) -> Ok (Cancel id)
  | Ok (Call { id; timeout_us; name; request }) -> (
      match prepare t name request with
      | Ok run -> Ok (Run { id; timeout_us; name; run })
      | Error failure ->
          Callee.fail callee id failure;
          Ok Nothing)

type handler = Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
type direct = unit -> Weir_message.Output.t -> unit

let direct (Handler (m, answer)) : direct entry =
  entry m (fun request () ->
      let response = answer request in
      fun out -> m.response.encode out response)

let make handlers = of_entries (List.map direct handlers)
