open Eio.Std
module Frame = Weir_base.Frame
module Link = Weir_link.Link
module Lane = Weir_link.Lane
module Members = Run_members
module Ethernet = Weir_wire.Ethernet
module Mac = Weir_wire.Mac
module Time = Weir_base.Time

type watch = now:Time.t -> Run_scope.way -> Frame.t -> Lane.fate -> unit

type path = {
  plans : Run_plan.t list;  (** of both directions, as reports are *)
  concerns : Run_scope.t -> bool;  (** this direction *)
  course : Run_course.t;
  lanes : Lane.t array;
  entered : Eio.Condition.t;
}
(** To one other member. *)

type t = {
  members : Members.t;
  macs : (Mac.t, int) Hashtbl.t;  (** where they are *)
  paths : (int, path) Hashtbl.t;
  pool : Frame.pool;
  watch : watch;
  mutable past_cuts : (Time.t * Time.t * string) list;  (** of members that left *)
  mutable words : string list;  (** that others said, the latest first *)
  mutable inject : Frame.t -> unit;
  mutable fork : (unit -> unit) -> unit;
}

(* A frame on its way, and a frame that does not arrive, with its fate. *)
let frame_letter = 'F'
let fate_letter = 'T'
let now () = Members.clock_ns ()
let others t = List.filter (fun (_, n) -> n <> Members.number t.members) (Members.all t.members)

(* -- bytes ---------------------------------------------------------------------------- *)

let message letter ?(head = Members.header) (f : Frame.t) =
  let b = Bytes.create (head + f.len) in
  Bytes.set b 0 letter;
  Bytes.blit f.data f.off b head f.len;
  b

let to_frame t ?(head = Members.header) b =
  let f = Frame.alloc t.pool and len = Bytes.length b - head in
  Bytes.blit b head f.data 0 len;
  Frame.set f ~off:0 ~len;
  f

(* The source address follows the destination. *)
let source (f : Frame.t) = Ethernet.get_dst f.data ~off:(f.off + 6)
let destination (f : Frame.t) = Ethernet.get_dst f.data ~off:f.off
let fates = Lane.[| Sent; Lost; No_room; Cut; Twice; Corrupted; Truncated; Late |]
let fate_head = Members.header + 1

let index_of fate =
  let rec find i = if fates.(i) = fate then i else find (i + 1) in
  find 0

(* -- what is between this member and another --------------------------------------------- *)

let concerns ~from ~to_ scope = Run_scope.concerns scope ~from ~to_

let course t ~from ~to_ plans =
  (* The two names stand for the direction, so that each has verdicts of its own. *)
  let seed ~seed _ where =
    [| seed; 3; Hashtbl.hash (Fmt.str "%a" Run_where.pp where); Hashtbl.hash (from, to_) |]
  in
  let concerns _ = concerns ~from ~to_ in
  let course = Run_course.make ~ways:[ Out ] ~concerns ~seed plans in
  Run_course.start course ~now:(Members.began_ns t.members);
  course

let plans t ~from ~to_ =
  List.map
    (fun (_, lines) -> Run_plan.concerning (Run_plan.of_lines lines) from to_)
    (Members.said t.members)
  |> List.filter Run_plan.has_between

let rec next_of lanes n ~now =
  if n = Array.length lanes then Frame.none
  else
    let f = Lane.next lanes.(n) ~now in
    if f == Frame.none then next_of lanes (n + 1) ~now else f

(* Frames that a lane held leave by a fiber of its own, which ends with the path. *)
let rec drain t number path ~clock =
  let f = next_of path.lanes 0 ~now:(now ()) in
  (if f != Frame.none then (
     Members.send t.members ~to_:number (message frame_letter f);
     Frame.release f)
   else
     let at = Array.fold_left (fun at l -> Int.min at (Lane.deadline l)) Time.never path.lanes in
     if at = Time.never then Eio.Condition.await_no_mutex path.entered
     else
       Fiber.first
         (fun () -> Eio.Time.Mono.sleep_until clock (Mtime.of_uint64_ns (Int64.of_int at)))
         (fun () -> Eio.Condition.await_no_mutex path.entered));
  match Hashtbl.find_opt t.paths number with
  | Some p when p == path -> drain t number path ~clock
  | _ -> ()

let cuts_of path = Run_course.cuts path.course ~now:(now ())

let forget t number =
  Option.iter
    (fun path ->
      t.past_cuts <- cuts_of path @ t.past_cuts;
      Hashtbl.remove t.paths number;
      Eio.Condition.broadcast path.entered)
    (Hashtbl.find_opt t.paths number)

let make_path t ~clock ~name number plans =
  let from = Members.name t.members in
  let course = course t ~from ~to_:name plans in
  let lanes = Run_lanes.all (Run_course.lanes course Out) in
  let concerns = concerns ~from ~to_:name in
  let path = { plans; concerns; course; lanes; entered = Eio.Condition.create () } in
  Hashtbl.replace t.paths number path;
  t.fork (fun () -> drain t number path ~clock)

let most_words = 1_000

(* They hold while the member is there, but reports name them at the end too. *)
let remember t =
  let of_others (number, lines) =
    match List.find_opt (fun (_, n) -> n = number) (others t) with
    | Some (name, _) ->
        List.map (fun line -> name ^ ": " ^ line) (Run_plan.in_words (Run_plan.of_lines lines))
    | None -> []
  in
  let add words w =
    if List.mem w words || List.length words >= most_words then words else w :: words
  in
  t.words <- List.fold_left add t.words (List.concat_map of_others (Members.said t.members))

(* A path stays as it is while nobody says anything else of it. *)
let follow t ~clock () =
  remember t;
  let others = others t in
  let gone = Hashtbl.to_seq_keys t.paths |> List.of_seq in
  List.iter (fun n -> if not (List.exists (fun (_, m) -> m = n) others) then forget t n) gone;
  Hashtbl.filter_map_inplace
    (fun _ n -> if List.exists (fun (_, m) -> m = n) others then Some n else None)
    t.macs;
  List.iter
    (fun (name, number) ->
      let plans = plans t ~from:(Members.name t.members) ~to_:name in
      match Hashtbl.find_opt t.paths number with
      | Some path when path.plans = plans -> ()
      | None when plans = [] -> ()
      | _ ->
          forget t number;
          if plans <> [] then make_path t ~clock ~name number plans)
    others

(* -- frames out ----------------------------------------------------------------------------- *)

let tell_fate t number fate f =
  let b = message fate_letter ~head:fate_head f in
  Bytes.set_uint8 b Members.header (index_of fate);
  Members.send t.members ~to_:number b

(* What members tell each other to find each other draws no verdicts, but a cut stops it. *)
let impair t number path ~watched f =
  let now = now () in
  Run_course.advance path.course ~now;
  if Run_course.is_cut path.course path.concerns then (
    if watched then tell_fate t number Cut f;
    Lane.Cut)
  else if Run_packet.is_control f then (
    Members.send t.members ~to_:number (message frame_letter f);
    Sent)
  else
    let lanes = Run_course.lanes path.course Out in
    let fate = Run_lanes.enter lanes ~now ~fits:(fun _ -> true) (Frame.copy t.pool f) in
    if watched && fate <> Sent then tell_fate t number fate f;
    Eio.Condition.broadcast path.entered;
    fate

let pass t ~watched f number =
  match Hashtbl.find_opt t.paths number with
  | Some path -> impair t number path ~watched f
  | None ->
      Members.send t.members ~to_:number (message frame_letter f);
      Sent

(* A frame for all is not counted among those of any two. *)
let switch t f =
  let dst = destination f in
  match if Mac.is_group dst then None else Hashtbl.find_opt t.macs dst with
  | Some number ->
      let fate = pass t ~watched:true f number in
      t.watch ~now:(now ()) Out f fate
  | None -> List.iter (fun (_, n) -> ignore (pass t ~watched:false f n : Lane.fate)) (others t)

class joined t (tap : Link.t) =
  object
    inherit Link.forward tap
    val mutable gateway = Mac.broadcast

    method! send ~now frame =
      if Mac.equal gateway Mac.broadcast && frame.Frame.len >= Ethernet.length then
        gateway <- source frame;
      tap#send ~now frame

    (* What is for this program's gateway goes nowhere else. *)
    method! receive ~now =
      let rec next () =
        let f = tap#receive ~now in
        if f == Frame.none || f.Frame.len < Ethernet.length then f
        else if Mac.equal (destination f) gateway then f
        else (
          switch t f;
          if Mac.is_group (destination f) then f
          else (
            Frame.release f;
            next ()))
      in
      next ()
  end

(* -- frames in -------------------------------------------------------------------------------- *)

let most_macs = 4_096

let arrived t ~from f =
  if Hashtbl.length t.macs < most_macs then Hashtbl.replace t.macs (source f) from;
  t.watch ~now:(now ()) In f Sent;
  t.inject f

let heard t ~from b =
  let length = Bytes.length b in
  match Bytes.get b 0 with
  | c when c = frame_letter && length > Members.header + Ethernet.length ->
      arrived t ~from (to_frame t b)
  | c when c = fate_letter && length > fate_head + Ethernet.length ->
      let fate = Bytes.get_uint8 b Members.header in
      if fate < Array.length fates then (
        let f = to_frame t ~head:fate_head b in
        t.watch ~now:(now ()) In f fates.(fate);
        Frame.release f)
  | _ -> ()

let link t tap =
  t.inject <-
    (fun f ->
      tap#send ~now:(now ()) f;
      tap#flush);
  (new joined t tap :> Link.t)

(* -- running ------------------------------------------------------------------------------------ *)

let make members ~watch =
  let t =
    {
      members;
      macs = Hashtbl.create 16;
      paths = Hashtbl.create 16;
      pool = Frame.pool ~size:Members.longest ();
      watch;
      past_cuts = [];
      words = [];
      inject = Frame.release;
      fork = ignore;
    }
  in
  Members.on_message members (heard t);
  t

let run t ~clock =
  Switch.run @@ fun sw ->
  t.fork <-
    (fun f ->
      Fiber.fork_daemon ~sw (fun () ->
          f ();
          `Stop_daemon));
  Members.on_change t.members (follow t ~clock);
  follow t ~clock ();
  Members.run t.members ~clock

(* Frames that are on their way leave it soon. *)
let all_sent t =
  Hashtbl.fold (fun _ p all -> all && Array.for_all (fun l -> Lane.held l = 0) p.lanes) t.paths true

(* -- reports -------------------------------------------------------------------------------------- *)

let cuts t =
  Hashtbl.fold (fun _ path all -> cuts_of path @ all) t.paths t.past_cuts
  |> List.map (fun (from, until, scope) ->
      let began = Members.began_ns t.members in
      (began + from, began + until, scope))
  |> List.sort_uniq Stdlib.compare

let queues t =
  Hashtbl.fold
    (fun _ path all -> Run_lanes.queues (Run_course.lanes path.course Out) ~ways:[ Out; In ] @ all)
    t.paths []
  |> List.sort Stdlib.compare

let in_words t = List.rev t.words
