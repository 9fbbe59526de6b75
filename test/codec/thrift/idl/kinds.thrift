# One of everything.
include "shared.thrift"
namespace py kinds
namespace * other

typedef list<shared.Point> Points
typedef map<string, Points> Atlas (note = "ignored")

const i32 LIMIT = 0x10
const string GREETING = 'bon"jour'
const list<i16> PRIMES = [2, 3, 5; 7]
const map<string, double> RATIOS = {"half": 0.5, "two": 2, "small": 1e-3}
const shared.Colour SHADE = shared.Colour.GREEN
const shared.Point CORNER = {"x": 3, "y": -4}

/**
 * A struct with "a quoted word", a {brace} and (* a comment.
 */
struct Kinds {
  1: bool flag,
  2: byte tiny
  3: i16 short
  4: i32 word
  5: i64 long
  6: double real
  7: string text
  8: binary data
  9: shared.Colour colour
  10: shared.Point point
  11: uuid id
  30: list<bool> flags   /** Far from the field before. */
  31: list<i8> tinies
  32: set<i16> shorts
  33: list<i32> words
  34: list<i64> longs
  35: list<double> reals
  36: list<string> texts
  37: Points points
  38: list<shared.Colour> colours
  39: map<i32, string> names
  40: Atlas atlas
  41: map<string, bool> switches
  42: list<list<i16>> matrix
  43: map<i64, map<byte, set<string>>> nested
  5000: optional bool maybe
  5001: optional i32 perhaps
  5002: optional list<string> several
  20: string end   // a keyword of OCaml, out of order
}

struct Defaults {
  1: i32 word = -70000
  2: string text = "hello"
  3: shared.Colour colour = shared.Colour.GREEN
  4: list<i32> words = [1, -2, 3]
  5: optional i64 long = 5000000000
  6: shared.Point point = {"x": 5, "y": -6}
  7: bool flag = true
  8: double real = -2.25
}

struct Strict {
  1: required i32 here
  2: required shared.Point point
  3: required bool flag
}

union Shape {
  1: double circle
  2: shared.Point corner
  3: Points polygon
  4: string named
  5: bool nothing
  6: Shape inner
}

struct Tree {
  1: i64 value
  2: Tree left
  3: optional Tree right
  4: list<Tree> children
}

struct Empty {}

struct Unnumbered {
  i32 first
  string second
}

service Calculator extends shared.Named {
  i32 add(1: i32 left, 2: i32 right)
  /** Raises Trouble for zero. */
  i32 divide(1: i32 by) throws (1: shared.Trouble trouble)
  void reset()
  oneway void hint(1: string text)
  Shape shape(1: optional Tree tree)
}
