(* The type of the study. *)
module Study = struct
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
      first = Example.first;
      second = Example.second;
      third = Example.third;
      fourth = Example.fourth;
      fifth = List.map fifth Example.fifth;
      sixth = Example.sixth;
    }
end

(* The encoding of the generator: defaults are not written, and numbers are packed. *)
module Proto3 = struct
  type fifth = {
    first : string; [@key 1] [@default ""]
    second : string; [@key 2] [@default ""]
    third : string; [@key 3] [@default ""]
    fourth : string; [@key 4] [@default ""]
  }
  [@@deriving protobuf]

  type payload = {
    first : bool; [@key 1] [@default false]
    second : bool; [@key 2] [@default false]
    third : float; [@key 3] [@default 0.]
    fourth : int; [@key 4] [@default 0]
    fifth : fifth list; [@key 5]
    sixth : int list; [@key 6] [@packed]
  }
  [@@deriving protobuf]

  let value =
    {
      first = Example.first;
      second = Example.second;
      third = Example.third;
      fourth = Example.fourth;
      fifth =
        List.map
          (fun (first, second, third, fourth) -> { first; second; third; fourth })
          Example.fifth;
      sixth = Example.sixth;
    }
end

let subject name ~value ~write ~read =
  Subject.make name ~value ~write
    ~read:(fun s -> Subject.ok name Weir_protobuf.Error.pp (read s))
    ~length:String.length

let proto3 =
  let open Proto3 in
  let name = "deriving-protobuf-proto3" in
  let t = subject name ~value ~write:payload_to_protobuf ~read:payload_from_protobuf in
  let check () =
    t.check ();
    if payload_to_protobuf value <> Protobuf.bytes then
      Subject.wrong name "its bytes are not those of the generator's code"
  in
  { t with check }

let subjects =
  [
    (let open Study in
     subject "deriving-protobuf" ~value ~write:payload_to_protobuf ~read:payload_from_protobuf);
    proto3;
  ]
