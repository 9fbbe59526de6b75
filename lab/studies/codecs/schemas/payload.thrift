// The codecs study's message.

struct Fifth {
  1: optional string first
  2: optional string second
  3: optional string third
  4: optional string fourth
}

struct Payload {
  1: bool first
  2: bool second
  3: double third
  4: i32 fourth
  5: list<Fifth> fifth
  6: list<i32> sixth
}
