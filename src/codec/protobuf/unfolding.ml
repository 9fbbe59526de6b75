(* What reading takes for a field, in words. *)
type entry = {
  wire : int;  (** how one value is written *)
  each : int;  (** a value, without a text's own words *)
  saved : int;  (** what a number of one byte takes less: it is boxed already *)
  block : int;  (** a packed number; 0 if the field is not to be packed *)
  cells : int;  (** what a number in a block takes again when another block comes *)
  known : (int, unit) Hashtbl.t option;  (** a closed enum's numbers: others are kept aside *)
  inner : table option;
  single : bool;  (** a message that is merged if it comes again *)
  form : Descriptor.form;
  fixed : int;  (** an array, without its numbers *)
  run : bool;  (** numbers that come in a row are one block, each with its tag *)
}

(* [record] is a message's own words, [arrays] those of its arrays without numbers. Of a type that is read by itself: the words of the dearest
   message within and of a byte of packed numbers, how often what is allocated may be so again when
   a message ends, and the bytes that cannot unfold beyond the default bound. *)
and table = {
  mutable entries : entry option array;
  record : int;
  arrays : int;
  mutable message : int;
  mutable byte : int;
  mutable again : int;
  mutable safe : int;
}

type Descriptor.unfolding += Measured of table

exception Malformed

let allowance = 125_000
let default_memory bytes = (2 * bytes) + allowance

(* {1 Tables} *)

let boxed : Descriptor.kind -> int = function
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> 3
  | Double | Float -> 2
  | _ -> 0

(* A list is built the wrong way round, then turned. *)
let cell = 6

(* An array is made for its first block; grows by doubling, at most to twice what it holds; and is cut
   to its size at the end. Bigarrays are custom blocks beside what they hold, and so are the parts of
   one that are copied. *)
let growing = 4

let array_fixed (f : Descriptor.field) =
  match (f.form, f.kind) with
  | (Usual | Slice | Boxed _), _ -> 0
  | Array, (Float | Fixed32 | Sfixed32 | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64) -> 50
  | Array, _ -> 8

(* What collects an array's numbers. *)
let collector = 3
let slice = 4

(* Charged for each byte of an array's block that makes it grow, or is one of its first few. *)
let array_byte = 10

(* Pairs are looked up for doubles: an array, a table of up to four times their number. *)
let map_entry = 3 + cell + 8

(* An unrecognized value is boxed. *)
let enum_box (e : Descriptor.enum) = if e.closed then 0 else 2

(* Kept by itself, as a piece of what is unknown. *)
let aside = 20

(* Where it stands, and its copy. *)
let piece = 10

(* A derived type's list is turned where it does not come in one block, and may become an array. *)
let derived_entry inner (f : Descriptor.field) box =
  let whole =
    match (f.kind, box) with
    | (Bool | Int64 | Sfixed32), 0 | (Int64 | Sint64 | Sfixed64), 3 | (Float | Double), 2 -> true
    | _ -> false
  in
  let list = Descriptor.is_repeated f in
  let run = list && f.label = Repeated && f.kind = Int64 && box = 0 && f.number < 16 in
  {
    wire = Descriptor.wire_type f.kind;
    each = (if run then 4 else if list then 7 + box else 6 + box);
    saved = 0;
    block =
      (if not (list && Descriptor.packable f.kind) then 0
       else if whole && (run || f.label = Packed) then 4 + box
       else 10 + box);
    cells = cell;
    known = None;
    inner;
    single = false;
    form = f.form;
    fixed = 0;
    run;
  }

let usual_entry inner (f : Descriptor.field) =
  let box = boxed f.kind + match f.kind with Enum e -> enum_box e | _ -> 0 in
  let around =
    if Descriptor.is_map f then map_entry
    else
      match f.label with
      | (Repeated | Packed) when f.form = Array -> growing + 1
      | Repeated | Packed -> cell
      | Implicit | Required -> 0
      | Explicit -> if f.oneof = "" then 2 else 4
  in
  let known =
    match f.kind with
    | Enum { closed = true; values; _ } ->
        let known = Hashtbl.create 16 in
        List.iter (fun (_, n) -> Hashtbl.replace known n ()) values;
        Some known
    | _ -> None
  in
  let packable = Descriptor.is_repeated f && Descriptor.packable f.kind in
  let enum = match f.kind with Enum { closed; _ } -> if closed then cell else 3 | _ -> 0 in
  {
    wire = Descriptor.wire_type f.kind;
    each = around + box;
    saved = (match f.kind with Int64 | Uint64 | Sint64 -> 3 | _ -> 0);
    block = (if not packable then 0 else if f.form = Array then 1 else 3 + enum + box);
    cells = (if f.form = Array then growing else cell);
    known;
    inner;
    single = inner <> None && not (Descriptor.is_repeated f);
    form = f.form;
    fixed = array_fixed f;
    run = false;
  }

let entry inner (f : Descriptor.field) =
  match f.form with
  | Boxed box -> derived_entry inner f box
  | Usual | Array | Slice -> usual_entry inner f

(* A slot a field, one for each oneof, one for what is unknown, and the header. *)
let slots (m : Descriptor.message) =
  let oneofs =
    List.filter_map (fun (f : Descriptor.field) -> if f.oneof = "" then None else Some f.oneof)
  in
  let in_oneofs = oneofs m.fields in
  List.length m.fields - List.length in_oneofs + List.length (List.sort_uniq compare in_oneofs) + 2

(* Numbers above this are found in no table: their fields count as unknown. *)
let largest = 65_535

let rec table (m : Descriptor.message) =
  match m.unfolding with
  | Measured t -> t
  | _ ->
      let arrays = List.filter (fun (f : Descriptor.field) -> f.form = Array) m.fields in
      let record = if m.map_entry then 0 else slots m + (collector * List.length arrays) in
      let arrays = List.fold_left (fun n f -> n + array_fixed f) 0 arrays in
      let t = { entries = [||]; record; arrays; message = 0; byte = 0; again = 2; safe = 0 } in
      m.unfolding <- Measured t;
      let highest =
        List.fold_left
          (fun n (f : Descriptor.field) -> if f.number > largest then n else Int.max n f.number)
          0 m.fields
      in
      let entries = Array.make (highest + 1) None in
      List.iter
        (fun (f : Descriptor.field) ->
          if f.number <= largest then
            let inner =
              match f.kind with Message sub | Delimited sub -> Some (table sub) | _ -> None
            in
            entries.(f.number) <- Some (entry inner f))
        m.fields;
      t.entries <- entries;
      t

let reachable root =
  let rec go seen t =
    if List.memq t seen then seen
    else
      Array.fold_left
        (fun seen -> function Some { inner = Some t; _ } -> go seen t | _ -> seen)
        (t :: seen) t.entries
  in
  go [] root

(* {1 Counting} *)

type count = {
  s : string;
  mutable left : int;
  mutable beside : int;  (** what a block takes beside its numbers, each as often as there are *)
  mutable run_end : int;  (** where the last number of a run ended *)
}

let limit_reached = "memory limit reached: ~memory allows more"
let[@inline never] refused pos = Error.fail pos limit_reached

let[@inline] spend c words pos =
  c.left <- c.left - words;
  if c.left < 0 then refused pos

let[@inline] number c pos limit =
  match Decode.varint c.s pos limit with
  | r -> r
  | exception Error.Error _ -> raise_notrace Malformed

(* Of the top bits of a word's bytes, how many are set. *)
let ones bits =
  Int64.to_int
    (Int64.shift_right_logical
       (Int64.mul (Int64.shift_right_logical bits 7) 0x0101010101010101L)
       56)

let top = 0x80L

(* How many numbers a block has, and in [beside] the words that they take otherwise: unknown ones of a
   closed enum are kept one by one. *)
let block_count c (e : entry) first stop =
  match (e.wire, e.known) with
  | 0, None ->
      let n = ref 0 and short = ref 0 and before = ref top and p = ref first in
      while !p + 8 <= stop do
        let ends = Int64.logand (Int64.lognot (Words.word c.s !p)) Words.high in
        n := !n + ones ends;
        if e.saved > 0 then
          short := !short + ones (Int64.logand ends (Int64.logor (Int64.shift_left ends 8) !before));
        before := Int64.logand (Int64.shift_right_logical ends 56) top;
        p := !p + 8
      done;
      let before = ref (Int64.equal !before top) in
      for i = !p to stop - 1 do
        let ends = Decode.byte c.s i < 128 in
        if ends then incr n;
        if ends && !before then incr short;
        before := ends
      done;
      c.beside <- - !short * e.saved;
      !n
  | 0, Some known ->
      let rec go pos n strange =
        if pos >= stop then (
          c.beside <- strange;
          n)
        else
          let r = number c pos stop in
          let value = Decode.int32 r in
          go
            (pos + Decode.width r)
            (n + 1)
            (if Hashtbl.mem known value then strange else strange + aside)
      in
      go first 0 0
  | wire, _ ->
      c.beside <- 0;
      (stop - first) / if wire = 1 then 8 else 4

let[@inline] find t n = if n < Array.length t.entries then Array.unsafe_get t.entries n else None

(* So many numbers came in the last block of field [n]. *)
let none = ref 0

let rec last_block n = function
  | [] -> none
  | (field, last) :: rest -> if field = n then last else last_block n rest

(* A message of field [n]; one that comes again is a piece, to be joined with the others. *)
let spend_message c e (inner : table) n pos len blocks =
  if e.single && last_block n blocks != none then spend c (piece + (len / 8)) pos
  else spend c (e.each + inner.record) pos

let[@inline] seen e n blocks =
  if e.single && last_block n blocks == none then (n, ref 0) :: blocks else blocks

(* The position behind; [group] is the group that is to end, or 0. [blocks] are those packed fields of which
   blocks came, and the messages that came once. *)
let rec message c t pos limit ~group ~blocks ~strange depth =
  if pos >= limit then if group = 0 then pos else raise_notrace Malformed
  else
    let r = number c pos limit in
    let tag = Decode.value r and p = pos + Decode.width r in
    let n = tag lsr 3 and wire = tag land 7 in
    if wire = 4 then if n = group then p else raise_notrace Malformed
    else
      match find t n with
      | Some e when e.wire = wire -> known c t e n wire pos p limit ~group ~blocks depth
      | Some e when wire = 2 && e.block > 0 ->
          let r = number c p limit in
          let first = p + Decode.width r in
          let stop = first + Decode.value r in
          if stop > limit then raise_notrace Malformed;
          let count = block_count c e first stop in
          let last = last_block n blocks in
          let fresh = last == none in
          let blocks = if fresh then (n, ref 0) :: blocks else blocks in
          let last = last_block n blocks in
          (if e.form = Array then (
             let grown = if fresh then 0 else growing * (count + !last) in
             spend c (count + grown + if fresh then e.fixed else 0) pos;
             last := if fresh then count else 0)
           else
             let words = if e.wire = 0 then Number_lists.beside (stop - first) else 0 in
             spend c ((count * e.block) + c.beside + (!last * e.cells) + words) pos;
             last := count);
          message c t stop limit ~group ~blocks ~strange:false depth
      | _ ->
          let stop =
            try Decode.skip c.s tag p limit depth with Error.Error _ -> raise_notrace Malformed
          in
          (* Those in a row are one piece, copied at the end, and again into one. *)
          spend c ((if strange then 4 else 9) + ((stop - pos + 3) / 4)) pos;
          message c t stop limit ~group ~blocks ~strange:true depth

(* A run that goes on is longer; where another was before, that one is turned. *)
and run_element c e n pos blocks =
  let last = last_block n blocks in
  if last == none then (
    spend c (e.each + 4) pos;
    (n, ref 1) :: blocks)
  else if c.run_end = pos then (
    incr last;
    spend c e.each pos;
    blocks)
  else (
    spend c (e.each + 4 + (!last * e.cells)) pos;
    last := 1;
    blocks)

and known c t e n wire pos p limit ~group ~blocks depth =
  let blocks =
    if e.fixed > 0 && last_block n blocks == none then (
      spend c e.fixed pos;
      (n, ref 0) :: blocks)
    else blocks
  in
  match wire with
  | 0 when e.run ->
      let r = number c p limit in
      let blocks = run_element c e n pos blocks in
      c.run_end <- p + Decode.width r;
      message c t c.run_end limit ~group ~blocks ~strange:false depth
  | 0 ->
      let r = number c p limit in
      let words =
        match e.known with
        | Some known when not (Hashtbl.mem known (Decode.int32 r)) -> aside
        | _ -> if Decode.width r = 1 then e.each - e.saved else e.each
      in
      spend c words pos;
      message c t (p + Decode.width r) limit ~group ~blocks ~strange:false depth
  | 1 | 5 ->
      let stop = p + if wire = 1 then 8 else 4 in
      if stop > limit then raise_notrace Malformed;
      spend c e.each pos;
      message c t stop limit ~group ~blocks ~strange:false depth
  | 2 -> (
      let r = number c p limit in
      let first = p + Decode.width r in
      let stop = first + Decode.value r in
      if stop > limit then raise_notrace Malformed;
      match e.inner with
      | None ->
          let bytes = stop - first in
          let text = if bytes = 0 then 0 else if e.form = Slice then slice else (bytes / 8) + 2 in
          spend c (e.each + text) pos;
          message c t stop limit ~group ~blocks ~strange:false depth
      | Some inner ->
          spend_message c e inner n pos (stop - first) blocks;
          if depth <= 0 then raise_notrace Malformed;
          ignore (message c inner first stop ~group:0 ~blocks:[] ~strange:false (depth - 1));
          let blocks = seen e n blocks in
          message c t stop limit ~group ~blocks ~strange:false depth)
  | _ -> (
      match e.inner with
      | None -> raise_notrace Malformed
      | Some inner ->
          spend_message c e inner n pos 0 blocks;
          if depth <= 0 then raise_notrace Malformed;
          let stop = message c inner p limit ~group:n ~blocks:[] ~strange:false (depth - 1) in
          let blocks = seen e n blocks in
          message c t stop limit ~group ~blocks ~strange:false depth)

(* What is left of [memory]. *)
let count t s pos limit memory =
  let c = { s; left = memory - t.record; beside = 0; run_end = -1 } in
  (try ignore (message c t pos limit ~group:0 ~blocks:[] ~strange:false Decode.max_depth)
   with Malformed -> ());
  c.left

(* The dearest message, and the dearest byte of packed numbers. *)
let dearest root =
  let fold (message, byte) (t : table) =
    Array.fold_left
      (fun (message, byte) -> function
        | None -> (message, byte)
        | Some e ->
            let inner = match e.inner with Some t -> t.record + t.arrays + e.each | None -> 0 in
            let aside = if e.known = None then 0 else aside in
            let packed =
              if e.block = 0 then 0
              else if e.form = Array then array_byte
              else e.block + e.cells + aside + 1
            in
            (Int.max message inner, Int.max byte packed))
      (message, byte) t.entries
  in
  List.fold_left fold (0, 0) (reachable root)

let is_map_entry = function Some { inner = Some { record = 0; _ }; _ } -> true | _ -> false

(* A message takes two bytes at least. *)
let measured (m : Descriptor.message) =
  let t = table m in
  if t.safe = 0 then begin
    let message, byte = dearest t in
    t.message <- message;
    t.byte <- byte;
    if List.exists (fun t -> Array.exists is_map_entry t.entries) (reachable t) then t.again <- 3;
    t.safe <- allowance / Int.max 10 (Int.max byte ((message + 1) / 2))
  end;
  t

(* Derived types' readers have no budget. *)
let is_derived (m : Descriptor.message) =
  List.exists
    (fun (f : Descriptor.field) -> match f.form with Boxed _ -> true | _ -> false)
    m.fields

let count_all t s pos limit memory () = ignore (count t s pos limit memory)

(* Only messages and blocks are charged: each other byte that is left may take two words. Where a
   message ends its lists are turned, and what was allocated for them is so again; maps' entries are
   looked up. Charges are too high. What the domain has allocated since is too, where threads take
   turns: only a count of the bytes refuses. *)
let beside pos limit = 2 * (limit - pos)

let recount t s pos limit memory =
  let before = Gc.minor_words () in
  fun words at ->
    let taken = words + (t.again * int_of_float (Gc.minor_words () -. before)) in
    let left = memory - taken - beside (Int.max pos (Int.min at limit)) limit in
    if left > allowance / 8 then left
    else begin
      ignore (count t s pos limit memory);
      max_int
    end

(* Where even bytes that are not charged may take too much, it is counted before. *)
let watched t memory s pos limit depth f =
  let left = memory - beside pos limit in
  if left < 0 then (
    count_all t s pos limit memory ();
    f depth)
  else
    Budget.with_ ~left ~message:t.message ~byte:t.byte ~recount:(recount t s pos limit memory)
      ~depth ~none:(count_all t s pos limit memory) f

let[@inline never] read ?memory (m : Descriptor.message) s pos limit depth f =
  match (m.unfolding, memory) with
  | Descriptor.Unbounded, _ -> f depth
  | _, Some words ->
      if words = max_int then f depth
      else if is_derived m then (
        count_all (measured m) s pos limit words ();
        f depth)
      else watched (measured m) words s pos limit depth f
  | _, None ->
      let t = measured m in
      if limit - pos <= t.safe then f depth
      else if is_derived m then (
        count_all t s pos limit (default_memory (limit - pos)) ();
        f depth)
      else watched t (default_memory (limit - pos)) s pos limit depth f

(* Of a thousand fields an empty message takes two bytes. *)
let short = 200

let count (m : Descriptor.message) s pos limit ~memory ~at =
  match m.unfolding with
  | Descriptor.Unbounded -> memory
  | _ -> (
      try count (table m) s pos limit memory
      with Error.Error e -> raise (Error.Error { e with position = at }))
