(** Reading the wire format, for generated code.

    Positions are plain integers that the caller keeps in its locals: a function takes the string, a
    position and the [limit] before which it must stay, and what it read comes back together with
    its width in one integer ({!varint}), so that nothing is allocated on the way. All failures
    raise {!Error.Error}. Encoding of the Protocol Buffers documentation, "Encoding". *)

type read = private int
(** A value of at most 56 bits and the number of bytes it took, in one integer. *)

val varint : string -> int -> int -> read
(** [varint s pos limit] reads a base-128 number of at most ten bytes. Bits above 56 are kept only
    as "not zero", in bit 56. *)

val tag : string -> int -> int -> read
(** [tag s pos limit] is {!varint} where [pos < limit] is known. *)

val value : read -> int
(** [value r] is the number, never negative. *)

val width : read -> int
(** [width r] is how many bytes it took. *)

val int32 : read -> int
(** [int32 r] is the low 32 bits, signed. *)

val uint32 : read -> int
(** [uint32 r] is the low 32 bits, unsigned. *)

val sint32 : read -> int
(** [sint32 r] is the low 32 bits, with zigzag undone. *)

val bool : read -> bool
(** [bool r] is whether any bit is set. *)

val length : string -> int -> int -> read
(** [length s pos limit] is a {!varint} that, counted from behind itself, stays within [limit]. *)

(** {1 The steps of a generated reader}

    Its loop reads a byte for the tag and a byte for the number behind it in place, and calls
    {!long} or {!number} where one of them goes on. The number is a varint's value, or the length of
    a string, a message or packed values. *)

val byte : string -> int -> int
(** [byte s pos] is not checked; [pos] may be the string's length. *)

val long : string -> int -> int -> read
(** [long s pos limit] is {!varint} of a number longer than one byte. It is not expanded in place.
*)

val next : string -> int -> int -> int
(** [next s pos last] is the byte at [pos] and, above it, the one behind; it is 0, which is no tag,
    unless [pos < last], the position of the last byte. *)

val number : string -> int -> int -> int -> read
(** [number s pos limit tag] is {!long} if [tag] announces a number or a length, else one byte of no
    meaning; it fails with {!no_value} unless [from < limit]. *)

val behind : int -> read -> int
(** [behind pos r] is [pos + width r]. *)

val no_value : int -> int -> exn
(** [no_value tag pos] is what is wrong where a message ends at [pos], behind a tag. *)

val signed : int -> int
(** [signed v] is the low 32 bits of a varint, signed. *)

val unsigned : int -> int
(** [unsigned v] is the low 32 bits. *)

val zigzag : int -> int
(** [zigzag v] is the low 32 bits, with zigzag undone. *)

val wide : int -> string -> int -> int -> int64
(** [wide v s from p] is the number of value [v] that stands between the positions, in 64 bits. *)

val wide_zigzag : int -> string -> int -> int -> int64
(** [wide_zigzag] is {!wide} with zigzag undone. *)

val string : string -> int -> int -> int -> string
(** [string s from len limit] is {!text}, checked to end within [limit]. *)

val raw : string -> int -> int -> int -> string
(** [raw s from len limit] is {!bytes}, checked likewise. *)

val some_string : string -> int -> int -> int -> string option
val some_raw : string -> int -> int -> int -> string option

val add_string : string -> int -> int -> int -> string list -> string list
(** [add_string s from len limit l] is {!string} before [l]. *)

val add_raw : string -> int -> int -> int -> string list -> string list

val slice : string -> int -> int -> int -> Slice.t
(** [slice s from len limit] is those bytes, checked likewise, and not copied. *)

val slice_text : string -> int -> int -> int -> Slice.t
(** [slice_text] is {!slice} of what must be UTF-8. *)

val stop : string -> int -> int -> int -> int
(** [stop s from len limit] is [from + len], checked likewise. *)

val block : string -> int -> int -> int -> int -> int
(** [block s from len limit depth] is {!stop} of packed numbers, which are charged to [depth]'s
    {!Budget}. *)

val enter : string -> int -> int -> int -> int -> int
(** [enter s from len limit depth] is {!stop} of a message that may be read at [depth - 1], and is
    charged to [depth]'s {!Budget}; it fails if [depth] has no levels. *)

val inside : string -> int -> int -> int -> int -> int
(** [inside] is {!enter}, expanded in place. *)

(** {1 Other numbers, strings} *)

val varint_width : string -> int -> int -> int
(** [varint_width s pos limit] is how many bytes the number at [pos] takes, 1 to 10. *)

val int64 : string -> int -> int -> int64
(** [int64 s pos width] is the number at [pos], [width] as {!varint_width} gave it. *)

val sint64 : string -> int -> int -> int64
(** [sint64] is {!int64} with zigzag undone. *)

val number_start : string -> int -> int -> int
(** [number_start s first p] is where the number that goes on until [p] begins, not before [first].
*)

val is_small : int -> bool
(** [is_small v] is whether 64-bit [v] takes no memory: it is boxed once for all. *)

val boxed : int -> int64

val need : int -> int -> int -> unit
(** [need n pos limit] fails unless [n] bytes are left. The [fixed] readers below check nothing. *)

val fixed32 : string -> int -> int
val sfixed32 : string -> int -> int
val fixed64 : string -> int -> int64
val float : string -> int -> float
val double : string -> int -> float

val text : string -> int -> int -> string
(** [text s from len] is a copy of these bytes, checked to be UTF-8. The empty string is shared. *)

val bytes : string -> int -> int -> string
(** [bytes s from len] is a copy of these bytes. *)

val max_depth : int
(** Messages may nest this deep, 100, unless told otherwise. *)

val deeper : int -> int -> int
(** [deeper depth pos] is [depth - 1]; it fails at 0. *)

val too_deep : int -> exn

val largest_free : int
(** Bytes that may be gone over once more at each level. *)

val joining : int
(** The levels of depth that doing so with more counts as, so that a limit on depth is one on work:
    a message's pieces are copied to be merged, and an Any whose type stands last is read twice. *)

(** {1 Unknown fields} *)

val skip : string -> int -> int -> int -> int -> int
(** [skip s tag pos limit depth] is the position behind the field whose tag, just read, ends at
    [pos]. It fails on field number 0, an unknown wire type, a stray or unmatched end of group. *)

val group_end : string -> int -> int -> int -> int -> int
(** [group_end s number pos limit depth] is the position of the end tag of group [number], whose
    contents begin at [pos]. *)

val after_tag : string -> int -> int -> int
(** [after_tag s pos limit] is the position behind the tag at [pos]. *)

type kept
(** Fields met and not known, to be written back. *)

val nothing : kept

val keep : kept -> int -> int -> kept
(** [keep k start stop] adds the bytes of one field. *)

val unknown : kept -> string -> int -> int -> int -> int -> int -> kept
(** [unknown k s tag start from limit depth] keeps the field that begins at [start] and whose tag
    ends at [from]: {!skip} and {!keep}. *)

val until : kept -> int
(** [until k] is where the field ends that {!unknown} kept last. *)

val keep_varint : kept -> int -> int -> kept
(** [keep_varint k number v] adds field [number] with value [v]: an enum's value that a packed field
    carried and the enum does not have. *)

val kept : string -> string -> kept -> string
(** [kept before s k] is [before] and all that was kept of [s], in order. *)

(** {1 Messages given more than once}

    A message field that comes again is merged into the one before. Reading each into what came
    before would copy all lists each time; so what comes after the first is noted, and read at once
    at the end of the message around it. *)

val none : kept -> bool

val again : kept -> string -> int -> int -> int -> kept
(** [again k s from stop depth] adds the contents of such a message. It fails unless they are whole
    fields. *)

val merged : ('m -> string -> int -> int -> int -> 'm) -> 'm -> string -> kept -> int -> 'm
(** [merged read m s k depth] is [m] with all of [k] read into it, at [depth - 1]; errors have their
    positions in [s]. *)

val merged_option :
  ('m -> string -> int -> int -> int -> 'm) -> 'm option -> string -> kept -> int -> 'm option
(** [merged_option] is {!merged} of a message that is there if [k] is not {!none}. *)

(** {1 Ends} *)

val in_order : 'a list -> 'a list -> 'a list
(** [in_order before newest_first] is both, oldest first. *)

val joined : 'a list -> 'a list -> 'a list -> 'a list
(** [joined before newest_first block] is [in_order before newest_first @ block]. *)

val last_wins : ('k * 'v) list -> ('k * 'v) list -> ('k * 'v) list
(** [last_wins before newest_first] is {!in_order} where of equal keys only the last entry stays. *)

val missing : int -> string list -> int -> 'a
(** [missing pos names seen] fails for the first of [names] whose bit in [seen] is not set. *)
