(* The codecs study's payload, and bin_prot's functions for it. *)

open Bin_prot.Std

module Plain = struct
  type words = { a : string option; b : string option; c : string option; d : string option }
  [@@deriving bin_io]

  type payload = {
    first : bool;
    second : bool;
    third : float;
    fourth : int;
    fifth : words list;
    sixth : int list;
  }
  [@@deriving bin_io]
end

let rows =
  [
    (String.make 1000 'A', "deuxieme", "", "");
    ("", "", String.make 500 'B', "quatrieme");
    ("premier", "deuxieme", "", "");
    ("", "", "troisieme", "quatrieme");
  ]

let sixth = [ 1234; 2345; 3456; 4567; 5678; 6789; 7890 ]

let plain =
  {
    Plain.first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567;
    fifth =
      List.map (fun (a, b, c, d) -> { Plain.a = Some a; b = Some b; c = Some c; d = Some d }) rows;
    sixth;
  }

let bin_write v =
  let size = Plain.bin_size_payload v in
  let buf = Bin_prot.Common.create_buf size in
  ignore (Plain.bin_write_payload buf ~pos:0 v);
  buf

let bin = bin_write plain
let bin_read () = Plain.bin_read_payload bin ~pos_ref:(ref 0)
