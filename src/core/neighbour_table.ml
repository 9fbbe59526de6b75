open Weir_base
open Weir_wire

type state = Incomplete | Reachable | Stale | Probe | Failed_lately

type 'p entry = {
  address : Ip.t;
  key : int;
  mutable mac : int;
  mutable state : state;
  mutable due : Time.t;
  mutable requests : int;
  mutable asked_at : Time.t;
  mutable asked_all : bool;
  mutable used : bool;
  mutable stamp : int;
  waiting : 'p Queue.t;
  mutable next : 'p entry;
  mutable older : 'p entry;
  mutable newer : 'p entry;
}

(* [nil] ends every chain of [next], and heads the ring of incomplete entries:
   its [newer] is the oldest of them, its [older] the newest. *)
type 'p t = {
  secret : int;
  nil : 'p entry;
  mutable buckets : 'p entry array;
  mutable length : int;
  mutable waiting : int;
  mutable earliest : Time.t;
  mutable clock : int;
}

let smallest = 16

let create ~secret =
  let waiting = Queue.create () in
  let rec nil =
    {
      address = Ip.any;
      key = -1;
      mac = -1;
      state = Failed_lately;
      due = Time.never;
      requests = 0;
      asked_at = min_int;
      asked_all = false;
      used = false;
      stamp = 0;
      waiting;
      next = nil;
      older = nil;
      newer = nil;
    }
  in
  let buckets = Array.make smallest nil in
  { secret; nil; buckets; length = 0; waiting = 0; earliest = Time.never; clock = 0 }

let length t = t.length
let waiting (t : 'p t) = t.waiting
let is_none t e = e == t.nil
let earliest t = t.earliest

(* The product's upper bits depend on every bit of the address; the secret prevents
   hosts on the link from filling one chain. *)
let bucket t a key =
  let h = if Ip.is_v4 a then Ip.hash_key t.secret key ~port:0 else Ip.hash t.secret a ~port:0 in
  (h lsr 40) lxor (h lsr 20) land (Array.length t.buckets - 1)

let rec find_in nil a key e =
  if e == nil || (e.key = key && (Ip.is_v4 a || Ip.equal e.address a)) then e
  else find_in nil a key e.next

let find t a =
  let key = Ip.key a in
  find_in t.nil a key t.buckets.(bucket t a key)

let touch t e =
  t.clock <- t.clock + 1;
  e.stamp <- t.clock;
  e.used <- true

let fold f t acc =
  let rec chain e acc = if e == t.nil then acc else chain e.next (f e acc) in
  Array.fold_left (fun acc e -> chain e acc) acc t.buckets

let insert t e =
  let i = bucket t e.address e.key in
  e.next <- t.buckets.(i);
  t.buckets.(i) <- e

let grow t =
  let all = fold List.cons t [] in
  t.buckets <- Array.make (2 * Array.length t.buckets) t.nil;
  List.iter (insert t) all

let link_newest t e =
  let last = t.nil.older in
  e.older <- last;
  e.newer <- t.nil;
  last.newer <- e;
  t.nil.older <- e

let unlink t e =
  e.older.newer <- e.newer;
  e.newer.older <- e.older;
  e.older <- t.nil;
  e.newer <- t.nil

let set_state t e state =
  if e.state = Incomplete && state <> Incomplete then unlink t e
  else if e.state <> Incomplete && state = Incomplete then link_newest t e;
  e.state <- state

let add t address state =
  if t.length >= Array.length t.buckets then grow t;
  let e =
    {
      address;
      key = Ip.key address;
      mac = -1;
      state;
      due = Time.never;
      requests = 0;
      asked_at = min_int;
      asked_all = false;
      used = false;
      stamp = t.clock;
      waiting = Queue.create ();
      next = t.nil;
      older = t.nil;
      newer = t.nil;
    }
  in
  if state = Incomplete then link_newest t e;
  insert t e;
  t.length <- t.length + 1;
  e

let take_waiting t (e : 'p entry) =
  let packets = List.of_seq (Queue.to_seq e.waiting) in
  t.waiting <- t.waiting - Queue.length e.waiting;
  Queue.clear e.waiting;
  packets

let remove t e =
  set_state t e Failed_lately;
  (* A caller that still holds the entry sees that it is invalid. *)
  e.mac <- -1;
  let i = bucket t e.address e.key in
  let rec without x =
    if x == e then x.next
    else (
      if x != t.nil then x.next <- without x.next;
      x)
  in
  t.buckets.(i) <- without t.buckets.(i);
  t.length <- t.length - 1

let arm t e due =
  e.due <- due;
  if due < t.earliest then t.earliest <- due

let take_due t ~now =
  if now < t.earliest then []
  else (
    t.earliest <- Time.never;
    let gather e due =
      if e.due <= now then e :: due
      else (
        t.earliest <- Int.min t.earliest e.due;
        due)
    in
    let order a b =
      match Int.compare a.due b.due with 0 -> Ip.compare a.address b.address | c -> c
    in
    List.sort order (fold gather t []))

let push t (e : 'p entry) p =
  Queue.push p e.waiting;
  t.waiting <- t.waiting + 1

let drop_one t (e : 'p entry) =
  ignore (Queue.pop e.waiting);
  t.waiting <- t.waiting - 1

let oldest_incomplete t = t.nil.newer

let least_useful t =
  let rank e = if e.state = Failed_lately then min_int + e.stamp else e.stamp in
  let better e best =
    if e.state = Incomplete || ((not (is_none t best)) && rank best <= rank e) then best else e
  in
  fold better t t.nil
