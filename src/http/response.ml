type stream = {
  length : int option;
  read : Bytes.t -> off:int -> len:int -> int;
  close : unit -> unit;
}

type body = Empty | String of string | Stream of stream | Ready of stream
type t = { status : Http.Status.t; headers : Http.Header.t; body : body }

let make ?(status = `OK) ?(headers = []) body =
  { status; headers = Http.Header.of_list headers; body }

let typed kind ?status ?(headers = []) s =
  make ?status ~headers:(("Content-Type", kind) :: headers) (String s)

let text ?status ?headers s = typed "text/plain; charset=utf-8" ?status ?headers s
let html ?status ?headers s = typed "text/html; charset=utf-8" ?status ?headers s

let page ?headers code more =
  let status = Http.Status.of_int code in
  if Status.bodiless code then make ~status ?headers Empty
  else text ~status ?headers (Printf.sprintf "%d %s%s\n" code (Status.reason code) more)

let of_status ?headers code = page ?headers code ""
let of_error (e : Error.t) = page e.status (": " ^ e.reason)

let of_reader ?length ?(close = ignore) reader =
  let read b ~off ~len = Weir_flow.Flow.read_into reader b ~off ~len in
  Stream { length; read; close }
