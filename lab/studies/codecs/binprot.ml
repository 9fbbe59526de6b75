open Bin_prot.Std

type fifth = {
  first : string option;
  second : string option;
  third : string option;
  fourth : string option;
}
[@@deriving bin_io]

type payload = {
  first : bool;
  second : bool;
  third : float;
  fourth : int;
  fifth : fifth list;
  sixth : int list;
}
[@@deriving bin_io]

let value =
  {
    first = Example.first;
    second = Example.second;
    third = Example.third;
    fourth = Example.fourth;
    fifth =
      List.map
        (fun (a, b, c, d) -> { first = Some a; second = Some b; third = Some c; fourth = Some d })
        Example.fifth;
    sixth = Example.sixth;
  }

let write_fresh v =
  let buf = Bin_prot.Common.create_buf (bin_size_payload v) in
  ignore (bin_write_payload buf ~pos:0 v : int);
  buf

let read buf = bin_read_payload buf ~pos_ref:(ref 0)
let fresh = Subject.make "binprot" ~value ~write:write_fresh ~read ~length:Bigarray.Array1.dim

(* The size is computed nevertheless: a program must check that the message fits. *)
let kept = Bin_prot.Common.create_buf 4096

let write_reused v =
  if bin_size_payload v > Bigarray.Array1.dim kept then invalid_arg "binprot: too long";
  bin_write_payload kept ~pos:0 v

let reused =
  Subject.make "binprot-reused" ~value ~write:write_reused ~read:(fun _ -> read kept) ~length:Fun.id
  |> Subject.only [ "write"; "rw" ]

let subjects = [ fresh; reused ]
