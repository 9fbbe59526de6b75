(** Fields and constructors, and the messages that stand in place within types: tuples, polymorphic
    variants, constructors' arguments. *)

open Ppxlib
open Value_types

val field :
  context ->
  name:string ->
  label:string ->
  key:int option ->
  count:Model.count ->
  attributes ->
  core_type ->
  Model.field
(** [field c ~name ~label ~key ~count a t] is a field of type [t]; [key] stands where [a] has none.
*)

val tuple : context -> core_type list -> Model.field list
(** Keyed from 1. *)

val distinct : Model.field list -> Model.field list
(** [distinct l] is [l] by key; it fails where two have one key, and makes names differ. *)

val place : context -> core_type -> Model.message
(** [place c t] is the message that [type argument = t] would be. *)

val inner : context -> string -> context
(** [inner c label] is for a message in place at [label]. *)

val case_key : attributes -> location -> string -> int
(** [case_key a loc constructor] is the key that a constructor must have. *)

val one_payload : context -> int -> string -> core_type -> Model.content
(** [one_payload c key constructor t] is a single argument of type [t]. *)

val payload : context -> Model.case -> core_type -> core_type list -> Model.case
(** [payload c case self arguments] is [case] of several arguments; [self] is the variant's type. *)

val finish_payload : context -> context -> Model.case -> core_type -> Model.field list -> Model.case
(** [finish_payload c within case self fields] is [case] of these fields, a message [within]. *)

val cases :
  context ->
  poly:bool ->
  core_type ->
  (string * core_type option * attributes * location) list ->
  Model.case list
(** [cases c ~poly self rows] are a polymorphic variant's. *)

val distinct_cases : Model.case list -> Model.case list

val plain_rows :
  core_type ->
  row_field list ->
  closed_flag ->
  (string * core_type option * attributes * location) list
(** [plain_rows t rows closed] are the constructors of [t]; it fails where these are not all. *)

val rows_are_enum : row_field list -> bool
