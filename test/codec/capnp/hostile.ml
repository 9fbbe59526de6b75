(* Messages that are too deep or too large, cut off or mutated. *)

open Weir_capnp
module Suite = Weir_test.Suite
module Words = Weir_test.Words
open Samples

let limits () =
  (* A struct whose only pointer points back at it. *)
  let cycle =
    frame [ words [ 0x0003_0000_0000_0000L; 0x0003_0000_ffff_fff8L; 0x0003_0000_ffff_fff8L; 0L ] ]
  in
  (match K.Tree.decode cycle with Ok _ -> Alcotest.fail "a cycle" | Error _ -> ());
  let deep n =
    let rec grow (t : K.Tree.t) n = if n = 0 then t else grow { t with left = Some t } (n - 1) in
    K.Tree.encode (grow { K.Tree.default with value = Some (Number 1L) } n)
  in
  ignore (ok (K.Tree.decode (deep 60)));
  (match K.Tree.decode (deep 70) with
  | Ok _ -> Alcotest.fail "nested 71 deep"
  | Error e -> Alcotest.(check string) "why" "nested too deep" e.what);
  let m = Message.of_string ~traversal:20 (P.Payload.encode payload) in
  malformed "past the traversal limit" (fun () -> P.Payload.of_reader m (P.Payload.root m));
  (* Many pointers to one text: 4 words of list each, 1,000 bytes a pointer. *)
  let b = Builder.create () in
  let n = 1000 in
  let h = K.Kinds.init b in
  let l = K.Kinds.B.init_texts b h n in
  Builder.put_text b l 0 (String.make 1000 'x');
  let s = Bytes.of_string (Builder.to_string b) in
  let m = Message.of_string (Bytes.to_string s) in
  let texts = K.Kinds.R.texts m (K.Kinds.root m) in
  let first = (Blob.offset m (Items.text m texts 0) / 8) - n in
  let pointer i =
    Int64.logor
      (Int64.of_int (((n - 1 - i) lsl 2) lor 1))
      (Int64.shift_left (Int64.of_int ((1001 lsl 3) lor 2)) 32)
  in
  for i = 0 to n - 1 do
    Bytes.set_int64_le s (8 * (first + i)) (pointer i)
  done;
  match K.Kinds.decode (Bytes.to_string s) with
  | Ok _ -> Alcotest.fail "1 MB out of 9 KB"
  | Error e -> Alcotest.(check string) "why" "traversal limit reached" e.what

let truncated () =
  List.iter
    (fun (_, ty, bytes, decodes) ->
      for n = 0 to String.length bytes - 1 do
        malformed ty (fun () -> Message.of_string (String.sub bytes 0 n));
        (match Message.extent (Bytes.of_string bytes) ~off:0 ~len:n with
        | Need more -> if more <= n then Alcotest.failf "%s: %d bytes and no more" ty n
        | Whole _ -> Alcotest.failf "%s: whole after %d bytes" ty n);
        (* Short, but with a table that says so: pointers lead outside, or to less. *)
        if n land 7 = 0 && n > 8 then (
          let b = Bytes.of_string (String.sub bytes 0 n) in
          Bytes.set_int32_le b 4 (Int32.of_int ((n / 8) - 1));
          ignore (decodes (Bytes.to_string b)))
      done;
      let packed = Packed.pack bytes in
      for n = 0 to String.length packed - 1 do
        malformed ty (fun () ->
            Packed.message (Bytes.of_string (String.sub packed 0 n)) ~off:0 ~len:n)
      done;
      match Message.extent (Bytes.of_string bytes) ~off:0 ~len:(String.length bytes) with
      | Whole n -> Alcotest.(check int) "whole" (String.length bytes) n
      | Need _ -> Alcotest.fail "whole")
    values

let opened s =
  let m = Message.of_string s in
  K.Kinds.of_reader m (K.Kinds.root m)

(* Every way of reading is tried; none may raise but Message.Error, nor allocate past 16 times the
   input and 1 MB. *)
let fuzz () =
  let inputs = Array.of_list (List.map (fun (_, _, b, _) -> b) values) in
  let multi =
    let b = Builder.create ~segment_words:8 () in
    K.Kinds.write b kinds;
    Builder.to_string b
  in
  let inputs = Array.append inputs [| multi |] in
  let rng = Random.State.make [| Suite.iterations 7 |] in
  let attempt what f s =
    Words.check_small what ~bytes:(String.length s) @@ fun () ->
    match f s with
    | _ -> ()
    | exception Message.Error _ -> ()
    | exception e -> Alcotest.failf "%s: %s on %S" what (Printexc.to_string e) s
  in
  for _ = 1 to Suite.iterations 20_000 do
    let s = Bytes.of_string inputs.(Random.State.int rng (Array.length inputs)) in
    for _ = 0 to Random.State.int rng 6 do
      let i = Random.State.int rng (Bytes.length s) in
      match Random.State.int rng 4 with
      | 0 -> Bytes.set_uint8 s i (Random.State.int rng 256)
      | 1 -> Bytes.set_uint8 s i (Bytes.get_uint8 s i lxor (1 lsl Random.State.int rng 8))
      | 2 -> Bytes.set s i '\255'
      | _ ->
          Bytes.blit s
            (i land lnot 7)
            s
            (8 * Random.State.int rng (Bytes.length s / 8))
            (min 8 (Bytes.length s - (i land lnot 7)) land lnot 7)
    done;
    let s = Bytes.to_string s in
    let s =
      if Random.State.int rng 4 = 0 then String.sub s 0 (Random.State.int rng (String.length s))
      else s
    in
    let fail = function Ok _ -> () | Error e -> raise (Message.Error e) in
    attempt "kinds" (fun s -> fail (K.Kinds.decode s)) s;
    attempt "tree" (fun s -> fail (K.Tree.decode s)) s;
    attempt "shape" (fun s -> fail (K.Shape.decode s)) s;
    attempt "payload" (fun s -> ignore (Fields.visit (Message.of_string s))) s;
    attempt "canonical" (fun s -> ignore (Canonical.of_message (Message.of_string s))) s;
    attempt "kinds, as opened" (fun s -> ignore (opened s)) s;
    attempt "unpacked"
      (fun s -> ignore (Packed.message (Bytes.of_string s) ~off:0 ~len:(String.length s)))
      s
  done

let limits = [ Suite.case "traversal and depth" limits; Suite.case "every truncation" truncated ]
