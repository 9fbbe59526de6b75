module Names = Map.Make (String)

module Keys = Map.Make (struct
  type t = string * int

  let compare (a, i) (b, j) = match Int.compare i j with 0 -> String.compare a b | c -> c
end)

type way = ..
type way += Unknown

type t = {
  messages : Descriptor.message Names.t;
  by_number : Descriptor.extension Keys.t;
  by_name : Descriptor.extension Names.t;
  defaults : string Keys.t;
  meant : Descriptor.message Names.t;
  ways : way ref Names.t;
}

let empty =
  {
    messages = Names.empty;
    by_number = Keys.empty;
    by_name = Names.empty;
    defaults = Keys.empty;
    meant = Names.empty;
    ways = Names.empty;
  }

let first _ a _ = Some a

let union a b =
  if a == empty then b
  else if b == empty || a == b then a
  else
    {
      messages = Names.union first a.messages b.messages;
      by_number = Keys.union first a.by_number b.by_number;
      by_name = Names.union first a.by_name b.by_name;
      defaults = Keys.union first a.defaults b.defaults;
      meant = Names.union first a.meant b.meant;
      ways = Names.union first a.ways b.ways;
    }

let add_extension t (e : Descriptor.extension) =
  {
    t with
    by_number = Keys.add (e.extendee, e.field.number) e t.by_number;
    by_name = Names.add e.extension_name e t.by_name;
  }

let make ~imports ~messages ~extensions =
  let t = List.fold_left union empty imports in
  let add names (m : Descriptor.message) = Names.add m.full_name m names in
  let way names (m : Descriptor.message) = Names.add m.full_name (ref Unknown) names in
  let t =
    {
      t with
      messages = List.fold_left add t.messages messages;
      ways = List.fold_left way t.ways messages;
    }
  in
  List.fold_left add_extension t extensions

let message t name = Names.find_opt name t.messages
let extension t ~extendee number = Keys.find_opt (extendee, number) t.by_number

let extension_by_name t ~extendee name =
  match Names.find_opt name t.by_name with
  | Some e when String.equal e.extendee extendee -> Some e
  | Some _ | None -> None

(* An extension that stands in the message of its own type. *)
let message_in_set t ~extendee name =
  let is (e : Descriptor.extension) =
    String.equal e.extendee extendee
    &&
    match e.field.kind with
    | Message m -> m.full_name = name && e.extension_name = name ^ "." ^ e.field.name
    | _ -> false
  in
  Names.to_seq t.by_name |> Seq.map snd |> Seq.find is

let default t ~message number = Keys.find_opt (message, number) t.defaults

let with_defaults t defaults =
  let add all (message, number, text) = Keys.add (message, number) text all in
  { t with defaults = List.fold_left add t.defaults defaults }

let with_meant t l =
  { t with meant = List.fold_left (fun all (name, m) -> Names.add name m all) t.meant l }

let resolve t (m : Descriptor.message) =
  if Descriptor.is_endless m then Option.value (Names.find_opt m.full_name t.meant) ~default:m
  else m

let way t name = match Names.find_opt name t.ways with Some r -> !r | None -> Unknown
let set_way t name w = match Names.find_opt name t.ways with Some r -> r := w | None -> ()
