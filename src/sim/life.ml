open Weir_link

exception Crashed

type nic = { mac : Macaddr.t; mtu : int; cidr : string; send : Frame.t -> unit }

type t = {
  world : World.t;
  sw : Eio.Switch.t;
  mutable inboxes : Inbox.t array;  (** by the number of their interface *)
  over : bool ref;
  host : Weir_eio.host;
  at_crash : (int, unit -> unit) Hashtbl.t;
  mutable next : int;
}

let link world ~over (nic : nic) =
  let inbox = Inbox.create ~capacity:Nic.capacity in
  (inbox, Nic.link world ~mtu:nic.mtu ~inbox ~over ~send:nic.send)

let start world ~sw ~clock ~random ?gateway ~config (nic : nic) =
  let over = ref false in
  let inbox, link = link world ~over nic in
  let host =
    Scheduler.hiding (World.scheduler world) true @@ fun () ->
    (* The end of the world is no orderly exit: the host does not linger. *)
    Weir_eio.host ~sw ~clock:(Clock.mono clock) ~random ~mac:nic.mac ?gateway ~config ~linger_ns:0
      ~link ~address:nic.cidr ()
  in
  { world; sw; inboxes = [| inbox |]; over; host; at_crash = Hashtbl.create 8; next = 0 }

let attach t (nic : nic) =
  let inbox, link = link t.world ~over:t.over nic in
  t.inboxes <- Array.append t.inboxes [| inbox |];
  Scheduler.hiding (World.scheduler t.world) true @@ fun () ->
  let attached = Weir_eio.attach t.host ~sw:t.sw ~mac:nic.mac ~link ~address:nic.cidr () in
  assert (attached.number = Array.length t.inboxes - 1)

let sw t = t.sw
let host t = t.host
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
    Weir_eio.Host.release t.host;
    let all = Hashtbl.fold (fun key f all -> (key, f) :: all) t.at_crash [] in
    Hashtbl.reset t.at_crash;
    List.iter (fun (_, f) -> f ()) (List.sort (fun (a, _) (b, _) -> Int.compare a b) all);
    Eio.Switch.fail t.sw Crashed)
