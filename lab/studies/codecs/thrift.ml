open Weir_thrift
open Payload_thrift

let value : Payload.t =
  let fifth (a, b, c, d) : Fifth.t =
    let absent = Example.absent in
    { first = absent a; second = absent b; third = absent c; fourth = absent d }
  in
  {
    first = Example.first;
    second = Example.second;
    third = Example.third;
    fourth = Example.fourth;
    fifth = List.map fifth Example.fifth;
    sixth = Example.sixth;
  }

let fresh name protocol =
  Subject.make name ~value ~write:(Payload.encode protocol)
    ~read:(fun s -> Subject.ok name Error.pp (Payload.decode protocol s))
    ~length:String.length

let reused name protocol =
  let kept = Writer.create ~size:4096 protocol in
  Subject.make name ~value
    ~write:(fun v ->
      Writer.reset kept;
      Payload.write kept v;
      kept)
    ~read:(fun w -> Payload.read (Reader.of_string protocol (Writer.to_string w)))
    ~length:Writer.length
  |> Subject.only [ "write"; "rw" ]

let subjects =
  [
    fresh "thrift-compact" Compact;
    reused "thrift-compact-reused" Compact;
    fresh "thrift-binary" Binary;
  ]
