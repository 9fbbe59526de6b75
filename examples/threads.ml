(* Direct style over the Lwt driver: threads that await promises, no bind. Time
   is virtual here: the program runs at once, and the same way each time. *)

open Weir_threads

let await_ok p = Threads.await (Weir_lwt.get p)

let rec echo connection b =
  match await_ok (Weir_lwt.read connection b ~off:0 ~len:(Bytes.length b)) with
  | 0 -> Threads.await (Weir_lwt.close connection)
  | n ->
      await_ok (Weir_lwt.write connection b ~off:0 ~len:n);
      echo connection b

let server listener () =
  let connection = await_ok (Weir_lwt.accept listener) in
  echo connection (Bytes.create 4_096)

let client host () =
  let address = Ipaddr.of_string_exn "10.0.0.1" in
  let connection = await_ok (Weir_lwt.connect host address ~port:7) in
  await_ok (Weir_lwt.write_string connection "in a direct style");
  let b = Bytes.create 100 in
  let n = await_ok (Weir_lwt.read connection b ~off:0 ~len:100) in
  Threads.await (Weir_lwt.close connection);
  Bytes.sub_string b 0 n

let () =
  let time = Weir_lwt.Virtual_clock.create () in
  let clock = Weir_lwt.Virtual_clock.clock time in
  Weir_lwt.Virtual_clock.run time @@ fun () ->
  let one_end, other_end = Weir_link.Memory.pair () in
  let host seed link address =
    Weir_lwt.host ~clock ~random:(Random.State.make [| seed |]) ~link ~address ()
  in
  let a = host 1 one_end "10.0.0.1/24" and b = host 2 other_end "10.0.0.2/24" in
  let listener = Result.get_ok (Weir_lwt.listen a ~port:7 ~backlog:8) in
  Threads.start @@ fun () ->
  let (), answer = Threads.both (server listener) (client b) in
  print_endline answer
