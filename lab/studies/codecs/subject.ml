open Weir_lab_harness

type t = {
  name : string;
  bytes : int;
  tests : (string * (unit -> unit)) list;
  check : unit -> unit;
}

let keep = Measure.keep
let wrong name what = failwith (Printf.sprintf "codecs: %s: %s" name what)

let make ?(tests = fun _ -> []) name ~value ~write ~read ~length =
  let wire = write value in
  {
    name;
    bytes = length wire;
    tests =
      [
        ("read", fun () -> keep (read wire));
        ("write", fun () -> keep (write value));
        ("rw", fun () -> keep (read (write value)));
      ]
      @ tests wire;
    check =
      (fun () ->
        if read wire <> value then wrong name "what was read is not what was written";
        if length (write (read wire)) <> length wire then
          wrong name "what was read is written otherwise");
  }

let only tests t = { t with tests = List.filter (fun (test, _) -> List.mem test tests) t.tests }
let ok name pp = function Ok v -> v | Error e -> wrong name (Format.asprintf "%a" pp e)
