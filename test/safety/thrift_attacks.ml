(* Readers of any bytes in wrong ranges; writers and readers that two domains share. *)

open Weir_thrift
open Attack

let protocol random = if Random.State.bool random then Kind.Binary else Kind.Compact

let read random r =
  match int random 13 with
  | 0 -> ignore (Reader.bool r)
  | 1 -> ignore (Reader.i8 r)
  | 2 -> ignore (Reader.i16 r)
  | 3 -> ignore (Reader.i32 r)
  | 4 | 5 -> ignore (Reader.i64 r)
  | 6 -> ignore (Reader.double r)
  | 7 | 8 -> ignore (Reader.string r)
  | 9 -> ignore (Reader.uuid r)
  | 10 -> ignore (Reader.field r (nasty random))
  | 11 -> Reader.skip r (if int random 3 = 0 then nasty random else int random 14)
  | _ -> ignore (Reader.list r (int random 14) Reader.i64)

let write random w =
  match int random 11 with
  | 0 -> Writer.bool w true
  | 1 -> Writer.i8 w (nasty random)
  | 2 -> Writer.i16 w (nasty random)
  | 3 -> Writer.i32 w (nasty random)
  | 4 | 5 -> Writer.i64 w (Int64.of_int (nasty random))
  | 6 -> Writer.double w 1.
  | 7 | 8 -> Writer.string w (string random (length random))
  | 9 -> ignore (Writer.field w (nasty random) (nasty random) (1 + int random 12))
  | _ -> if int random 20 = 0 then Writer.reset w else Writer.uuid w (String.make 16 'u')

let readers random =
  let n = length random in
  let b = bytes random n in
  attempt (fun () ->
      let r =
        Reader.of_bytes ~depth:(near random 5) (protocol random) b ~off:(near random n)
          ~len:(near random n)
      in
      for _ = 1 to 20 do
        attempt (fun () -> read random r)
      done);
  attempt (fun () -> ignore (Frame.extent b ~off:(near random n) ~len:(near random n)))

let writers random =
  let w = Writer.create ~size:(Int.min 1_000 (near random 64)) (protocol random) in
  for _ = 1 to 40 do
    attempt (fun () -> write random w)
  done;
  ignore (Writer.to_string w)

let groups =
  [
    ( "thrift",
      [
        property "readers" readers;
        property "writers" writers;
        (let shared = Atomic.make (Writer.create ~size:16 Kind.Compact) in
         let play random =
           if int random 50 = 0 then Atomic.set shared (Writer.create ~size:16 (protocol random));
           for _ = 1 to 10 do
             attempt (fun () -> write random (Atomic.get shared))
           done
         in
         racing "two domains share a writer" ~change:play play);
        (let fresh () =
           let random = Random.State.make [| 1 |] in
           Reader.of_bytes Kind.Compact (bytes random 300) ~off:0 ~len:300
         in
         let shared = Atomic.make (fresh ()) in
         let play random =
           if int random 5 = 0 then Atomic.set shared (fresh ());
           for _ = 1 to 10 do
             attempt (fun () -> read random (Atomic.get shared))
           done
         in
         racing "two domains share a reader" ~change:play play);
      ] );
  ]
