open Weir_link

exception Crashed

type nic = { mac : Macaddr.t; mtu : int; cidr : string; send : Frame.t -> unit }

type t = {
  world : World.t;
  sw : Eio.Switch.t;
  mutable inboxes : Inbox.t array;  (** by the number of their interface *)
  over : bool ref;
  driver : Driver.t;
  at_crash : (int, unit -> unit) Hashtbl.t;
  mutable next : int;
}

let link world ~over (nic : nic) =
  let inbox = Inbox.create ~capacity:Nic.capacity in
  (inbox, Nic.link world ~mtu:nic.mtu ~inbox ~over ~send:nic.send)

let eio clock : Driver.start =
 fun { sw; random; mac; config; link; cidr; resolvers; search; previous; _ } ->
  let host =
    (* The end of the world is no orderly exit: the host does not linger. *)
    let secret = Macaddr.to_string mac in
    Weir_eio.host ~sw ~clock:(Clock.mono clock) ~random ~mac ~secret ~resolvers ~search ~config
      ~dhcp:{ Weir_core.Dhcp_config.default with previous }
      ~linger_ns:0 ~link ~address:cidr ()
  in
  let attach ~mac link ~cidr =
    ignore (Weir_eio.attach host ~sw ~mac ~link ~address:cidr () : Weir_core.Interface.t)
  in
  {
    stack = Weir_eio.Host.with_stack host Fun.id;
    sent = (fun () -> Weir_eio.Host.with_stack host ignore);
    attach;
    release = (fun () -> Weir_eio.Host.release host);
    eio = Some host;
  }

let after world clock ns f =
  let scheduler = World.scheduler world in
  let at = Clock.to_world clock (Clock.now clock + ns) in
  let timer = Scheduler.at scheduler at f in
  fun () -> Scheduler.cancel scheduler timer

let start world ~sw ~clock ~random ?(resolvers = []) ?(search = []) ~config ?previous ?driver
    (nic : nic) =
  let over = ref false in
  let inbox, link = link world ~over nic in
  let start = Option.value driver ~default:(eio clock) in
  let driver =
    Scheduler.hiding (World.scheduler world) true @@ fun () ->
    start
      {
        sw;
        now = (fun () -> Clock.now clock);
        after = after world clock;
        random;
        mac = nic.mac;
        config;
        names = World.names world;
        resolvers;
        search;
        link;
        cidr = nic.cidr;
        previous;
      }
  in
  { world; sw; inboxes = [| inbox |]; over; driver; at_crash = Hashtbl.create 8; next = 0 }

let attach t (nic : nic) =
  let inbox, link = link t.world ~over:t.over nic in
  t.inboxes <- Array.append t.inboxes [| inbox |];
  Scheduler.hiding (World.scheduler t.world) true @@ fun () ->
  t.driver.attach ~mac:nic.mac link ~cidr:nic.cidr

let stack t = t.driver.stack
let sent t = t.driver.sent ()
let sw t = t.sw

let host t =
  match t.driver.eio with
  | Some host -> host
  | None -> invalid_arg "this host runs another driver: it has no network of Eio's"

let is_over t = !(t.over)
let receive t ~nic frame = Nic.receive t.inboxes.(nic) frame

let at_crash t f =
  let key = t.next in
  t.next <- key + 1;
  Hashtbl.replace t.at_crash key f;
  key

let forget t key = Hashtbl.remove t.at_crash key

let crash t =
  if not !(t.over) then (
    t.over := true;
    t.driver.release ();
    let all = Hashtbl.fold (fun key f all -> (key, f) :: all) t.at_crash [] in
    Hashtbl.reset t.at_crash;
    List.iter (fun (_, f) -> f ()) (List.sort (fun (a, _) (b, _) -> Int.compare a b) all);
    Eio.Switch.fail t.sw Crashed)
