(* Auto-generated from "note.atd" *)
[@@@ocaml.warning "-27-32-33-35-39"]

type note = { title : string; pages : int list; author : string option }
