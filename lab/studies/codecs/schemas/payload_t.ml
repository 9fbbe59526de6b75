(* Auto-generated from "payload.atd" *)
[@@@ocaml.warning "-27-32-33-35-39"]

type fifth = {
  first: string option;
  second: string option;
  third: string option;
  fourth: string option
}

type payload = {
  first: bool;
  second: bool;
  third: float;
  fourth: int;
  fifth: fifth list;
  sixth: int list
}
