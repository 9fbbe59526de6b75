// The codecs study's message.
namespace py payload

struct Words {
  1: optional string a
  2: optional string b
  3: optional string c
  4: optional string d
}

struct Payload {
  1: bool first
  2: bool second
  3: double third
  4: i64 fourth
  5: list<Words> fifth
  6: list<i64> sixth
}
