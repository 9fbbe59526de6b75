open Weir_base
open Weir_link
module Mac = Weir_wire.Mac

type fate = Entered of Lane.fate | Too_long | Forbidden

type port = {
  number : int;
  port_name : string;
  owner : t;
  trunk : bool;
  narrow : Narrow.t option ref;  (** that of the trunk *)
  marks_from : Time.t ref;  (** the backlog from which the trunk marks *)
  mutable inward : Way.t option;
  mutable outward : Way.t option;
}

and t = {
  scheduler : Scheduler.t;
  name : string;
  lan_number : int;
  seed : int array;
  mtu : int;
  mutable default : Impairment.t;
  watch : watch;
  table : Mac_table.t;
  mutable ports : port array;
  mutable joined : t list;
}

and watch = {
  permitted : source:Mac.t -> to_:string -> bool;
  path : source:Mac.t -> to_:string -> Way.t option;
  passing : source:Mac.t -> to_:string -> Frame.t -> fate -> unit;
  arrived : to_:string -> Frame.t -> unit;
  captures : Capture.t list;
}

let create scheduler ~name ~number ~seed ~mtu default watch =
  if mtu < 576 || mtu > 65_535 then invalid_arg "a LAN's MTU is 576 to 65,535";
  (match Impairment.check default with Ok () -> () | Error e -> invalid_arg ("a LAN: " ^ e));
  {
    scheduler;
    name;
    lan_number = number;
    seed;
    mtu;
    default;
    watch;
    table = Mac_table.create ();
    ports = [||];
    joined = [];
  }

let mtu t = t.mtu
let number t = t.lan_number
let inward p = Option.get p.inward
let outward p = Option.get p.outward
let source (frame : Frame.t) = Mac.get frame.data (frame.off + 6)
let destination (frame : Frame.t) = Mac.get frame.data frame.off
let has_header (frame : Frame.t) = frame.len >= Link.header_length

(* For a port behind a trunk, the other switch makes the check whether it is permitted. *)
let enter p frame =
  let t = p.owner and source = source frame and to_ = p.port_name in
  if p.trunk && Way.backlog (inward p) >= !(p.marks_from) then Narrow.mark frame;
  let passed = t.watch.passing ~source ~to_ frame in
  if p.trunk || t.watch.permitted ~source ~to_ then passed (Entered (Way.send (inward p) frame))
  else (
    Frame.release frame;
    passed Forbidden)

(* What the router of a narrow trunk reports enters the switch from there. *)
let pass p ~report frame =
  match !(p.narrow) with
  | None -> enter p frame
  | Some narrow -> (
      match Narrow.judge narrow frame with
      | Passes -> enter p frame
      | outcome -> (
          p.owner.watch.passing ~source:(source frame) ~to_:p.port_name frame Too_long;
          Frame.release frame;
          match outcome with
          | Fragments parts -> List.iter (enter p) parts
          | Reported answer -> report answer
          | Passes | Dropped -> ()))

(* A way that may lose the frame before it comes to where that is told. *)
let go_by way ~told frame =
  match Way.send way frame with (Lost | No_room | Cut) as fate -> told (Entered fate) | _ -> ()

(* The switch has chosen [p]. *)
let rec forward t p frame =
  let source = source frame and to_ = p.port_name in
  match if p.trunk then None else t.watch.path ~source ~to_ with
  | None -> pass p ~report:(fun answer -> switch t ~from:p.number answer) frame
  | Some way -> go_by way ~told:(t.watch.passing ~source ~to_ frame) frame

and flood t ~from i frame =
  if i = Array.length t.ports then Frame.release frame
  else if i = from then flood t ~from (i + 1) frame
  else (
    forward t t.ports.(i) (Frame.copy frame.Frame.pool frame);
    flood t ~from (i + 1) frame)

and switch t ~from (frame : Frame.t) =
  let now = Scheduler.now t.scheduler in
  List.iter (fun c -> Capture.add c ~now frame) t.watch.captures;
  if not (has_header frame) then Frame.release frame
  else
    let destination = destination frame in
    Mac_table.learn t.table ~now (source frame) ~port:from;
    let known = if Mac.is_group destination then -1 else Mac_table.find t.table ~now destination in
    if known < 0 then flood t ~from 0 frame
    else if known = from then Frame.release frame
    else forward t t.ports.(known) frame

let add ?(narrow = ref None) ?(marks_from = ref Time.never) t ~name ~trunk =
  let number = Array.length t.ports in
  let p =
    {
      number;
      port_name = name;
      owner = t;
      trunk;
      narrow;
      marks_from;
      inward = None;
      outward = None;
    }
  in
  t.ports <- Array.append t.ports [| p |];
  p

let way t p direction impairment out =
  Some (Way.create t.scheduler ~seed:(Array.append t.seed [| p.number; direction |]) impairment out)

let connect t ~name receive =
  let p = add t ~name ~trunk:false in
  let receive frame =
    t.watch.arrived ~to_:name frame;
    receive frame
  in
  p.inward <- way t p 0 t.default receive;
  p.outward <- way t p 1 Impairment.none (switch t ~from:p.number);
  p

let rec reaches a b seen =
  a == b || List.exists (fun t -> (not (List.memq t seen)) && reaches t b (a :: seen)) a.joined

(* Its two ways serve as the ports of both switches: what leaves [a] by its port
   enters [b], and the other way round. *)
let join impairment a b =
  if reaches a b [] then invalid_arg "these LANs are joined already";
  a.joined <- b :: a.joined;
  b.joined <- a :: b.joined;
  let name = a.name ^ "-" ^ b.name in
  let narrow = ref None and marks_from = ref Time.never in
  let at_a = add a ~name ~trunk:true ~narrow ~marks_from in
  let at_b = add b ~name ~trunk:true ~narrow ~marks_from in
  let a_to_b = way a at_a 2 impairment (switch b ~from:at_b.number) in
  let b_to_a = way a at_a 3 impairment (switch a ~from:at_a.number) in
  at_a.inward <- a_to_b;
  at_a.outward <- b_to_a;
  at_b.inward <- b_to_a;
  at_b.outward <- a_to_b;
  at_a

let go_in = enter
let set_narrow p narrow = p.narrow := narrow
let set_marks p backlog = p.marks_from := backlog

let send p frame =
  let t = p.owner in
  if (not (has_header frame)) || frame.Frame.len > t.mtu + Link.header_length then
    Frame.release frame
  else
    let told = t.watch.passing ~source:(source frame) ~to_:t.name frame in
    go_by (outward p) ~told frame

let set_up p up =
  Way.set_up (inward p) up;
  Way.set_up (outward p) up

let set_default t impairment =
  (match Impairment.check impairment with Ok () -> () | Error e -> invalid_arg ("a LAN: " ^ e));
  t.default <- impairment;
  Array.iter (fun p -> if not p.trunk then Way.set (inward p) impairment) t.ports
