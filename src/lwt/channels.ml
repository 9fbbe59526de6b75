module Flow = Weir_flow.Flow
module Flow_lwt = Weir_flow_lwt.Flow_lwt

exception Failed of Flow.error

let () =
  Printexc.register_printer (function
    | Failed e -> Some (Fmt.str "Weir_lwt.Channels.Failed (%a)" Flow.pp_error e)
    | _ -> None)

let of_flow ?(close = fun () -> Lwt.return_unit) flow =
  let flow = (flow :> Flow_lwt.flow) in
  let open_ends = ref 2 in
  let close () =
    decr open_ends;
    if !open_ends = 0 then close () else Lwt.return_unit
  in
  let fail (`Flow e) = Lwt.fail (Failed e) in
  let fill buf off len =
    Lwt.bind
      (Flow_lwt.read_into flow (Cstruct.of_bigarray buf ~off ~len))
      (function Ok (`Input n) -> Lwt.return n | Ok `Eof -> Lwt.return 0 | Error e -> fail e)
  in
  let drain buf off len =
    Lwt.bind
      (Flow_lwt.write flow (Cstruct.of_bigarray buf ~off ~len))
      (function Ok () -> Lwt.return len | Error e -> fail e)
  in
  (Lwt_io.make ~close ~mode:Lwt_io.input fill, Lwt_io.make ~close ~mode:Lwt_io.output drain)

type Flow.flow_error += Channel of exn

(* A cancellation comes from the caller and stays an exception. *)
let caught f =
  Lwt.catch
    (fun () -> Lwt.map Result.ok (f ()))
    (function
      | Lwt.Canceled -> Lwt.fail Lwt.Canceled
      | Failed e -> Lwt_result.fail (`Flow e)
      | e -> Lwt_result.fail (`Flow (Channel e, fun f -> Fmt.exn f e)))

let to_flow ic oc : Flow_lwt.flow =
  object
    inherit Flow_lwt.flow

    method read_into buf =
      caught (fun () ->
          let b = Bytes.create (Cstruct.length buf) in
          Lwt.map
            (fun n ->
              Cstruct.blit_from_bytes b 0 buf 0 n;
              if n = 0 && Bytes.length b > 0 then `Eof else `Input n)
            (Lwt_io.read_into ic b 0 (Bytes.length b)))

    method write buf =
      caught (fun () ->
          let b = Cstruct.to_bytes buf in
          Lwt.bind (Lwt_io.write_from_exactly oc b 0 (Bytes.length b)) (fun () -> Lwt_io.flush oc))
  end
