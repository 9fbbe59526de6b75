(* A resolver's client and a server, as Mirage's are written: functors over a stack. *)

open Lwt.Syntax
open Packages

let longest_datagram = 512

module Server (S : Tcpip.Stack.V4V6) = struct
  let answer table ~most question =
    let id = Dns_message.id question and name, _ = Dns_message.asked question in
    let addresses = Option.value (List.assoc_opt name table) ~default:[] in
    let whole = Dns_message.answer ~id ~truncated:false name addresses in
    if String.length whole <= most then whole
    else Dns_message.answer ~id ~truncated:true name addresses

  (* Answers leave from where the question came to. *)
  let on_datagram stack table ~src ~dst ~src_port question =
    let reply = answer table ~most:longest_datagram (Cstruct.to_string question) in
    let+ r =
      S.UDP.write ~src:dst ~src_port:53 ~dst:src ~dst_port:src_port (S.udp stack)
        (Cstruct.of_string reply)
    in
    match r with Ok () -> () | Error e -> Fmt.failwith "%a" S.UDP.pp_error e

  let rec on_flow table rest flow =
    let n = String.length rest in
    let length = if n < 2 then max_int else String.get_uint16_be rest 0 in
    if n - 2 >= length then
      let reply = answer table ~most:max_int (String.sub rest 2 length) in
      let reply = Dns_message.u16 (String.length reply) ^ reply in
      let* r = S.TCP.write flow (Cstruct.of_string reply) in
      match r with
      | Ok () -> on_flow table (String.sub rest (2 + length) (n - 2 - length)) flow
      | Error _ -> S.TCP.close flow
    else
      let* r = S.TCP.read flow in
      match r with
      | Ok (`Data more) -> on_flow table (rest ^ Cstruct.to_string more) flow
      | Ok `Eof | Error _ -> S.TCP.close flow

  let start stack table =
    S.UDP.listen (S.udp stack) ~port:53 (on_datagram stack table);
    S.TCP.listen (S.tcp stack) ~port:53 (on_flow table "")
end

module Client (S : Tcpip.Stack.V4V6) = struct
  type t = {
    stack : S.t;
    random : Random.State.t;
    sleep : float -> unit Lwt.t;
    servers : Ipaddr.t list;
    mutable asked : int;  (** questions sent *)
  }

  let create stack ~random ~sleep servers = { stack; random; sleep; servers; asked = 0 }
  let timeout t s = Lwt.map (fun () -> Error "timeout") (t.sleep s)
  let failed pp e = Error (Fmt.str "%a" pp e)

  (* What waits is noted after the question was sent: an answer must not come
     inside that call. It counts if it comes from the server to the address that
     asked. *)
  let over_udp t server question =
    t.asked <- t.asked + 1;
    let udp = S.udp t.stack and own = S.IP.src (S.ip t.stack) ~dst:server in
    let port = 1_024 + Random.State.int t.random 64_000 in
    let waiting = ref None in
    S.UDP.listen udp ~port (fun ~src ~dst ~src_port data ->
        let data = Cstruct.to_string data in
        let fits = Ipaddr.compare src server = 0 && Ipaddr.compare dst own = 0 in
        if fits && src_port = 53 && Dns_message.id data = Dns_message.id question then (
          Option.iter (fun tell -> Lwt.wakeup_later tell (Ok data)) !waiting;
          waiting := None);
        Lwt.return_unit);
    let* sent =
      S.UDP.write ~src_port:port ~dst:server ~dst_port:53 udp (Cstruct.of_string question)
    in
    let+ answer =
      match sent with
      | Error e -> Lwt.return (failed S.UDP.pp_error e)
      | Ok () ->
          let told, tell = Lwt.task () in
          waiting := Some tell;
          Lwt.pick [ told; timeout t 1. ]
    in
    waiting := None;
    S.UDP.unlisten udp ~port;
    answer

  (* The first server that answers a connection, each given ten seconds. *)
  let rec connect t = function
    | [] -> Lwt.return (Error "no server")
    | server :: rest -> (
        let attempt =
          Lwt.map
            (Result.map_error (Fmt.str "%a" S.TCP.pp_error))
            (S.TCP.create_connection (S.tcp t.stack) (server, 53))
        in
        let* r = Lwt.pick [ attempt; timeout t 10. ] in
        match r with Ok flow -> Lwt.return (Ok flow) | Error _ -> connect t rest)

  let rec read flow rest =
    let n = String.length rest in
    if n >= 2 && n >= 2 + String.get_uint16_be rest 0 then
      Lwt.return (Ok (String.sub rest 2 (n - 2)))
    else
      let* r = S.TCP.read flow in
      match r with
      | Ok (`Data more) -> read flow (rest ^ Cstruct.to_string more)
      | Ok `Eof -> Lwt.return (Error "the end too early")
      | Error e -> Lwt.return (failed S.TCP.pp_error e)

  let over_tcp t question =
    t.asked <- t.asked + 1;
    let* r = connect t t.servers in
    match r with
    | Error _ as e -> Lwt.return e
    | Ok flow -> (
        let length = Dns_message.u16 (String.length question) in
        let* r = S.TCP.writev flow [ Cstruct.of_string length; Cstruct.of_string question ] in
        match r with
        | Error e -> Lwt.return (failed S.TCP.pp_write_error e)
        | Ok () ->
            let* answer = Lwt.pick [ read flow ""; timeout t 20. ] in
            let+ () = S.TCP.close flow in
            answer)

  (* Each server in turn, eight times; the whole answer over TCP if it was cut. *)
  let resolve t name =
    let question = Dns_message.query ~id:(Random.State.int t.random 65_536) name in
    let rec go = function
      | [] -> Lwt.return (Error "no server answers")
      | server :: rest -> (
          let* r = over_udp t server question in
          match r with
          | Ok answer when Dns_message.is_truncated answer -> over_tcp t question
          | Ok answer -> Lwt.return (Ok answer)
          | Error _ -> go rest)
    in
    let+ answer = go (List.concat (List.init 8 (fun _ -> t.servers))) in
    Result.map Dns_message.addresses answer
end
