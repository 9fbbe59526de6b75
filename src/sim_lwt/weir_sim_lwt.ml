open Weir_link

(* The life that there is now. *)
type present = { mutable now : (Weir_lwt.host * Turn.life) option }
type host = { sim : Weir_sim.host; present : present }

(* Timers and frames become jobs of a fiber of the host, which pauses with it. *)
type jobs = { queue : (unit -> unit) Queue.t; came : Eio.Condition.t }

let add jobs f =
  Queue.push f jobs.queue;
  Eio.Condition.broadcast jobs.came

let rec work life jobs =
  let job = Eio.Condition.loop_no_mutex jobs.came (fun () -> Queue.take_opt jobs.queue) in
  (* The crash may have come at the same instant. *)
  if not (Turn.is_over life) then Turn.within life job;
  work life jobs

let as_job jobs (link : Link.t) : Link.t =
  object
    inherit Link.forward link
    method! capabilities = link#capabilities

    method! readiness =
      match link#readiness with
      | Link.Notify set -> Link.Notify (fun f -> set (fun () -> add jobs f))
      | other -> other
  end

let after jobs (l : Weir_sim.Driver.life) ns f =
  let wanted = ref true in
  let job () = if !wanted then f () in
  let cancel = l.after ns (fun () -> add jobs job) in
  fun () ->
    wanted := false;
    cancel ()

let start world ~name present (l : Weir_sim.Driver.life) : Weir_sim.Driver.t =
  Turn.take world;
  let life = Turn.life world ~name in
  let jobs = { queue = Queue.create (); came = Eio.Condition.create () } in
  let clock = { Weir_lwt.Clock.now = l.now; after = after jobs l } in
  let network =
    Weir_lwt.host ~clock ~mac:l.mac ~hosts:l.names ~resolvers:l.resolvers ~search:l.search
      ~config:l.config ~random:l.random
      ~dhcp:{ Weir_core.Dhcp_config.default with previous = l.previous }
      ~link:(as_job jobs l.link) ~address:l.cidr ()
  in
  let released = ref false in
  let release () =
    if not !released then (
      released := true;
      Turn.over life;
      present.now <- None;
      ignore (Weir_lwt.Host.close ~linger_ns:0 network : unit Lwt.t))
  in
  present.now <- Some (network, life);
  Eio.Switch.on_release l.sw release;
  Eio.Fiber.fork_daemon ~sw:l.sw (fun () -> work life jobs);
  {
    stack = Weir_lwt.Host.stack network;
    sent = (fun () -> Weir_lwt.Host.flush network);
    attach =
      (fun ~mac link ~cidr ->
        ignore
          (Weir_lwt.attach network ~mac ~link:(as_job jobs link) ~address:cidr ()
            : Weir_core.Interface.t));
    release;
    eio = None;
  }

(* The value of a promise, for a fiber. *)
let await p =
  match Lwt.state p with
  | Return v -> v
  | Fail e -> raise e
  | Sleep -> (
      let result, set = Eio.Promise.create () in
      Lwt.on_any p
        (fun v -> Eio.Promise.resolve set (Ok v))
        (fun e -> Eio.Promise.resolve set (Error e));
      match Eio.Promise.await result with
      | Ok v -> v
      | Error e -> raise e
      | exception (Eio.Cancel.Cancelled _ as e) ->
          Lwt.cancel p;
          raise e)

let run_now present f =
  match present.now with
  | None -> invalid_arg "Weir_sim_lwt: the host is off"
  | Some (network, life) -> await (Turn.within life (fun () -> f network))

let host ?name ?gateway ?config ?pcap ?main world lan address =
  let present = { now = None } in
  let main = Option.map (fun main (_ : Weir_sim.host) -> run_now present main) main in
  let shown = Option.value name ~default:address in
  let start = start world ~name:shown present in
  { sim = Weir_sim.Driver.host ?name ?gateway ?config ?pcap ?main world lan address start; present }

let sim h = h.sim

let network h =
  match h.present.now with
  | Some (network, _) -> network
  | None -> invalid_arg (h.sim.name ^ " is off")

let run h f = Weir_sim.call h.sim (fun () -> run_now h.present f)
