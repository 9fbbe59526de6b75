type fifth = {
  first : string option; [@key 1]
  second : string option; [@key 2]
  third : string option; [@key 3]
  fourth : string option; [@key 4]
}
[@@deriving protobuf]

type payload = {
  first : bool; [@key 1]
  second : bool; [@key 2]
  third : float; [@key 3]
  fourth : int; [@key 4]
  fifth : fifth list; [@key 5]
  sixth : int list; [@key 6]
}
[@@deriving protobuf]

let value =
  let fifth (a, b, c, d) = { first = Some a; second = Some b; third = Some c; fourth = Some d } in
  {
    first = Sample.first;
    second = Sample.second;
    third = Sample.third;
    fourth = Sample.fourth;
    fifth = List.map fifth Sample.fifth;
    sixth = Sample.sixth;
  }

let subjects =
  [
    Subject.make "deriving-protobuf" ~value ~write:payload_to_protobuf
      ~read:(fun s ->
        Subject.ok "deriving-protobuf" Weir_protobuf.Error.pp (payload_from_protobuf s))
      ~length:String.length;
  ]
