@0xb2c8f5a1d3e47690;
# The codecs study's message.

struct Payload {
  first @0 :Bool;
  second @1 :Bool;
  third @2 :Float64;
  fourth @3 :Int64;
  fifth @4 :List(Words);
  sixth @5 :List(Int64);
}

struct Words {
  a @0 :Text;
  b @1 :Text;
  c @2 :Text;
  d @3 :Text;
}
