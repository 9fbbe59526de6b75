/** What kinds.thrift includes. */
namespace py shared

typedef i32 Coordinate

enum Colour {
  RED = 1
  GREEN       /* 2 */
  none = 7,
}

struct Point {
  1: Coordinate x,
  2: Coordinate y;
}

exception Trouble {
  1: string why
  2: i32 code = 3
}

service Named {
  string name()
}
