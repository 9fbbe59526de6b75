module K = Thrift_corpus.Kinds_thrift
module S = Thrift_corpus.Shared_thrift
module P = Thrift_corpus.Payload_thrift
module O = Thrift_corpus.Odd_thrift
module A = Thrift_corpus.Accepted_thrift
module B = Thrift_corpus.Odd_base_thrift

let point x y : S.Point.t = { x; y }

let kinds : K.Kinds.t =
  {
    flag = true;
    tiny = -128;
    short = -32768;
    word = -2147483648;
    long = Int64.min_int;
    real = -1.5e300;
    text = "h\xc3\xa9llo";
    data = "\000\001\255";
    colour = Green;
    point = Some (point 1 (-2));
    id = "0123456789abcdef";
    flags = [ true; false; true ];
    tinies = [ 127; -128; 0 ];
    shorts = [ -7 ];
    words = List.init 20 (fun i -> i * 1000003 mod 2147483647 * if i land 1 = 0 then 1 else -1);
    longs =
      [
        Int64.max_int;
        Int64.min_int;
        0L;
        -1L;
        4611686018427387904L;
        36028797018963968L;
        72057594037927936L;
      ];
    reals = [ 0.25; infinity ];
    texts = [ "a"; ""; String.make 200 'x' ];
    points = [ point 3 4; point 0 0 ];
    colours = [ Red; None; Green ];
    names = [ (1, "one"); (-2, "minus two") ];
    atlas = [ ("here", [ point 9 9 ]); ("nowhere", []) ];
    switches = [ ("on", true); ("off", false) ];
    matrix = [ [ 1; 2 ]; []; [ -3 ] ];
    nested = [ (5L, [ (1, [ "x" ]); (2, []) ]) ];
    maybe = Some false;
    perhaps = Some (-1);
    several = Some [ "s" ];
    end_ = "end";
  }

let shapes : K.Shape.t list =
  [
    Circle 2.5;
    Corner (point 1 2);
    Polygon [ point 1 2; point 3 4 ];
    Named "round";
    Nothing true;
    Nothing false;
    Inner (Inner (Circle 0.));
  ]

let rec tree n : K.Tree.t =
  {
    value = Int64.of_int (n * 1000);
    left = (if n = 0 then Option.none else Some (tree (n - 1)));
    right = Option.none;
    children =
      (if n < 2 then [] else [ tree (n - 2); { K.Tree.default with left = Some K.Tree.default } ]);
  }

let payload : P.Payload.t =
  let words a b c d : P.Words.t =
    let some s = if s = "" then Option.none else Some s in
    { a = some a; b = some b; c = some c; d = some d }
  in
  {
    first = false;
    second = true;
    third = 12345678.117;
    fourth = 234567L;
    fifth =
      [
        words (String.make 1000 'A') "deuxieme" "" "";
        words "" "" (String.make 500 'B') "quatrieme";
        words "premier" "deuxieme" "" "";
        words "" "" "troisieme" "quatrieme";
      ];
    sixth = [ 1234L; 2345L; 3456L; 4567L; 5678L; 6789L; 7890L ];
  }

let keywords : O.Keywords.t =
  {
    val_ = 1; method_ = 2; w = 3; v = 4; r = 5; last = 6; header = 7; x = 8; h = 9; ref = 10;
    ignore = 11; raise = 12; default = 13; read = 14; foo_bar = 15; foo_bar_ = 16; foo_bar__ = 17;
    _x = 18; mutable_ = 19; end_ = 20;
  }
[@@ocamlformat "disable"]

let node : O.Node.t =
  {
    O.Node.default with
    kids = [ O.Node.default; { O.Node.default with n = -1L } ];
    next = Some O.Node.default;
    named = [ ("a", O.Node.default) ];
    alias = [ ("", { O.Node.default with named = [ ("b", O.Node.default) ] }) ];
  }

let bools : O.Bool.t =
  {
    bool = false;
    rb = true;
    ob = Some true;
    lb = [ true; false ];
    mb = [ (true, false); (false, true) ];
    sb = [ false ];
  }

let unions : O.U.t list =
  [
    Flag false;
    Unit ();
    U (Us [ Flag true; Unit () ]);
    M [ (1, U (Flag true)); (-1, Tiny (-128)) ];
    None B.Color.Neg;
    Some 1e300;
    Ok "\000\255";
    Short 32767;
    Longs [ Int64.min_int ];
  ]

(* {1 Every value, in both protocols} *)

open Weir_thrift

let protocols = [ ("binary", Kind.Binary); ("compact", Kind.Compact) ]
let ok = function Ok v -> v | Error e -> Alcotest.failf "%a" Weir_thrift.Error.pp e

let refused name = function
  | Ok _ -> Alcotest.failf "%s was accepted" name
  | Error (_ : Error.t) -> ()

type value = {
  file : string;
  ty : string;
  bytes : Kind.protocol -> string;
  same : Kind.protocol -> string -> bool;
  refuses : Kind.protocol -> string -> bool;
}

let values =
  let v file ty encode decode x =
    {
      file;
      ty;
      bytes = (fun p -> encode p x);
      same = (fun p s -> ok (decode p s) = x);
      refuses = (fun p s -> Result.is_error (decode p s));
    }
  in
  [
    v "kinds" "Kinds" K.Kinds.encode K.Kinds.decode kinds;
    v "payload" "Payload" P.Payload.encode P.Payload.decode payload;
    v "kinds" "Tree" K.Tree.encode K.Tree.decode (tree 5);
    v "kinds" "Empty" K.Empty.encode K.Empty.decode ();
    v "kinds" "Defaults" K.Defaults.encode K.Defaults.decode K.Defaults.default;
    v "kinds" "Unnumbered" K.Unnumbered.encode K.Unnumbered.decode { first = 1; second = "2" };
    v "kinds" "Strict" K.Strict.encode K.Strict.decode { here = 1; point = point 2 3; flag = true };
  ]
  @ List.map (v "kinds" "Shape" K.Shape.encode K.Shape.decode) shapes
  @ [
      v "odd" "Keywords" O.Keywords.encode O.Keywords.decode keywords;
      v "odd" "Node" O.Node.encode O.Node.decode node;
      v "odd" "node" O.Node_.encode O.Node_.decode { lower = 1 };
      v "odd" "Bool" O.Bool.encode O.Bool.decode bools;
      v "odd" "Defaults" O.Defaults.encode O.Defaults.decode O.Defaults.default;
      v "odd" "Ids" O.Ids.encode O.Ids.decode
        { big = 1; one = 2; far = true; near = false; b20 = true };
      v "odd" "Option" O.Option_.encode O.Option_.decode
        { O.Option_.default with option = Some O.Option_.default };
      v "odd" "E" O.E.encode O.E.decode { e = "a"; cause = Some { e = "b"; cause = None } };
    ]
  @ [ v "accepted" "Defaults" A.Defaults.encode A.Defaults.decode A.Defaults.default ]
  @ List.map (v "odd" "U" O.U.encode O.U.decode) unions

(* {1 A service} *)

module Handler = struct
  let name () = "weir"
  let add ~left ~right = left + right
  let divide ~by = if by = 0 then raise (S.Trouble.E { why = "zero"; code = 1 }) else 100 / by
  let reset () = ()
  let hinted = ref ""
  let hint ~text = hinted := text

  let shape ~tree =
    match tree with
    | None -> K.Shape.Named "none"
    | Some (t : K.Tree.t) -> Circle (Int64.to_float t.value)
end

let serve p = Rpc.serve p (K.Calculator.dispatch (module Handler))
