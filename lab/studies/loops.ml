module type DIRECT = sig
  type promise

  val basic : (unit -> promise) -> int -> unit
  val recurse : (unit -> promise) -> int -> unit
  val recurse2 : (unit -> promise) -> int -> unit
end

let keep = Weir_lab_harness.Measure.keep

(* The direct loops are repeated for each library instead of being a functor, because a program's
   calls of [await] do not go through a functor either. *)

module Threads = struct
  type promise = unit Lwt.t

  let basic fn n =
    for _ = 1 to n do
      Weir_threads.Threads.await (fn ())
    done

  let recurse fn n =
    let rec sum n =
      if n = 0 then begin
        Weir_threads.Threads.await (fn ());
        0
      end
      else n + sum (n - 1)
    in
    keep (sum n)

  let recurse2 fn n =
    let rec sum n =
      Weir_threads.Threads.await (fn ());
      if n = 0 then 0 else n + sum (n - 1)
    in
    keep (sum n)
end

module Prompts = struct
  type promise = unit Lwt.t

  let basic fn n =
    for _ = 1 to n do
      Weir_lab_rivals.Prompt_fiber.await (fn ())
    done

  let recurse fn n =
    let rec sum n =
      if n = 0 then begin
        Weir_lab_rivals.Prompt_fiber.await (fn ());
        0
      end
      else n + sum (n - 1)
    in
    keep (sum n)

  let recurse2 fn n =
    let rec sum n =
      Weir_lab_rivals.Prompt_fiber.await (fn ());
      if n = 0 then 0 else n + sum (n - 1)
    in
    keep (sum n)
end

module Lwt_direct = struct
  type promise = unit Lwt.t

  let basic fn n =
    for _ = 1 to n do
      Lwt_direct.await (fn ())
    done

  let recurse fn n =
    let rec sum n =
      if n = 0 then begin
        Lwt_direct.await (fn ());
        0
      end
      else n + sum (n - 1)
    in
    keep (sum n)

  let recurse2 fn n =
    let rec sum n =
      Lwt_direct.await (fn ());
      if n = 0 then 0 else n + sum (n - 1)
    in
    keep (sum n)
end

(* Also used to measure plain calls. *)
module Eio = struct
  type promise = unit

  let basic fn n =
    for _ = 1 to n do
      fn ()
    done

  let recurse fn n =
    let rec sum n =
      if n = 0 then begin
        fn ();
        0
      end
      else n + sum (n - 1)
    in
    keep (sum n)

  let recurse2 fn n =
    let rec sum n =
      fn ();
      if n = 0 then 0 else n + sum (n - 1)
    in
    keep (sum n)
end

module Bound = struct
  let ( >>= ) = Lwt.bind
  let rec times n f = if n = 0 then Lwt.return_unit else f () >>= fun () -> times (n - 1) f
  let basic fn n = times n fn

  let recurse fn n =
    let rec sum n =
      if n = 0 then fn () >>= fun () -> Lwt.return 0
      else sum (n - 1) >>= fun below -> Lwt.return (n + below)
    in
    sum n >>= fun v ->
    keep v;
    Lwt.return_unit

  let recurse2 fn n =
    let rec sum n =
      fn () >>= fun () ->
      if n = 0 then Lwt.return 0 else sum (n - 1) >>= fun below -> Lwt.return (n + below)
    in
    sum n >>= fun v ->
    keep v;
    Lwt.return_unit
end
