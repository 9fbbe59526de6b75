@0xbf5147cbbecf40c2;
# Names that meet the generated code's own.

const point :Point = (x = 1);
const ignore :Int32 = 1;
const not :Bool = true;
const readPoint :Int32 = 2;
const default1 :Int32 = 3;
const pointOfInt :Int32 = 4;

struct Point {
  x @0 :Int32 = 7;
  back @1 :Point = .point;
}

struct Names {
  not @0 :Bool;
  usually @1 :Bool = true;
  ignore :group {
    inner @2 :Int8;
    not :group { innermost @3 :Bool = true; }
  }
  other :group { y @4 :Int8; }
  which @5 :Text;
  r @6 :Names;
  union { none @7 :Void; some @8 :Text; unrecognized @9 :Int8; }
  const names :Text = "a";
  struct Capnp { option @0 :Option; }
  struct Option { string @0 :String; }
  struct String { capnp @0 :List(Capnp); }
}
