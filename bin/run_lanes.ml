open Weir_link

(* Each place that any option names has its own; the most specific that is in force decides. *)
type 'a place = { where : Run_where.t; thing : 'a; mutable in_force : bool }
type rated = { bottleneck : Bottleneck.t; mutable rate : Run_change.rate option }

type t = {
  lanes : Lane.t place list;  (** the last, of everywhere, is always in force *)
  rates : rated place list;
  untouched : Lane.t;
}

let wheres changes =
  List.sort_uniq Stdlib.compare (List.map (fun (c : Run_change.t) -> c.scope.where) changes)

let places wheres make =
  List.map (fun where -> { where; thing = make where; in_force = false }) wheres
  |> List.stable_sort (fun a b -> Run_where.most_specific_first a.where b.where)

let create ~seed changes =
  let of_kind f = wheres (List.filter (fun (c : Run_change.t) -> f c.what) changes) in
  let impaired = of_kind (function Run_change.Impair _ -> true | _ -> false) in
  let limited = of_kind (function Run_change.Rate _ -> true | _ -> false) in
  let lane where = Lane.create ~seed:(seed where) Impairment.none in
  let rated _ =
    { bottleneck = Bottleneck.create ~rate_bps:Impairment.unlimited ~queue_bytes:1; rate = None }
  in
  let lanes = places (List.sort_uniq Stdlib.compare (Run_where.everywhere :: impaired)) lane in
  List.iter (fun p -> p.in_force <- p.where = Run_where.everywhere) lanes;
  { lanes; rates = places limited rated; untouched = Lane.create ~seed:[| 0 |] Impairment.none }

let is_scoped t =
  let named p = p.where <> Run_where.everywhere in
  List.exists named t.lanes || List.exists named t.rates

let all t = Array.of_list (t.untouched :: List.map (fun p -> p.thing) t.lanes)

(* -- changes ------------------------------------------------------------------------- *)

let default_queue = Impairment.none.queue_bytes
let queue_of rate = match rate with Run_change.Constant { queue; _ } | Trace { queue; _ } -> queue
let in_place where places f = List.iter (fun p -> if p.where = where then f p) places

let limit place ~at (rate : Run_change.rate) =
  let { bottleneck; _ } = place.thing in
  let queue_bytes = Option.value (queue_of rate) ~default:default_queue in
  place.in_force <- true;
  place.thing.rate <- Some rate;
  match rate with
  | Constant { bps; _ } -> Bottleneck.set bottleneck ~rate_bps:bps ~queue_bytes
  | Trace { trace; _ } -> Bottleneck.follow bottleneck ~start:at ~queue_bytes trace

let set t ~at (c : Run_change.t) =
  match c.what with
  | Impair i ->
      in_place c.scope.where t.lanes (fun p ->
          p.in_force <- true;
          Lane.set p.thing i)
  | Rate rate -> in_place c.scope.where t.rates (fun p -> limit p ~at rate)
  | Cut | Heal | Fault _ -> ()

(* -- frames ---------------------------------------------------------------------------- *)

let chosen places fits = List.find_opt (fun p -> p.in_force && fits p.where) places

let enter t ~now ~fits frame =
  match chosen t.lanes fits with
  | None -> assert false (* everywhere is always in force *)
  | Some { thing = lane; _ } ->
      let shared = Option.map (fun p -> p.thing.bottleneck) (chosen t.rates fits) in
      Lane.enter ?shared lane ~now frame

let enter_untouched t ~now frame = ignore (Lane.enter t.untouched ~now frame : Lane.fate)

let queues t ~ways =
  List.filter_map
    (fun p ->
      Option.map
        (fun rate ->
          let scope = { Run_scope.ways; where = p.where } in
          ( Fmt.str "%a" Run_change.pp { what = Rate rate; scope },
            Option.value (queue_of rate) ~default:default_queue,
            Bottleneck.fullest p.thing.bottleneck ))
        p.thing.rate)
    t.rates
