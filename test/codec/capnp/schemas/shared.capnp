@0xc4f1d2a3b5869707;
# Bytes and words that plain fields, groups and unions share.

struct Shared {
  a @0 :Bool;
  union {
    b @1 :Bool;
    c @2 :Int8;
    d @3 :Text;
    e :group {
      f @4 :Bool;
      g @5 :Bool = true;
      h @6 :Text;
    }
    z @7 :Void;
  }
  i @8 :Bool = true;
  j :group {
    k @9 :Bool;
    l @10 :Int8 = -1;
    m @11 :List(Bool);
    n :union {
      o @12 :Bool = true;
      p @13 :Void;
      q @14 :Int64 = 5;
    }
  }
  r @15 :Bool;
  s @16 :Int16;
  t @17 :UInt8 = 7;
  u @18 :Only;
  v @19 :List(Only);
  w @20 :List(Shared);
  x @21 :Text = "full";
  y @22 :Bool;
}

struct Only {
  # A union and nothing else.
  union {
    none @0 :Void;
    flag @1 :Bool;
    both :group {
      one @2 :Bool;
      two @3 :Float32 = 1.5;
      text @4 :Text;
    }
    list @5 :List(Bare);
    wide @6 :Float64;
  }
}

struct Bare {
  # Words that no field has are written too.
  union { old @0 :Int64; new @1 :Void; }
}
