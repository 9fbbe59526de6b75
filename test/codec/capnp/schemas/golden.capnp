@0x9f1d3c5b7a28e604;
# A sensor's log: small, with most of what a schema may hold.

enum Unit { kelvin @0; pascal @1; }

struct Log {
  # What one sensor measured.
  sensor @0 :Text;
  unit @1 :Unit = pascal;
  readings @2 :List(Reading);
  raw @3 :Data;
  place :group {
    x @4 :Float32;
    y @5 :Float32;
  }
  union {
    open @6 :Void;
    # Still running.
    closed @7 :Int64;
    next @8 :Log;
  }
}

struct Reading {
  time @0 :UInt64;
  values @1 :List(Int16);
  valid @2 :Bool = true;
}

const limit :UInt16 = 1000;
