@0xd5a3b1c2e4f60718;
# Imported by kinds.capnp.

enum Colour {
  red @0;
  green @1;
  # As grass.
  none @2;
}

struct Point {
  x @0 :Int32;
  y @1 :Int32;
  const origin :Point = (x = 0, y = 0);
}

const corner :Point = (x = 3, y = -4);
annotation note(field, struct) :Text;
