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

let allowance = 125_000

let boxed : Descriptor.kind -> int = function
  | Int64 | Uint64 | Sint64 | Fixed64 | Sfixed64 -> 3
  | Double | Float -> 2
  | _ -> 0

(* A list is built the wrong way round, then turned. *)
let cell = 6

(* An array is made for its first block; grows by doubling, at most to twice what it holds; and is cut
   to its size at the end. *)
let growing = 4

let array_fixed (f : Descriptor.field) =
  if not (Descriptor.is_array f) then 0
  else match f.kind with Int32 | Uint32 | Sint32 | Bool -> 8 | _ -> 12

(* An array that is a slice has a new one each time it grows. *)
let array_each (f : Descriptor.field) = if array_fixed f > 8 then growing + 2 else growing + 1

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
  let array = Descriptor.is_array f in
  let box = boxed f.kind + match f.kind with Enum e -> enum_box e | _ -> 0 in
  let around =
    if Descriptor.is_map f then map_entry
    else
      match f.label with
      | (Repeated | Packed) when array -> array_each f
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
    block = (if not packable then 0 else if array then 1 else 3 + enum + box);
    cells = (if array then growing else cell);
    known;
    inner;
    single = inner <> None && not (Descriptor.is_repeated f);
    form = (if array then Array else f.form);
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
      let arrays = List.filter Descriptor.is_array m.fields in
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
