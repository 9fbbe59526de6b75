open Weir_capnp
open Payload_capnp

let value : Payload.t =
  {
    first = Example.first;
    second = Example.second;
    third = Example.third;
    fourth = Example.fourth;
    fifth =
      List.map
        (fun (first, second, third, fourth) : Fifth.t -> { first; second; third; fourth })
        Example.fifth;
    sixth = Example.sixth;
  }

let visit m =
  let module P = Payload.R in
  let module F = Fifth.R in
  let r = Payload.root m in
  let sum = ref (Bool.to_int (P.first m r) + Bool.to_int (P.second m r)) in
  sum := !sum + int_of_float (P.third m r) + P.fourth m r;
  let fifth = P.fifth m r in
  for i = 0 to Items.length fifth - 1 do
    let f = Items.struct_ m fifth i in
    sum :=
      !sum
      + Blob.length (F.first m f)
      + Blob.length (F.second m f)
      + Blob.length (F.third m f)
      + Blob.length (F.fourth m f)
  done;
  let sixth = P.sixth m r in
  for i = 0 to Items.length sixth - 1 do
    sum := !sum + Items.int32 m sixth i
  done;
  !sum

let visits wire =
  let opened = Message.of_string wire in
  let again () =
    Message.set_traversal opened Message.default_budget;
    visit opened
  in
  if again () <> Example.tally then Subject.wrong "capnp" "the visit saw something else";
  [
    ("visit", fun () -> Subject.keep (again ()));
    ("open-visit", fun () -> Subject.keep (visit (Message.of_string wire)));
  ]

let fresh =
  Subject.make "capnp" ~value ~write:Payload.encode
    ~read:(fun s -> Subject.ok "capnp" Message.pp_error (Payload.decode s))
    ~length:String.length ~tests:visits

let kept = Builder.create ~words:512 ()

let reused =
  Subject.make "capnp-reused" ~value
    ~write:(fun v ->
      Payload.write kept v;
      kept)
    ~read:(fun b ->
      let m = Builder.message b in
      Payload.of_reader m (Payload.root m))
    ~length:(fun b -> Builder.framed b (fun _ _ len -> len))
  |> Subject.only [ "write"; "rw" ]

let subjects = [ fresh; reused ]
