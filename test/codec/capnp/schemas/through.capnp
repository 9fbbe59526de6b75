@0xe1d2c3b4a5968778;
# Names a type of a file that it does not import itself.

using Kinds = import "kinds.capnp";

struct Through {
  point @0 :Kinds.Shapes.Point;
  tree @1 :Kinds.Tree;
}
