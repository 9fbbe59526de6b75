open Weir_base
open Weir_wire

type entry = {
  address : Ip.t;
  mutable mtu : int;
  mutable cut : bool;
  mutable silent : bool;
  mutable expires : Time.t;
}

(* A bucket stores [Some e], so that a look-up does not allocate. *)
type t = {
  secret : int;
  buckets : entry option list array;
  mutable length : int;
  mutable cuts : int;  (** entries with [cut] *)
  mutable earliest : Time.t;
  sent : int array;  (** hashes of datagrams *)
  mutable next : int;
}

let most = 1_024
let buckets = 256
let most_remembered = 256
let lifetime = Time.s 600
let least_v4 = 576
let least_v6 = 1_280
let least a = if Ip.is_v4 a then least_v4 else least_v6

let create ~secret =
  {
    secret;
    buckets = Array.make buckets [];
    length = 0;
    cuts = 0;
    earliest = Time.never;
    sent = Array.make most_remembered 0;
    next = 0;
  }

let length t = t.length
let some_may_cut t = t.cuts > 0
let deadline t = t.earliest
let bucket t a = (Ip.hash t.secret a ~port:0 lsr 24) land (buckets - 1)

let rec find_in entries a =
  match entries with
  | [] -> None
  | (Some e as found) :: _ when Ip.equal e.address a -> found
  | _ :: rest -> find_in rest a

let find t a = if t.length = 0 then None else find_in t.buckets.(bucket t a) a
let mtu t a = match find t a with Some e -> e.mtu | None -> max_int
let may_cut t a = match find t a with Some e -> e.cut | None -> false
let is_silent t a = match find t a with Some e -> e.silent | None -> false

(* -- entries -------------------------------------------------------------- *)

let set_cut t e cut =
  t.cuts <- t.cuts + Bool.to_int cut - Bool.to_int e.cut;
  e.cut <- cut

let remove t e =
  let i = bucket t e.address in
  set_cut t e false;
  t.buckets.(i) <- List.filter (function Some x -> x != e | None -> false) t.buckets.(i);
  t.length <- t.length - 1

let fold f t acc =
  let one acc = function Some e -> f e acc | None -> acc in
  Array.fold_left (List.fold_left one) acc t.buckets

let remove_first t =
  let sooner e best = match best with Some b when b.expires <= e.expires -> best | _ -> Some e in
  Option.iter (remove t) (fold sooner t None)

let renew t e ~now =
  e.expires <- now + lifetime;
  t.earliest <- Int.min t.earliest e.expires

let set t ~now a ~mtu ~cut ~silent =
  match find t a with
  | Some e ->
      e.mtu <- mtu;
      e.silent <- silent;
      set_cut t e cut;
      renew t e ~now
  | None ->
      if t.length >= most then remove_first t;
      let e = { address = a; mtu; cut = false; silent; expires = Time.never } in
      let i = bucket t a in
      t.buckets.(i) <- Some e :: t.buckets.(i);
      t.length <- t.length + 1;
      set_cut t e cut;
      renew t e ~now

let tick t ~now =
  t.earliest <= now
  &&
  let over e all = if e.expires <= now then e :: all else all in
  let expired = fold over t [] in
  List.iter (remove t) expired;
  t.earliest <- fold (fun e at -> Int.min at e.expires) t Time.never;
  expired <> []

(* -- what is learned ------------------------------------------------------- *)

(* RFC 1191 §7, table 7-1. *)
let plateaus = [ 32_000; 17_914; 8_166; 4_352; 2_002; 1_492; 1_006; 508; 296; 68 ]
let below length = Option.value (List.find_opt (fun p -> p < length) plateaus) ~default:68

let reported t ~now a ~mtu:told ~length =
  let length = Int.min length (mtu t a) in
  let v4 = Ip.is_v4 a in
  let mtu = if told = 0 && v4 then below length else told in
  let floor = least a in
  if mtu >= length || ((not v4) && mtu < floor) then false
  else if mtu >= floor then (
    set t ~now a ~mtu ~cut:false ~silent:false;
    true)
  else if may_cut t a then false
  else (
    set t ~now a ~mtu:floor ~cut:true ~silent:false;
    true)

let silent t ~now a ~mtu:found =
  found < mtu t a
  && found >= least a
  &&
  (set t ~now a ~mtu:found ~cut:false ~silent:true;
   true)

let proved t ~now a ~mtu ~limit =
  match find t a with
  | Some e when mtu >= limit ->
      remove t e;
      true
  | Some e when mtu > e.mtu ->
      set t ~now a ~mtu ~cut:false ~silent:true;
      true
  | _ -> false

(* -- datagrams ------------------------------------------------------------- *)

(* 0 marks a free place. *)
let proof t ~dst b ~off =
  let word at = Int32.to_int (Bytes.get_int32_be b (off + at)) land 0xffff_ffff in
  let mix h word = Mix.scramble (h lxor word) in
  let h = Ip.hash t.secret dst ~port:0 in
  let h = mix (mix (h lxor (h lsr 29)) (word 0)) (word 4) in
  h lxor (h lsr 31) lor 1

let remember t ~dst b ~off =
  t.sent.(t.next) <- proof t ~dst b ~off;
  t.next <- (t.next + 1) land (most_remembered - 1)

let was_sent t ~dst b ~off =
  let h = proof t ~dst b ~off in
  let rec search i =
    i < most_remembered
    && (t.sent.(i) = h
        &&
        (t.sent.(i) <- 0;
         true)
       || search (i + 1))
  in
  search 0
