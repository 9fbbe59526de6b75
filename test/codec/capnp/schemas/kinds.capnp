@0xa7c3e5f1b2d40896;
# One of everything that a schema may hold.

using Shapes = import "shapes.capnp";
using import "shapes.capnp".Colour;

struct Kinds $Shapes.note("all kinds") {
  # A struct with "a quoted word", a {brace} and (* a comment.

  nothing @0 :Void;
  flag @1 :Bool;
  tiny @2 :Int8;
  short @3 :Int16;
  word @4 :Int32;
  long @5 :Int64;
  byte @6 :UInt8;
  half @7 :UInt16;
  unsigned @8 :UInt32;
  wide @9 :UInt64;
  single @10 :Float32;
  double @11 :Float64;
  text @12 :Text;
  data @13 :Data;
  colour @14 :Colour;
  point @15 :Shapes.Point;
  anything @16 :AnyPointer;
  voids @17 :List(Void);
  flags @18 :List(Bool);
  tinies @19 :List(Int8);
  shorts @20 :List(Int16);
  words @21 :List(Int32);
  longs @22 :List(Int64);
  bytes @23 :List(UInt8);
  halves @24 :List(UInt16);
  unsigneds @25 :List(UInt32);
  wides @26 :List(UInt64);
  singles @27 :List(Float32);
  doubles @28 :List(Float64);
  texts @29 :List(Text);
  datas @30 :List(Data);
  colours @31 :List(Colour);
  points @32 :List(Shapes.Point);
  matrix @33 :List(List(Int16));
  grids @34 :List(List(List(Shapes.Point)));
  end @35 :Text;
  # A keyword of OCaml.
  empty @36 :Empty;
  empties @37 :List(Empty);
}

struct Empty {}

struct Field16 { value @0 :UInt16; }
struct Label { text @0 :Text; }

struct Defaults {
  flag @0 :Bool = true;
  tiny @1 :Int8 = -7;
  short @2 :Int16 = -300;
  word @3 :Int32 = -70000;
  long @4 :Int64 = -5000000000;
  byte @5 :UInt8 = 200;
  half @6 :UInt16 = 60000;
  unsigned @7 :UInt32 = 4000000000;
  wide @8 :UInt64 = 18446744073709551615;
  single @9 :Float32 = 1.5;
  double @10 :Float64 = -2.25;
  text @11 :Text = "hello \"there\"\n";
  data @12 :Data = 0x"00 ff 10";
  colour @13 :Colour = green;
  point @14 :Shapes.Point = (x = 5, y = -6);
  words @15 :List(Int32) = [1, -2, 3];
  points @16 :List(Shapes.Point) = [(x = 1, y = 2), (x = 3)];
}

struct Shape {
  area @0 :Float64;
  union {
    circle @1 :Float64;
    square @2 :Float64;
    polygon @3 :List(Shapes.Point);
    named @4 :Text;
    nothing @5 :Void;
    box :group {
      width @6 :UInt16;
      height @7 :UInt16;
    }
    inner @8 :Shape;
  }
  label :group {
    text @9 :Text;
    colour @10 :Colour;
  }
  state :union {
    off @11 :Void;
    on @12 :Int32;
  }
}

struct Tree {
  # Recursive, with nested types of its own.
  value @0 :Value;
  left @1 :Tree;
  right @2 :Tree;
  children @3 :List(Tree);

  struct Value {
    union {
      number @0 :Int64;
      list @1 :List(Value);
      option @2 :Option;
    }
    struct Option {
      key @0 :Text;
      enum Level { low @0; high @1; }
      level @1 :Level = high;
    }
  }
}

struct Pair(A, B) {
  first @0 :A;
  second @1 :B;
  struct Tagged { tag @0 :Text; value @1 :A; }
}

struct Pairs {
  names @0 :Pair(Text, Shapes.Point);
  many @1 :List(Pair(Data, List(Int32)));
  tagged @2 :Pair(Text, Text).Tagged;
}

interface Calculator extends(Named) {
  add @0 (left :Int32, right :Int32) -> (sum :Int32);
  child @1 [T] (seed :T) -> (result :Calculator);
  reset @2 () -> ();
}

interface Named { name @0 () -> (name :Text); }

struct Handles {
  one @0 :Calculator;
  many @1 :List(Named);
}

const pi :Float64 = 3.14159;
const most :UInt64 = 18446744073709551615;
const low :Int8 = -128;
const greeting :Text = "bonjour";
const raw :Data = 0x"de ad";
const shade :Colour = none;
const home :Shapes.Point = (x = 1, y = 2);
const primes :List(UInt16) = [2, 3, 5, 7];
const sample :Shape = (area = 2.5, square = 1.5, label = (text = "sq", colour = green), state = (on = 7));
