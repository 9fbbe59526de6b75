/** What odd.thrift includes. */
namespace * odd_base

typedef i64 Timestamp
typedef map<string, list<Timestamp>> History
enum Color { RED = 1, GREEN, BLUE = 0x10, NEG = -3 }
typedef Color Colour
struct Point { 1: required i32 x, 2: i32 y = 7 }
typedef Point Pt
const i32 LIMIT = 0x40
const Pt ORIGIN = {"x": 0}
const Color FAVOURITE = Color.NEG
exception Oops { 1: string message, 2: optional Colour colour = Color.RED }
union Either { 1: i32 left; 2: string right; 3: Either either; 4: list<Either> many }
service Base { void ping(), string echo(1: string text) throws (1: Oops oops) }
