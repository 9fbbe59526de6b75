open Ppxlib

(* js_of_ocaml keeps the low 32 bits of an integer literal, and all of a float's. *)
let large n = n > 0x7fff_ffff || n < -0x8000_0000
let exact n = Float.to_int (Float.of_int n) = n

let number ~loc n =
  if exact n then
    let literal = Printf.sprintf "%d." n in
    [%expr Int53.of_literal [%e Ast_builder.Default.efloat ~loc literal]]
  else Location.raise_errorf ~loc "an integer of more than 53 bits has no number in JavaScript"

let literals =
  object
    inherit Ast_traverse.map as super

    method! expression e =
      let loc = e.pexp_loc in
      match e.pexp_desc with
      | Pexp_constant (Pconst_integer (text, None)) when large (int_of_string text) ->
          number ~loc (int_of_string text)
      | _ -> super#expression e

    method! pattern p =
      match p.ppat_desc with
      | Ppat_constant (Pconst_integer (text, None)) when large (int_of_string text) ->
          Location.raise_errorf ~loc:p.ppat_loc
            "a pattern cannot be an integer of more than 31 bits"
      | _ -> super#pattern p
  end

let impl items =
  let loc =
    match items with [] -> Location.none | item :: _ -> { item.pstr_loc with loc_ghost = true }
  in
  [%stri open! Int53] :: literals#structure items

let () = Driver.register_transformation "int53" ~impl
