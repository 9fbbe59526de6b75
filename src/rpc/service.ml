type handler = Handler : ('request, 'response) Method.t * ('request -> 'response) -> handler
type t = (string, handler) Hashtbl.t

let make handlers =
  let t = Hashtbl.create 16 in
  List.iter
    (fun (Handler (m, _) as handler) ->
      if Hashtbl.mem t m.name then invalid_arg ("Service.make: two methods are called " ^ m.name);
      Hashtbl.replace t m.name handler)
    handlers;
  t

let prepare t name request =
  match Hashtbl.find_opt t name with
  | None -> Error (Failure.make Unknown_method name)
  | Some (Handler (m, answer)) -> (
      match Weir_message.Codec.read m.request request with
      | Error why -> Error (Failure.make Undecodable why)
      | Ok request ->
          Ok
            (fun () ->
              let response = answer request in
              fun out -> m.response.encode out response))
