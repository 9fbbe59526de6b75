type watch = { until : int; context : Eio.Cancel.t; mutable fired : bool }

type t = {
  clock : Eio.Time.Mono.ty Eio.Std.r;
  watches : (int, watch) Hashtbl.t;
  some : Eio.Condition.t;
  mutable next : int;
}

exception Limit

let period = 0.25
let now t = Int64.to_int (Mtime.to_uint64_ns (Eio.Time.Mono.now t.clock))

let expire now _ watch =
  if watch.until <= now && not watch.fired then (
    watch.fired <- true;
    Eio.Cancel.cancel watch.context Limit)

(* Without limits to check it waits for the next one. *)
let rec sweep t =
  if Hashtbl.length t.watches = 0 then
    Eio.Condition.loop_no_mutex t.some (fun () ->
        if Hashtbl.length t.watches > 0 then Some () else None);
  Eio.Time.Mono.sleep t.clock period;
  let due = Hashtbl.fold (fun id w acc -> (id, w) :: acc) t.watches [] in
  let now = now t in
  List.iter (fun (id, w) -> expire now id w) due;
  sweep t

let create ~sw ~clock =
  let clock = (clock :> Eio.Time.Mono.ty Eio.Std.r) in
  let t = { clock; watches = Hashtbl.create 64; some = Eio.Condition.create (); next = 0 } in
  Eio.Fiber.fork_daemon ~sw (fun () -> sweep t);
  t

let within t ns f =
  let watch = ref None in
  let limited context =
    let w = { until = now t + ns; context; fired = false } in
    watch := Some w;
    let id = t.next in
    t.next <- id + 1;
    if Hashtbl.length t.watches = 0 then Eio.Condition.broadcast t.some;
    Hashtbl.add t.watches id w;
    Fun.protect ~finally:(fun () -> Hashtbl.remove t.watches id) f
  in
  match Eio.Cancel.sub limited with
  | x -> x
  | exception Eio.Cancel.Cancelled Limit when match !watch with Some w -> w.fired | None -> false ->
      raise Weir_http.Server.Timed_out

let http_timer t =
  {
    Weir_http.Server.with_timeout =
      (fun ns f -> if ns = Weir_base.Time.never then f () else within t ns f);
  }
