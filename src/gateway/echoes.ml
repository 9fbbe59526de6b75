module Interception = Weir_eio.Interception
open Record
open Decision
open Shared

let answer t ping e =
  let request = Interception.echo_request e in
  let destination = (Interception.echo_destination e, 0) in
  recorded t Icmp ~source:(Interception.echo_source e, 0) ~destination @@ fun r ->
  let denied reason =
    Option.iter (Interception.echo_unreachable e) reason;
    Denied
  in
  match t.decide Icmp destination with
  | Refuse -> denied (Some Prohibited)
  | Unreachable_for reason -> denied (Some reason)
  | Drop -> denied None
  | Serve _ ->
      Interception.reply e;
      Closed
  | To (address, _) -> (
      match ping address ~sequence:request.sequence request.data with
      | Some data ->
          r.connected_ns <- now t;
          r.sent <- String.length request.data;
          r.received <- String.length data;
          Interception.reply ~data e;
          Closed
      | None -> Timed_out
      | exception (Eio.Io _ as e')
        when match Outside.error e' with Some (EACCES | EPERM) -> true | _ -> false ->
          Interception.echo_unreachable e Prohibited;
          Unreachable "no permission to send echo requests: see net.ipv4.ping_group_range"
      | exception (Eio.Io _ as e') ->
          let answer, ending = failure e' in
          (match answer with
          | `Unreachable reason -> Interception.echo_unreachable e reason
          | `Refuse -> Interception.echo_unreachable e Port
          | `Drop -> ());
          ending)
