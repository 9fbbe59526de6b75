(* A generated service with streams. *)

open Weir_rpc
open Pair

module Lists = struct
  let add receive =
    let rec all people = match receive () with None -> people | Some p -> all (p :: people) in
    Sample_pb.Address_book.make ~people:(List.rev (all [])) ()

  let rec look_up receive send =
    match receive () with
    | None -> ()
    | Some (q : Sample_pb.Query.t) ->
        send (Sample_pb.Person.make ~name:(q.prefix ^ "da") ());
        look_up receive send
end

let generated drivers =
  let handlers ~pause:_ = Protobuf.handlers (Sample_pb.Lists.handlers (module Lists)) in
  joined drivers handlers @@ fun j ->
  let people = List.init 50 (fun id -> Sample_pb.Person.make ~name:"n" ~id ()) in
  let book =
    got
      (j.client.upload (Protobuf.upload Sample_pb.Lists.add) (fun ~pause:_ send ->
           List.iter (fun p -> assert (send p)) people))
  in
  Alcotest.(check bool) "all" true (book.people = people);
  let asked =
    got
      (j.client.exchange (Protobuf.exchange Sample_pb.Lists.look_up) (fun { send; receive; _ } ->
           ignore (send (Sample_pb.Query.make ~prefix:"A" ()));
           Option.map (fun (p : Sample_pb.Person.t) -> p.name) (receive ())))
  in
  Alcotest.(check (option string)) "Ada" (Some "Ada") asked;
  end_well j

let tests = [ ("generated services", each "generated" generated) ]
