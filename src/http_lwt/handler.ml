module Request = Weir_http.Request
module Response = Weir_http.Response
module Error = Weir_http.Error

type request = { head : Request.head; read_body : Bytes.t -> off:int -> len:int -> int Lwt.t }

type stream = {
  length : int option;
  read : Bytes.t -> off:int -> len:int -> int Lwt.t;
  close : unit -> unit;
}

type body = Empty | String of string | Stream of stream
type response = { status : Http.Status.t; headers : Http.Header.t; body : body }
type t = request -> response Lwt.t

let of_response (r : Response.t) =
  let body =
    match r.body with
    | Empty -> Empty
    | String s -> String s
    | Stream { length; read; close } | Ready { length; read; close } ->
        let read b ~off ~len =
          match read b ~off ~len with n -> Lwt.return n | exception e -> Lwt.fail e
        in
        Stream { length; read; close }
  in
  { status = r.status; headers = r.headers; body }

let chunk = 16_384
let too_long : Error.t = { at = 0; status = 413; reason = "the body is too long" }

(* Most requests have no body, so the buffer is made after the first byte. *)
let read_all ?(limit = 1_048_576) request =
  let first = Bytes.create 1 in
  let rec rest out b =
    Lwt.bind (request.read_body b ~off:0 ~len:chunk) (fun n ->
        if n = 0 then Lwt.return (Buffer.contents out)
        else if Buffer.length out + n > limit then Lwt.fail (Error.Failed too_long)
        else (
          Buffer.add_subbytes out b 0 n;
          rest out b))
  in
  Lwt.bind (request.read_body first ~off:0 ~len:1) (fun n ->
      if n = 0 then Lwt.return ""
      else if limit < 1 then Lwt.fail (Error.Failed too_long)
      else
        let out = Buffer.create chunk in
        Buffer.add_bytes out first;
        rest out (Bytes.create chunk))
