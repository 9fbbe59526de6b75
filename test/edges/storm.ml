open Eio.Std

(* Byte [i] of stream [n]. *)
let byte n i = Char.unsafe_chr (((n * 31) + (i * 7) + (i lsr 8)) land 255)

let check_bytes n ~from buf len =
  for i = 0 to len - 1 do
    if Cstruct.get_char buf i <> byte n (from + i) then
      Alcotest.failf "stream %d: byte %d is wrong" n (from + i)
  done

let chunk = 16_384

(* The client says which stream and how many bytes; the server sends them. *)
let serve flow =
  let head = Eio.Buf_read.(of_flow ~max_size:100 flow |> line) in
  let n, total = Scanf.sscanf head "%d %d" (fun n total -> (n, total)) in
  let buf = Cstruct.create chunk in
  let rec go sent =
    if sent < total then (
      let len = Int.min chunk (total - sent) in
      for i = 0 to len - 1 do
        Cstruct.set_char buf i (byte n (sent + i))
      done;
      Eio.Flow.write flow [ Cstruct.sub buf 0 len ];
      go (sent + len))
  in
  go 0

let fetch (w : Ends.t) n total =
  Switch.run @@ fun sw ->
  let flow = Eio.Net.connect ~sw w.client (Ends.tcp w.at 80) in
  Eio.Flow.copy_string (Printf.sprintf "%d %d\n" n total) flow;
  let buf = Cstruct.create chunk in
  let rec go got =
    match Eio.Flow.single_read flow buf with
    | len ->
        check_bytes n ~from:got buf len;
        go (got + len)
    | exception End_of_file -> got
  in
  Alcotest.(check int) "bytes" total (go 0)

let clients = 64
let streams = 4

let run (w : Ends.t) domains ~connections ~each ~large =
  Switch.run @@ fun sw ->
  let socket = Eio.Net.listen ~sw ~reuse_addr:true ~backlog:512 w.server (Ends.tcp "0.0.0.0" 80) in
  let stop, set_stop = Promise.create () in
  let served = Atomic.make [] in
  let rec note () =
    let seen = Atomic.get served and here = (Domain.self () :> int) in
    if not (List.mem here seen || Atomic.compare_and_set served seen (here :: seen)) then note ()
  in
  let handler flow _ =
    note ();
    serve flow
  in
  Fiber.both
    (fun () ->
      Eio.Net.run_server socket ~stop ~on_error:raise ~additional_domains:(domains, 1) handler)
    (fun () ->
      let next = ref 0 in
      let rec client () =
        let n = !next in
        if n < connections then (
          incr next;
          fetch w n (if n < streams then large else each);
          client ())
      in
      Fiber.all (List.init clients (fun _ -> client));
      Promise.resolve set_stop ());
  Alcotest.(check int) "domains that served" 2 (List.length (Atomic.get served))
