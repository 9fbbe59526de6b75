type kind = Value of Descriptor.kind | Message of string | Delimited of string

type field = {
  number : int;
  name : string;
  json_name : string;
  kind : kind;
  label : Descriptor.label;
  oneof : string;
}

type message = {
  full_name : string;
  fields : field list;
  map_entry : bool;
  message_set : bool;
  reserved : string list;
  extensible : (int * int) list;
}

let without_fields (m : message) : Descriptor.message =
  {
    full_name = m.full_name;
    fields = [];
    map_entry = m.map_entry;
    message_set = m.message_set;
    reserved = m.reserved;
    extensible = m.extensible;
  }

let link ~imports messages =
  let linked = Array.of_list (List.map without_fields messages) in
  let own = Hashtbl.create (Array.length linked) in
  Array.iter (fun (d : Descriptor.message) -> Hashtbl.replace own d.full_name d) linked;
  let message name =
    match Hashtbl.find_opt own name with
    | Some d -> d
    | None -> (
        match List.find_map (fun types -> Registry.message types name) imports with
        | Some d -> d
        | None -> invalid_arg ("Weir_protobuf.Layout.link: no message " ^ name))
  in
  let kind : kind -> Descriptor.kind = function
    | Value k -> k
    | Message name -> Message (message name)
    | Delimited name -> Delimited (message name)
  in
  let field (f : field) : Descriptor.field =
    {
      number = f.number;
      name = f.name;
      json_name = f.json_name;
      kind = kind f.kind;
      label = f.label;
      oneof = f.oneof;
    }
  in
  List.iteri (fun i (m : message) -> linked.(i).fields <- List.map field m.fields) messages;
  linked

let types ~imports ~extensions descriptors =
  let named = List.filter (fun (d : Descriptor.message) -> not d.map_entry) in
  Registry.make ~imports ~messages:(named (Array.to_list descriptors)) ~extensions
