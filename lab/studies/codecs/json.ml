module Derived = struct
  type fifth = {
    first : string option;
    second : string option;
    third : string option;
    fourth : string option;
  }
  [@@deriving yojson { strict = false }]

  type payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : fifth list;
    sixth : int list;
  }
  [@@deriving yojson { strict = false }]
end

let derived =
  let open Derived in
  let fifth (a, b, c, d) = { first = Some a; second = Some b; third = Some c; fourth = Some d } in
  Subject.make "deriving-yojson"
    ~value:
      {
        first = Example.first;
        second = Example.second;
        third = Example.third;
        fourth = Example.fourth;
        fifth = List.map fifth Example.fifth;
        sixth = Example.sixth;
      }
    ~write:(fun v -> Yojson.Safe.to_string (payload_to_yojson v))
    ~read:(fun s ->
      Subject.ok "deriving-yojson" Format.pp_print_string
        (payload_of_yojson (Yojson.Safe.from_string s)))
    ~length:String.length

let atd =
  let fifth (a, b, c, d) : Payload_t.fifth =
    let absent = Example.absent in
    { first = absent a; second = absent b; third = absent c; fourth = absent d }
  in
  let value : Payload_t.payload =
    {
      first = Example.first;
      second = Example.second;
      third = Example.third;
      fourth = Example.fourth;
      fifth = List.map fifth Example.fifth;
      sixth = Example.sixth;
    }
  in
  Subject.make "atd-yojson" ~value
    ~write:(fun v -> Payload_j.string_of_payload v)
    ~read:Payload_j.payload_of_string ~length:String.length

let tree =
  let fifth (a, b, c, d) =
    `Assoc
      [ ("first", `String a); ("second", `String b); ("third", `String c); ("fourth", `String d) ]
  in
  let value =
    `Assoc
      [
        ("first", `Bool Example.first);
        ("second", `Bool Example.second);
        ("third", `Float Example.third);
        ("fourth", `Int Example.fourth);
        ("fifth", `List (List.map fifth Example.fifth));
        ("sixth", `List (List.map (fun n -> `Int n) Example.sixth));
      ]
  in
  Subject.make "yojson-no-marshal" ~value
    ~write:(fun v -> Yojson.Basic.to_string v)
    ~read:(fun s -> Yojson.Basic.from_string s)
    ~length:String.length

let subjects = [ atd; derived; tree ]
