// Names that meet OCaml's, the generated code's and each other; constants of every kind.
include "odd_base.thrift"
include "shared.thrift"

const i32 IGNORE = 1
const i32 REF = 2
const i32 RAISE = 3
const i32 R = 4
const i32 W = 5
const i32 HEADER = 6
const i32 read_node = 7
const i32 fooBar = 8
const i32 foo_bar = 9
const i64 WIDER = IGNORE
const double REAL = R
const i64 LEAST = -9223372036854775808
const string QUOTE = "it's \"quoted\" \\ \n é *) "
const bool ONE = 1
const map<string, map<i32, list<string>>> NESTED = { "a": { 1: ["x", 'y'], REF: [] }, "b": {} }
const map<odd_base.Color, string> NAMES = { odd_base.Color.RED: "red", odd_base.Color.NEG: "neg" }
const list<odd_base.Pt> POINTS = [{"x": R, "y": 2}, {"x": odd_base.LIMIT}, {"x": 0}]
const odd_base.Either EITHER = {"many": [{"left": REF}, {"right": "r"}, {"either": {"left": 2}}]}
const odd_base.History HISTORY = {"h": [REF, LEAST]}
const i32 NUMBER = odd_base.Color.BLUE

typedef list<Node> Nodes
typedef Kids Alias
typedef map<string, Node> Kids
typedef i64 node_

enum Empty {}
enum Dup { A = 1, B = 1, C }
enum type { val, module, end, None, Some, True, Unrecognized, Ok }

struct Node { 1: Nodes kids, 2: optional Node next, 3: Kids named, 4: Alias alias, 5: node_ n = 5 }
struct node { 1: i32 lower }
struct Option { 1: optional Option option; 2: optional i32 some; 3: i32 none }
struct List { 1: list<List> list }
struct String { 1: string string, 2: uuid id }
struct Thrift { 1: bool Reader }
struct Unit {}
struct Bool {
  1: bool bool = true; 2: required bool rb; 3: optional bool ob = false; 4: list<bool> lb;
  5: map<bool, bool> mb; 6: set<bool> sb = [true, false]
}
struct Keywords {
  1: i32 val; 2: i32 method; 3: i32 w; 4: i32 v; 5: i32 r; 6: i32 last; 7: i32 header; 8: i32 x;
  9: i32 h; 10: i32 ref; 11: i32 ignore; 12: i32 raise; 13: i32 default; 14: i32 read;
  15: i32 fooBar; 16: i32 foo_bar; 17: i32 FooBar; 18: i32 _x; 19: i32 mutable; 20: i32 end
}
struct Ids { 32767: i32 big; 1: i32 one; 300: bool far; 301: bool near; 20: bool b20 }
struct Defaults {
  1: i32 a = REF; 2: i64 b = LEAST; 3: odd_base.Color c = odd_base.Color.BLUE;
  4: list<i32> d = [1, REF, odd_base.LIMIT];
  5: map<string, odd_base.Point> e = {"o": {"x": 0}, "p": {"x": 5}};
  6: required odd_base.Point g = {"x": 9}; 7: optional odd_base.Either h = {"left": 4}; 8: i32 i = R;
  9: i32 j = HEADER; 10: double k = 1; 11: optional set<i64> l = [1, 2];
}
union U {
  1: bool flag; 2: Unit unit; 3: U u; 4: list<U> us; 5: map<i32, U> m; 6: odd_base.Color none;
  7: double some; 8: binary ok; 9: i8 tiny; 10: i16 short; 11: set<i64> longs
}
exception E { 1: string e; 2: E cause }
exception Exit {}

service Odd extends odd_base.Base {
  i32 w(1: i32 w, 2: i32 v, 3: i32 r),
  oneway void fire(1: string client, 2: i32 w)
  void raise() throws (1: E e, 2: Exit exit, 3: odd_base.Oops success)
  i32 ignore(1: i32 ignore) throws (1: E raise)
  Option option(1: Option option)
  list<map<string, Node>> complex(1: Nodes nodes, 2: U u, 3: optional i32 opt) throws (1: E f),
  Unit unit(1: Unit unit)
}
service Odder extends Odd { string w2() }
service Nothing {}
service Nothing2 extends Nothing {}
