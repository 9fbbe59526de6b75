open Weir_link

exception Crashed

type t = {
  sw : Eio.Switch.t;
  inbox : Inbox.t;
  over : bool ref;
  host : Weir_eio.host;
  at_crash : (int, unit -> unit) Hashtbl.t;
  mutable next : int;
}

let start world ~sw ~clock ~random ~mac ?gateway ?resolvers ?search ~config ~mtu ~send address =
  let inbox = Inbox.create ~capacity:Nic.capacity and over = ref false in
  let link = Nic.link world ~mtu ~inbox ~over ~send in
  let host =
    Scheduler.hiding (World.scheduler world) true @@ fun () ->
    (* The end of the world is no orderly exit: the host does not linger. *)
    Weir_eio.host ~sw ~clock:(Clock.mono clock) ~random ~mac ?gateway ?resolvers ?search ~config
      ~linger_ns:0 ~link ~address ()
  in
  { sw; inbox; over; host; at_crash = Hashtbl.create 8; next = 0 }

let sw t = t.sw
let host t = t.host
let is_over t = !(t.over)
let receive t frame = Nic.receive t.inbox frame

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
