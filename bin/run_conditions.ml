open Weir_link
module Time = Weir_base.Time

type t = {
  course : Run_course.t;
  faults : Run_faults.t;
  names : Ipaddr.t -> string list;
  plain : bool;
  scoped : bool;  (** addresses matter *)
}

let number = function Run_scope.In -> 0 | Out -> 1

(* The seeds of everywhere are those of [Impair.wrap]; the others depend on their text alone, so
   that one option does not change the verdicts of another. *)
let seed_of ~seed way where =
  let n = number way in
  if where = Run_where.everywhere then [| seed; n |]
  else [| seed; n; Hashtbl.hash (Fmt.str "%a" Run_where.pp where) |]

let is_about_packets (c : Run_change.t) =
  match c.what with Impair _ | Rate _ | Cut | Heal -> true | Fault _ -> false

let make plan ~names =
  let plan = Run_plan.outside plan in
  let changes = Run_plan.changes plan in
  let faults = Run_faults.make ~seed:plan.seed changes in
  let concerns way (scope : Run_scope.t) = List.mem way scope.ways in
  let course =
    Run_course.make ~ways:[ Out; In ] ~concerns ~fault:(Run_faults.set faults)
      ~seed:(fun ~seed:_ -> seed_of ~seed:plan.seed)
      [ plan ]
  in
  {
    course;
    faults;
    names;
    plain = not (List.exists is_about_packets changes);
    scoped = Run_course.is_scoped course || Run_course.is_cut_somewhere course;
  }

let is_plain t = t.plain
let start t ~now = Run_course.start t.course ~now

(* -- packets ---------------------------------------------------------------------------- *)

type watch = now:Time.t -> Run_scope.way -> Run_packet.t option -> Frame.t -> Lane.fate -> unit

let fits t packet =
  match packet with
  | None -> fun where -> where = Run_where.everywhere
  | Some { Run_packet.remote = a, port; _ } ->
      let names = if t.scoped then t.names a else [] in
      fun where -> Run_where.matches ~names where a ~port

(* The bytes as they were, for a watch: a lane changes them or lets them go. *)
let before pool (f : Frame.t) =
  Link.complete f;
  Frame.copy pool f

let impair t way ~pool ~watch ~now frame =
  let packet = if t.scoped || watch <> None then Run_packet.read way frame else None in
  let copy = Option.map (fun w -> (w, before pool frame)) watch in
  let fits = fits t packet in
  let is_cut (scope : Run_scope.t) = List.mem way scope.ways && fits scope.where in
  let fate =
    if Run_course.is_cut t.course is_cut then (
      Frame.release frame;
      Lane.Cut)
    else Run_lanes.enter (Run_course.lanes t.course way) ~now ~fits frame
  in
  Option.iter
    (fun (watch, copy) ->
      watch ~now way packet copy fate;
      Frame.release copy)
    copy

let enter t way ~pool ~watch ~now frame =
  Run_course.advance t.course ~now;
  if Run_packet.is_control frame then
    Run_lanes.enter_untouched (Run_course.lanes t.course way) ~now frame
  else impair t way ~pool ~watch ~now frame

let wrap t ?watch (link : Link.t) =
  let pool = Frame.pool ~size:(link#mtu + Link.header_length) () in
  let way d : Impair.way =
    {
      lanes = Run_lanes.all (Run_course.lanes t.course d);
      enter = (fun ~now frame -> enter t d ~pool ~watch ~now frame);
    }
  in
  (* What is received from the device is what the program sends. *)
  Impair.through ~outbound:(way In) ~inbound:(way Out) link

(* -- connections and questions --------------------------------------------------------- *)

let fault t ~now destination =
  Run_course.advance t.course ~now;
  Run_faults.of_connection t.faults ~names:(t.names (fst destination)) destination

let dns_fault t ~now name =
  Run_course.advance t.course ~now;
  Run_faults.of_question t.faults name

(* -- reports ------------------------------------------------------------------------------ *)

let cuts t ~now = Run_course.cuts t.course ~now

let queues t =
  let of_way way = Run_lanes.queues (Run_course.lanes t.course way) ~ways:[ way ] in
  of_way Out @ of_way In
