open Weir_base
open Weir_scenarios

let p = Printf.sprintf

(* -- integers ------------------------------------------------------------- *)

let values =
  [ 0; 1; -1; 2; 7; -7; 255; 65_535; 0x7fff_ffff; -0x8000_0000; 0x8000_0000; 0xffff_ffff ]
  @ [ 0x1_0000_0000; -0x1_0000_0001; 0xffff_ffff_ffff; 3_600_000_000_000; -86_400_000_000_001 ]

let both =
  [
    ("+", ( + ));
    ("-", ( - ));
    ("land", ( land ));
    ("lor", ( lor ));
    ("lxor", ( lxor ));
    ("/", fun a b -> if b = 0 then 0 else a / b);
    ("mod", fun a b -> if b = 0 then 0 else a mod b);
    ("*", fun a b -> if Float.abs (Float.of_int a *. Float.of_int b) < 9e15 then a * b else 0);
    ("compare", Int.compare);
    ("min", Int.min);
    ( "full_int",
      fun a b -> if b <= 0 then 0 else Random.State.full_int (Random.State.make [| a |]) b );
  ]

let shifts =
  [ 0; 1; 8; 13; 31; 32; 33; 40; 47 ]
  |> List.concat_map (fun n ->
      [
        (p "asr %d" n, fun a -> a asr n);
        (p "lsr %d" n, fun a -> if a < 0 && n < 13 then 0 else a lsr n);
        (p "lsl %d" n, fun a -> if Int.abs a < 1 lsl (53 - n) then a lsl n else 0);
      ])

let alone =
  shifts
  @ [
      ("neg", fun a -> -a);
      ("lnot", lnot);
      ("abs", Int.abs);
      ("succ", succ);
      ("int32", fun a -> Int32.to_int (Int32.of_int a));
      ("int64", fun a -> Int64.to_int (Int64.neg (Int64.of_int a)));
      ("float", fun a -> Float.to_int (Float.of_int a /. 3.));
      ("string", fun a -> int_of_string (string_of_int a));
      ("sign", fun a -> ((a land 0xffff_ffff) lsl (Sys.int_size - 32)) asr (Sys.int_size - 32));
      ("scramble", fun a -> if a < 0 then 0 else Mix.scramble a);
    ]

let integers () =
  List.concat_map
    (fun (name, f) ->
      List.concat_map
        (fun a -> List.map (fun b -> p "%d %s %d = %d" a name b (f a b)) values)
        values)
    both
  @ List.concat_map (fun (name, f) -> List.map (fun a -> p "%s %d = %d" name a (f a)) values) alone
  @ List.map (fun a -> p "%x %9d %s" (Int.abs a) a (Fmt.str "%a" Time.pp a)) values

(* -- functions in C ------------------------------------------------------- *)

let twins () =
  let random = Random.State.make [| 1071 |] in
  List.init 400 (fun i ->
      let len = if i < 100 then i else Random.State.int random 3_000 in
      let b = Bytes.init (len + 9) (fun _ -> Char.chr (Random.State.int random 256)) in
      let off = i mod 8 in
      let dst = Bytes.make (len + 3) '.' in
      let sum = Checksum.sum b ~off ~len in
      let copied = Checksum.blit_sum b ~src_off:off dst ~dst_off:(i mod 3) ~len in
      p "%d bytes at %d: %04x %04x %s" len off sum copied (Digest.to_hex (Digest.bytes dst)))

(* -- worlds --------------------------------------------------------------- *)

let play (scenario : Scenario.t) seed =
  let result = ref "" in
  (try
     Weir_sim.run ~seed @@ fun world ->
     Fun.protect ~finally:(fun () ->
         result :=
           p "%d ns, %d frames, digest %013x" (Weir_sim.now world) (Weir_sim.frames world)
             (Weir_sim.digest world))
     @@ fun () -> scenario.play { impairment = None; loss = None; delay_ns = None } world
   with Weir_sim.Failed f -> result := Fmt.str "%a" Weir_sim.Failure.pp f);
  p "%s %d: %s" scenario.name seed !result

let worlds ~seeds =
  List.concat_map (fun s -> List.init seeds (fun i -> play s (i + 1))) Scenarios.all

(* -- speed ----------------------------------------------------------------- *)

let speed ~bytes =
  let began = Sys.time () in
  let frames =
    Weir_sim.run ~seed:1 @@ fun world ->
    let lan = Weir_sim.lan world ~latency:(`Ms 1) in
    let main h = Scenario.serve h ~port:9 (fun flow -> ignore (Eio.Flow.read_all flow : string)) in
    let server = Weir_sim.host world lan "10.0.0.1/24" ~main in
    let client = Weir_sim.host world lan "10.0.0.2/24" in
    Eio.Switch.run @@ fun sw ->
    let flow = Scenario.connect ~sw client server ~port:9 in
    let chunk = Cstruct.create 65_536 in
    for _ = 1 to bytes / 65_536 do
      Eio.Flow.write flow [ chunk ]
    done;
    Eio.Flow.shutdown flow `Send;
    ignore (Eio.Flow.read_all flow : string);
    Weir_sim.frames world
  in
  Float.of_int frames /. (Sys.time () -. began)
