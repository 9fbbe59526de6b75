open Weir_flow

type Flow.flow_error += Unix of Unix.error * string

let failed error call =
  match error with
  | Unix.EPIPE | ECONNRESET | ECONNABORTED -> raise (Flow.Error Flow.reset)
  | ETIMEDOUT -> raise (Flow.Error Flow.timeout)
  | e ->
      Flow.fail
        (Unix (e, call))
        (fun ppf -> Format.fprintf ppf "%s: %s" call (Unix.error_message e))

let rec again f =
  try f () with
  | Unix.Unix_error (EINTR, _, _) -> again f
  | Unix.Unix_error (e, call, _) -> failed e call

(* The descriptor's number may be given to another file once it is closed. *)
class virtual base fd =
  object (self)
    inherit Flow.flow
    val mutable is_open = true
    method private check = if not is_open then raise (Flow.Error Flow.closed)

    method read_into b ~off ~len =
      self#check;
      again (fun () -> Unix.read fd b off len)

    method write b ~off ~len =
      self#check;
      let rec go off len =
        if len > 0 then
          let n = again (fun () -> Unix.single_write fd b off len) in
          go (off + n) (len - n)
      in
      go off len

    method private release =
      if is_open then begin
        is_open <- false;
        again (fun () -> Unix.close fd)
      end
  end

let of_fd ~on_release fd : Flow.half_close =
  object (self)
    inherit base fd

    method shutdown_send =
      self#check;
      try Unix.shutdown fd SHUTDOWN_SEND with
      | Unix.Unix_error ((ENOTSOCK | ENOTCONN), _, _) -> ()
      | Unix.Unix_error (e, call, _) -> failed e call

    method! cast : type a. a Flow.ty -> a option =
      function Flow.Half_close -> Some (self :> Flow.half_close) | _ -> None

    initializer on_release (fun () -> self#release)
  end

let of_fd_closable fd : Flow.closable =
  object (self)
    inherit base fd
    method close = self#release

    method! cast : type a. a Flow.ty -> a option =
      function Flow.Closable -> Some (self :> Flow.closable) | _ -> None
  end
