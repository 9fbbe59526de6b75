(* Values that are too deep or too long, cut off or mutated. *)

open Weir_thrift
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

let too_long () =
  let refused name f =
    match f () with _ -> Alcotest.failf "%s was written" name | exception Invalid_argument _ -> ()
  in
  (* Its pages are never touched. *)
  let s = Bytes.unsafe_to_string (Bytes.create 0x8000_0000) in
  List.iter
    (fun (_, p) ->
      let w = Writer.create p in
      refused "2 GiB" (fun () -> Writer.string w s);
      Alcotest.(check int) "nothing" 0 (Writer.length w))
    protocols;
  refused "a frame of 2 GiB" (fun () -> ignore (Frame.of_string s));
  Alcotest.(check int) "the longest" 0x7fff_ffff (Writer.size 0x7fff_ffff);
  refused "a length beyond" (fun () -> ignore (Writer.size 0x8000_0000))

let limits () =
  let rec nest n : K.Shape.t = if n = 0 then Nothing true else Inner (nest (n - 1)) in
  List.iter
    (fun (_, p) ->
      ignore (ok (K.Shape.decode p (K.Shape.encode p (nest 60))));
      let deep = K.Shape.encode p (nest 100_000) in
      refused "nested" (K.Shape.decode p deep);
      refused "nested and skipped" (K.Strict.decode p deep);
      refused "more" (K.Empty.decode p (K.Empty.encode p () ^ "\000")))
    protocols;
  (* A list that says it has 2^31 - 1 elements. *)
  refused "a long list" (K.Kinds.decode Compact "\x09\x3e\xf1\xff\xff\xff\xff\x07");
  refused "a long list" (K.Kinds.decode Binary "\x0f\x00\x1e\x02\x7f\xff\xff\xff");
  refused "a negative length" (K.Kinds.decode Binary "\x0b\x00\x07\xff\xff\xff\xff");
  refused "a long varint"
    (K.Kinds.decode Compact "\x46\xff\xff\xff\xff\xff\xff\xff\xff\xff\xff\x01\x00");
  match Frame.extent (Bytes.of_string "\x7f\xff\xff\xff") ~off:0 ~len:4 with
  | _ -> Alcotest.fail "a long frame"
  | exception Error.Error _ -> ()

let truncated () =
  List.iter
    (fun (_, p) ->
      List.iter
        (fun v ->
          let s = v.bytes p in
          for n = 0 to String.length s - 1 do
            if not (v.refuses p (String.sub s 0 n)) then Alcotest.failf "%s was accepted" v.ty
          done;
          let framed = Bytes.of_string (Frame.of_string s) in
          for n = 0 to Bytes.length framed - 1 do
            match Frame.extent framed ~off:0 ~len:n with
            | Need more -> if more <= n then Alcotest.fail "a frame that needs what it has"
            | Whole _ -> Alcotest.failf "a frame is whole after %d bytes" n
          done)
        values;
      (* A call that is cut off is answered with an exception, or is none. *)
      let call = ref "" in
      let client =
        Rpc.client p (fun s ->
            call := s;
            Option.get (serve p s))
      in
      ignore (K.Calculator.Client.shape client ~tree:(Some (tree 2)));
      for n = 0 to String.length !call - 1 do
        match serve p (String.sub !call 0 n) with
        | exception Error.Error _ -> ()
        | None -> Alcotest.fail "no answer"
        | Some reply ->
            let r = Reader.of_string p reply in
            Alcotest.(check bool) "an exception" true ((Message.read r p).kind = Exception)
      done)
    protocols

let fuzz () =
  let rng = Random.State.make [| 11 |] in
  for _ = 1 to Suite.iterations 50_000 do
    let _, p = List.nth protocols (Random.State.int rng 2) in
    let v = List.nth values (Random.State.int rng (List.length values)) in
    let s = Bytes.of_string (v.bytes p) in
    for _ = 0 to Random.State.int rng 5 do
      let i = Random.State.int rng (Bytes.length s) in
      match Random.State.int rng 3 with
      | 0 -> Bytes.set_uint8 s i (Random.State.int rng 256)
      | 1 -> Bytes.set_uint8 s i (Bytes.get_uint8 s i lxor (1 lsl Random.State.int rng 8))
      | _ -> Bytes.set s i '\255'
    done;
    let s = Bytes.to_string s in
    let attempt f =
      Words.check_small "a mutation" ~bytes:(String.length s) (fun () ->
          try f () with e -> Alcotest.failf "%s on %S" (Printexc.to_string e) s)
    in
    attempt (fun () -> ignore (K.Kinds.decode p s));
    attempt (fun () -> ignore (K.Tree.decode p s));
    attempt (fun () -> ignore (K.Shape.decode p s));
    attempt (fun () -> ignore (P.Payload.decode p s));
    attempt (fun () -> ignore (K.Empty.decode p s));
    attempt (fun () -> match serve p s with _ -> () | exception Error.Error _ -> ())
  done

let cases =
  [
    Suite.case "limits" limits;
    Suite.case "lengths beyond 32 bits" too_long;
    Suite.case "every truncation" truncated;
  ]
