open Lwt.Syntax
open World
module Suite = Weir_test.Suite

let half_close w =
  let* s, c = pair w in
  let* () = write c "question" in
  Connection.shutdown c `Send;
  let* () = fails "write after shutdown" closed_locally (Connection.write_string c "x") in
  let* q = read_all s in
  Alcotest.(check string) "server reads" "question" q;
  let* () = write s "answer" in
  let* () = Connection.close s in
  let* a = read_all c in
  Alcotest.(check string) "client reads" "answer" a;
  Lwt.return_unit

let shutdown_receive w =
  let* s, c = pair w in
  let* () = write c "kept" in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  Connection.shutdown s `Receive;
  let* got = read_all s in
  Alcotest.(check string) "what had come, then the end" "kept" got;
  let* () = write s "still sent" in
  let* () = Connection.close s in
  let* got = read_all c in
  Alcotest.(check string) "the other way" "still sent" got;
  (* One who waits is told at once. *)
  let* s, c =
    let* () = Weir_lwt.Host.sleep w.a 1 in
    pair w
  in
  let read = Connection.read s (Bytes.create 1) ~off:0 ~len:1 in
  Connection.shutdown s `Receive;
  let* n = ok read in
  Alcotest.(check int) "the end" 0 n;
  Connection.close c

let close_twice w =
  let* s, c = pair w in
  let* () = Connection.close c in
  let* () = Connection.close c in
  Connection.shutdown c `All;
  let* () = fails "write" closed_locally (Connection.write_string c "x") in
  let* () = fails "read" closed_locally (Connection.read c (Bytes.create 1) ~off:0 ~len:1) in
  let* rest = read_all s in
  Alcotest.(check string) "the end" "" rest;
  Lwt.return_unit

let reset_on_unread w =
  let* s, c = pair w in
  let* () = write c "unread" in
  let* () = Weir_lwt.Host.sleep w.a 10_000_000 in
  let* () = Connection.close s in
  fails "read" is_reset (Connection.read c (Bytes.create 1) ~off:0 ~len:1)

let cancelled_read w =
  let* s, c = pair w in
  let b = Bytes.create 10 in
  let p = Connection.read s b ~off:0 ~len:10 in
  Lwt.cancel p;
  Alcotest.(check bool) "rejected" true (Lwt.state p = Fail Lwt.Canceled);
  let* () = write c "later" in
  let* n = ok (Connection.read s b ~off:0 ~len:10) in
  Alcotest.(check string) "nothing was lost" "later" (Bytes.sub_string b 0 n);
  Lwt.return_unit

(* Reads are cancelled at every moment, among them those at which bytes have
   just come; each promise tells what it took. *)
let cancelled_often w =
  let* s, c = pair w in
  let sent = pattern 300_000 and out = Buffer.create 300_000 in
  let b = Bytes.create 1_000 in
  let taken = ref 0 and rejected = ref 0 in
  let keep n =
    incr taken;
    Buffer.add_subbytes out b 0 n
  in
  let sleep ns = Weir_lwt.Host.sleep w.a ns in
  let rec read k =
    let p = ok (Connection.read s b ~off:0 ~len:1_000) in
    let* () = match k mod 3 with 0 -> Lwt.return_unit | 1 -> Lwt.pause () | _ -> sleep 2_000 in
    Lwt.cancel p;
    let* n = Lwt.catch (fun () -> p) (fun _ -> Lwt.return (-1)) in
    if n > 0 then keep n else if n < 0 then incr rejected;
    if n = 0 then Lwt.return_unit
    else
      let* () = if n < 0 then sleep 500 else Lwt.return_unit in
      read (k + 1)
  in
  let rec send from =
    if from < String.length sent then
      let* () = write c (String.sub sent from 1_000) in
      let* () = sleep 3_000 in
      send (from + 1_000)
    else Lwt.return_unit
  in
  both
    (let* () = send 0 in
     Connection.shutdown c `Send;
     Lwt.return_unit)
    (let* () = read 0 in
     same "all of it" sent (Buffer.contents out);
     if !taken < 50 || !rejected < 50 then Alcotest.failf "%d taken, %d rejected" !taken !rejected;
     Lwt.return_unit)

let close_wakes w =
  let* s, c = pair w in
  let read = Connection.read s (Bytes.create 1) ~off:0 ~len:1 in
  let big = Connection.write_string c (String.make 50_000_000 'x') in
  let* () = Weir_lwt.Host.sleep w.a 1_000_000 in
  let* n = ok read in
  Alcotest.(check int) "first a byte" 1 n;
  let* () = Connection.close c in
  let* () = fails "writer" closed_locally big in
  Connection.abort s;
  let* s, c =
    let* () = Weir_lwt.Host.sleep w.a 1 in
    pair w
  in
  let read = Connection.read s (Bytes.create 1) ~off:0 ~len:1 in
  let* () = Connection.close s in
  let* () = fails "reader" closed_locally read in
  Connection.close c

let orderly_shutdown w =
  let* s, c = pair w in
  let* () = write s "last words" in
  both (Weir_lwt.shutdown w.a)
    (let* got = read_all c in
     Alcotest.(check string) "all arrived, then the end" "last words" got;
     Connection.close c)

let ended_well read =
  let* n = ok read in
  Alcotest.(check int) "the peer reads the end" 0 n;
  Lwt.return_unit

let host_closed ?linger_ns end_of_peer w =
  let* s, c = pair w in
  let read = Connection.read c (Bytes.create 1) ~off:0 ~len:1 in
  let own = Connection.read s (Bytes.create 1) ~off:0 ~len:1 in
  let l = listen w in
  let accept = Network.accept l and served = Network.serve l (fun _ -> Lwt.return_unit) in
  let d = get_ok (Weir_lwt.Datagram.open_ w.a ~port:9) in
  let recv = Weir_lwt.Datagram.recv d (Bytes.create 1) ~off:0 ~len:1 in
  let* () = Weir_lwt.Host.close ?linger_ns w.a in
  let* () = fails "a listener" closed_locally accept in
  let* () = served in
  let* () = fails "a datagram socket" closed_locally recv in
  let* () = end_of_peer read in
  fails "ours" (( = ) (Error.Tcp Aborted)) own

let case name f = Suite.case name (fun () -> run_virtual f)

let cases =
  [
    case "half-close" half_close;
    case "shutdown for reading" shutdown_receive;
    case "close is idempotent" close_twice;
    case "unread data reset" reset_on_unread;
    case "a cancelled read loses nothing" cancelled_read;
    case "reads cancelled at every moment lose nothing" cancelled_often;
    case "close wakes readers and writers" close_wakes;
    case "orderly shutdown" orderly_shutdown;
    case "a host closed under its connections" (host_closed ended_well);
    case "a host that crashes" (host_closed ~linger_ns:0 (fails "the peer" is_reset));
  ]
