(* HTTP over flows, and flows from a stack, as Conduit and Cohttp have them. *)

open Lwt.Syntax
open Packages

module type CONNECTIONS = sig
  type t
  type flow

  module Flow : Mirage_flow.S with type flow = flow

  val connect : t -> Ipaddr.t * int -> flow Lwt.t
  val listen : t -> int -> (flow -> unit Lwt.t) -> unit Lwt.t
end

module Connections (S : Tcpip.Stack.V4V6) :
  CONNECTIONS with type t = S.t and type flow = S.TCP.flow = struct
  type t = S.t
  type flow = S.TCP.flow

  module Flow = S.TCP

  let keepalive : Tcpip.Tcp.Keepalive.t =
    { after = 60_000_000_000L; interval = 5_000_000_000L; probes = 4 }

  let connect t endpoint =
    let* r = S.TCP.create_connection ~keepalive (S.tcp t) endpoint in
    match r with Ok flow -> Lwt.return flow | Error e -> Fmt.failwith "%a" S.TCP.pp_error e

  (* Never resolved: a server is for ever. *)
  let listen t port f =
    S.TCP.listen (S.tcp t) ~port ~keepalive f;
    fst (Lwt.wait ())
end

module Lines (F : Mirage_flow.S) = struct
  type t = { flow : F.flow; mutable rest : string }

  let of_flow flow = { flow; rest = "" }

  let more t =
    let+ r = F.read t.flow in
    match r with
    | Ok (`Data b) -> Some (Cstruct.to_string b)
    | Ok `Eof -> None
    | Error e -> Fmt.failwith "%a" F.pp_error e

  let take t n =
    let s = String.sub t.rest 0 n in
    t.rest <- String.sub t.rest n (String.length t.rest - n);
    s

  let exactly t n =
    let all = Buffer.create n in
    Buffer.add_string all t.rest;
    let rec fill () =
      if Buffer.length all >= n then (
        t.rest <- Buffer.contents all;
        Lwt.return (take t n))
      else
        let* read = more t in
        match read with
        | Some s ->
            Buffer.add_string all s;
            fill ()
        | None -> failwith "the end too early"
    in
    fill ()

  (* The lines up to an empty one; none at the end of the stream. *)
  let rec head t =
    let rec blank i =
      if i + 4 > String.length t.rest then None
      else if String.sub t.rest i 4 = "\r\n\r\n" then Some i
      else blank (i + 1)
    in
    match blank 0 with
    | Some i ->
        let lines = String.split_on_char '\n' (take t (i + 4)) in
        Lwt.return (List.filter (( <> ) "") (List.map String.trim lines))
    | None -> (
        let* read = more t in
        match read with
        | Some s ->
            t.rest <- t.rest ^ s;
            head t
        | None -> Lwt.return [])

  let write t s =
    let* r = F.write t.flow (Cstruct.of_string s) in
    match r with Ok () -> Lwt.return_unit | Error e -> Fmt.failwith "%a" F.pp_write_error e
end

module Server (F : Mirage_flow.S) = struct
  module L = Lines (F)

  (* Requests on one flow until it ends, in whatever way. *)
  let answer pages flow =
    let t = L.of_flow flow in
    let rec go () =
      let* head = L.head t in
      match head with
      | [] -> F.close flow
      | request :: _ ->
          let page =
            match String.split_on_char ' ' request with
            | [ "GET"; path; _ ] -> List.assoc_opt path pages
            | _ -> None
          in
          let status, body =
            match page with Some body -> ("200 OK", body) | None -> ("404 Not Found", "")
          in
          let* () =
            L.write t
              (Printf.sprintf "HTTP/1.1 %s\r\nContent-Length: %d\r\n\r\n%s" status
                 (String.length body) body)
          in
          go ()
    in
    Lwt.catch go (fun _ -> F.close flow)
end

module Client (C : CONNECTIONS) = struct
  module L = Lines (C.Flow)

  let get t endpoint paths =
    let* flow = C.connect t endpoint in
    let l = L.of_flow flow in
    let one path =
      let* () = L.write l (Printf.sprintf "GET %s HTTP/1.1\r\nHost: there\r\n\r\n" path) in
      let* head = L.head l in
      let length line = Scanf.sscanf_opt line "Content-Length: %d" Fun.id in
      let* body = L.exactly l (List.hd (List.filter_map length head)) in
      Lwt.return (List.hd head, body)
    in
    let* answers = Lwt_list.map_s one paths in
    let+ () = C.Flow.close flow in
    answers
end
