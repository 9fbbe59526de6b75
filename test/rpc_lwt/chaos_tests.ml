(* Connections that end at any moment and in any way, with calls and streams at work,
   between all pairs of drivers: each call has an outcome, each side its end, and no
   handler is left. *)

open Eio.Std
open Weir_rpc
open World
open Pair
module Suite = Weir_test.Suite
module Flow = Weir_flow.Flow

let wait = Methods.wait
let count = Stream_tests.count
let sum = Stream_tests.sum
let mirror = Stream_tests.mirror

(* A flow that fails when told to. *)
let mortal (f : Flow.half_close) : Flow.half_close * (unit -> unit) =
  let dead, kill = Promise.create () in
  let guard g =
    Fiber.first g (fun () ->
        Promise.await dead;
        raise (Flow.Error Flow.reset))
  in
  let flow =
    object (self)
      inherit Flow.flow
      method read_into b ~off ~len = guard (fun () -> f#read_into b ~off ~len)
      method write b ~off ~len = guard (fun () -> f#write b ~off ~len)
      method shutdown_send = f#shutdown_send

      method! cast : type a. a Flow.ty -> a option =
        function Flow.Half_close -> Some (self :> Flow.half_close) | _ -> None
    end
  in
  ((flow :> Flow.half_close), fun () -> ignore (Promise.try_resolve kill ()))

(* Handlers that are counted while they run. *)
let handlers running ~pause =
  let counted f =
    incr running;
    Fun.protect ~finally:(fun () -> decr running) f
  in
  let wait_for ns = counted (fun () -> pause ns; ns) in
  let down n send = counted (fun () -> for i = 1 to n do send i; if i land 7 = 0 then pause 100 done) in
  let rec up receive total = match receive () with None -> total | Some n -> up receive (total + n) in
  let rec back receive send =
    match receive () with
    | None -> ()
    | Some v ->
        send v;
        back receive send
  in
  [
    Service.Handler (wait, wait_for);
    Download (count, down);
    Upload (sum, fun receive -> counted (fun () -> up receive 0));
    Exchange (mirror, fun receive send -> counted (fun () -> back receive send));
  ]
  [@@ocamlformat "disable"]

(* One user's calls, until the connection is over. *)
let user rng (c : client) =
  let int n = Random.State.int rng n in
  let timeout_ns () = if int 3 = 0 then Some (1 + int 20_000) else None in
  let ignored : type a. (a, Error.t) result -> Error.t option = function
    | Ok _ -> None
    | Error e -> Some e
  in
  let one () =
    let timeout_ns = timeout_ns () in
    match int 4 with
    | 0 -> ignored (c.call ?timeout_ns wait (int 30_000))
    | 1 -> ignored (c.download ?timeout_ns count (int 200) (fun ~pause _ -> if int 9 = 0 then pause 50))
    | 2 ->
        ignored
          (c.upload ?timeout_ns sum (fun ~pause send ->
               while send 1 && int 50 > 0 do pause (int 20) done))
    | _ ->
        ignored
          (c.exchange ?timeout_ns mirror (fun s ->
               while s.send (String.make (int 400) 'm') && (int 3 = 0 || s.receive () <> None) && int 30 > 0 do
                 s.pause (int 20)
               done))
  in
  let rec go n =
    if n > 0 then
      match one () with
      | Some (Closed _) -> ()
      | None | Some (Timed_out | Remote { code = Timed_out | Cancelled | Shutting_down; _ }) -> go (n - 1)
      | Some e -> Alcotest.failf "%a" Error.pp e
  in
  go 20
  [@@ocamlformat "disable"]

let once drivers seed =
  let rng = Random.State.make [| seed; 77 |] in
  let int n = Random.State.int rng n in
  let limits () =
    { Limits.default with window = 1_024 + int 4_000; unsent = 1 + int 3_000; calls = 1 + int 10 }
  in
  let running = ref 0 in
  in_both @@ fun w ->
  let near, far = Pipe.duplex ~capacity:(1 + int 3_000) suspend in
  let near, kill_near = mortal near and far, kill_far = mortal far in
  let server = drivers.make_server ~limits:(limits ()) ~timeout_ns:(s 1) w (handlers running) far in
  let served = Fiber.fork_promise ~sw:w.sw server.serve in
  let client = drivers.make_client ~limits:(limits ()) w near in
  let chaos () =
    sleep w.mono (int 200_000);
    match int 6 with
    | 0 ->
        kill_far ();
        kill_near ()
    | 1 -> kill_far ()
    | 2 -> kill_near ()
    | 3 -> near#shutdown_send
    | 4 -> server.shutdown ~grace_ns:(int 50_000)
    | _ -> client.close ()
  in
  Fiber.both chaos (fun () -> Fiber.List.iter (fun () -> user rng client) (List.init 12 ignore));
  (* What one side cannot see of the other's death, its system would tell it. *)
  kill_far ();
  kill_near ();
  ignore (Promise.await_exn served);
  sleep w.mono 1;
  Alcotest.(check int) "no handler is left" 0 !running;
  Alcotest.(check bool) "the client knows" true (client.state () <> None);
  if now w.mono > s 10 then Alcotest.failf "it took %d ns" (now w.mono)

let chaos drivers =
  let first = Suite.seed () in
  for i = 1 to Suite.iterations 25 do
    try once drivers (first + i)
    with e ->
      Printf.printf "seed %d\n%!" (first + i);
      raise e
  done

let tests = [ ("ends at any moment", each "at random" chaos) ]
