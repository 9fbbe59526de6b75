(* Bytes written as hexadecimal digits with blanks. *)

let bytes s =
  let digits = String.concat "" (String.split_on_char ' ' s) in
  Bytes.init
    (String.length digits / 2)
    (fun i -> Char.chr (int_of_string ("0x" ^ String.sub digits (2 * i) 2)))

let error = Alcotest.testable Weir_wire.Error.pp ( = )

(* [fails name decode hex error]: [decode] says [error] of these bytes. *)
let fails name decode hex want =
  let b = bytes hex in
  match decode b ~off:0 ~len:(Bytes.length b) with
  | Ok _ -> Alcotest.failf "%s: decoded" name
  | Error e -> Alcotest.check error name want e

let ok name = function Ok x -> x | Error e -> Alcotest.failf "%s: %a" name Weir_wire.Error.pp e
