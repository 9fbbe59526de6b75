open Weir_test
open Weir_flow

let str = Alcotest.(check string)
let int = Alcotest.(check int)
let text n = String.init n (fun i -> Char.chr (i * 7 mod 256))

let null () =
  let b = Bytes.create 4 in
  int "end" 0 (Flow.read_into Null.flow b ~off:0 ~len:4);
  int "view" 0 (Flow.read Null.flow).len;
  Flow.write_string Null.flow "gone";
  Flow.writev Null.flow [ Slice.of_string "gone" ];
  int "copy" 0 (Flow.copy Null.flow Null.flow)

(* An implementation with the two methods that must be there, and no more. *)
let bare chunks =
  object
    inherit Flow.flow
    val mutable left = chunks
    val out = Buffer.create 16
    method contents = Buffer.contents out

    method read_into b ~off ~len =
      match left with
      | [] -> 0
      | s :: rest ->
          let n = min len (String.length s) in
          Bytes.blit_string s 0 b off n;
          left <-
            (if n = String.length s then rest else String.sub s n (String.length s - n) :: rest);
          n

    method write b ~off ~len = Buffer.add_subbytes out b off len
  end

let defaults () =
  let f = bare [ "ab"; "cde" ] in
  let v = Flow.read f in
  str "default read" "ab" (Slice.to_string v);
  int "its buffer" 4096 (Bytes.length v.bytes);
  Flow.writev f [ Slice.of_string "x"; Slice.make (Bytes.of_string "-yz-") ~off:1 ~len:2 ];
  str "default writev" "xyz" f#contents;
  int "the rest" 3 (Flow.copy f f);
  str "copied" "xyzcde" f#contents

let read_exactly () =
  let f = bare [ "ab"; "cde" ] in
  let b = Bytes.make 6 '.' in
  Flow.read_exactly f b ~off:1 ~len:4;
  str "over chunks" ".abcd." (Bytes.to_string b);
  match Flow.read_exactly f b ~off:0 ~len:3 with
  | () -> Alcotest.fail "no error"
  | exception Flow.Error (Flow.Truncated n, _) -> int "missing" 2 n

let read_all () =
  str "all" "abcde" (Flow.read_all (bare [ "ab"; "cde" ]) ~max:5);
  match Flow.read_all (bare [ "ab"; "cde"; "f" ]) ~max:4 with
  | _ -> Alcotest.fail "no error"
  | exception (Flow.Error (Flow.Too_long 4, _) as e) ->
      str "printed" "Weir_flow.Flow.Error: the stream is longer than 4 bytes" (Printexc.to_string e)

type Flow.flow_error += Alert of int

let own_error () =
  let f : Flow.reader =
    object
      inherit Flow.reader

      method read_into _ ~off:_ ~len:_ =
        Flow.fail (Alert 42) (fun ppf -> Format.fprintf ppf "TLS alert %d" 42)
    end
  in
  (match Flow.read f with
  | _ -> Alcotest.fail "no error"
  | exception Flow.Error (Alert n, _) -> int "matched" 42 n);
  match Flow.copy f Null.flow with
  | _ -> Alcotest.fail "no error"
  | exception Flow.Error e -> str "printed" "TLS alert 42" (Format.asprintf "%a" Flow.pp_error e)

let view () =
  let s = "abcdef" in
  let r = Memory.source ~chunk:4 s in
  let v = Flow.read r in
  Alcotest.(check bool) "no copy" true (v.bytes == Bytes.unsafe_of_string s);
  str "first" "abcd" (Slice.to_string v);
  Alcotest.(check bool) "the slice is used again" true (Flow.read r == v);
  str "second" "ef" (Slice.to_string v);
  int "end" 0 (Flow.read r).len

let sink_bound () =
  let s = Memory.sink ~max:5 () in
  Flow.write_string s "abc";
  let too_long f =
    match f () with
    | _ -> Alcotest.fail "no error"
    | exception Flow.Error (Flow.Too_long 5, _) -> ()
  in
  too_long (fun () -> Flow.write_string s "def");
  str "took none" "abc" s#contents;
  int "fits" 2 (Flow.copy (bare [ "de" ]) s);
  too_long (fun () -> ignore (Flow.copy (bare [ "f" ]) s));
  str "the rest" "abcde" s#contents;
  s#clear;
  int "cleared" 0 s#length

(* Every way through [copy]: who drives depends on the two ends. *)
let copies =
  let gen = QCheck2.Gen.(tup3 (int_bound 20_000) (int_range 1 5000) (int_bound 3)) in
  QCheck2.Test.make ~name:"copy moves all, by every path" ~count:200 gen (fun (n, chunk, way) ->
      let s = text n in
      let view = Memory.source ~chunk s in
      let plain : Flow.reader =
        object
          inherit Flow.reader
          method read_into = view#read_into
        end
      in
      let sink = Memory.sink () in
      let plain_sink : Flow.writer =
        object
          inherit Flow.writer
          method write = sink#write
        end
      in
      let moved =
        match way with
        | 0 -> Flow.copy view sink
        | 1 -> Flow.copy plain sink
        | 2 -> Flow.copy view plain_sink
        | _ -> Flow.copy plain plain_sink
      in
      moved = n && String.equal sink#contents s)

(* Every length, also overlapping and out of bounds, against the library's. *)
let blits =
  let gen = QCheck2.Gen.(tup4 (int_range (-2) 50) (int_range (-2) 50) (int_range (-1) 45) bool) in
  QCheck2.Test.make ~name:"Slice.blit is Bytes.blit" ~count:5000 gen (fun (i, j, len, same) ->
      let outcome blit =
        let src = Bytes.of_string (text 60) in
        let dst = if same then src else Bytes.make 60 '.' in
        match blit src i dst j len with
        | () -> Some (Bytes.to_string dst)
        | exception Invalid_argument _ -> None
      in
      outcome Slice.blit = outcome Bytes.blit)

(* Claims about cost that would rot unseen: words, not time. *)
let allocates_nothing () =
  let r = Memory.source ~chunk:10 (text 100_000) and s = Memory.sink ~max:200_000 () in
  ignore (Flow.copy (Memory.source (text 100_000)) s : int);
  s#clear;
  let b = Bytes.create 64 in
  let words f =
    let before = Gc.minor_words () in
    f ();
    Gc.minor_words () -. before
  in
  let per name f = Alcotest.(check (float 8.)) name 0. (words f) in
  per "read_into" (fun () ->
      for _ = 1 to 1000 do
        ignore (Flow.read_into r b ~off:0 ~len:64 : int)
      done);
  per "read" (fun () ->
      for _ = 1 to 1000 do
        ignore (Flow.read r : Slice.t)
      done);
  per "write" (fun () ->
      for _ = 1 to 1000 do
        Flow.write s b ~off:0 ~len:10
      done);
  per "copy" (fun () -> ignore (Flow.copy r s : int))

let cases =
  Suite.
    [
      case "null" null;
      case "defaults" defaults;
      case "read_exactly" read_exactly;
      case "read_all" read_all;
      case "a flow's own error" own_error;
      case "views" view;
      case "a bounded sink" sink_bound;
      qcheck copies;
      qcheck blits;
      case "operations allocate nothing" allocates_nothing;
    ]
