(** Messages as generated code writes them down: a text for a file, from which descriptors are made,
    and where each field stands in its record.

    A message is its full name, a colon, its fields between commas, and a semicolon; behind the name
    may stand, each behind a space, [entry], [dropped], [set], [reserved=NAME] and [extensible=A-B].
    A field is

    {v NUMBER NAME KIND LABEL SLOT [array] [slice] [json=NAME] [oneof=NAME] v}

    - the kind: a scalar's name, [enum=I] for the file's [I]th enum, [message=NAME], [group=NAME];
    - the label: [implicit], [explicit], [required], [repeated] or [packed], and [optional] for a
      required one that is held as an option;
    - the slot: the place in the record, for a case of a oneof with a colon and its constructor's
      number; a map's entries have none that counts;
    - [array] behind a repeated number that is held as {!Arrays} has it, [slice] behind a string or
      bytes that is a {!Slice}, or a list of them.

    What is not a letter, a digit, a dot or an underscore stands as [%] and two hexadecimal digits.
*)

type held = Plain | Option | Case of int
type field = { field : Descriptor.field; slot : int; held : held }

type message = {
  descriptor : Descriptor.message;
  fields : field list;  (** by number, as the descriptor's *)
  keeps : bool;  (** whether unknown fields have a slot, the last; not if [dropped] *)
}

val read : imports:Registry.t list -> enums:Descriptor.enum list -> string -> message array
(** [read ~imports ~enums text] is the messages of [text], in order; they refer to each other and to
    those of [imports].
    @raise Invalid_argument if [text] is not of this form, or names what is not there. *)

val json_name : string -> string
(** [json_name name] is what a field is called in JSON unless its schema says otherwise. *)

val types :
  imports:Registry.t list -> extensions:Descriptor.extension list -> message array -> Registry.t
(** [types ~imports ~extensions messages] is what a file defines and imports; maps' entries have no
    name there. *)
