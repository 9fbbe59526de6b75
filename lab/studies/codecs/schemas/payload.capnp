@0xdcbb4f2e0c9a1b67;
# The codecs study's message.

struct Fifth {
  first @0 :Text;
  second @1 :Text;
  third @2 :Text;
  fourth @3 :Text;
}

struct Payload {
  first @0 :Bool;
  second @1 :Bool;
  third @2 :Float64;
  fourth @3 :Int32;
  fifth @4 :List(Fifth);
  sixth @5 :List(Int32);
}
