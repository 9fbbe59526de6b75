// A sensor's log: small, with most of what a file may hold.

const i32 LIMIT = 1000
typedef list<i16> Values

enum Unit { KELVIN, PASCAL = 4 }

/** What one sensor measured at once. */
struct Reading {
  1: required i64 time
  2: Values values
  3: optional string note
  4: Unit unit = Unit.PASCAL
}

union Place {
  1: string name
  2: map<string, double> position
}

exception Unknown_sensor { 1: string why }

service Sensors {
  Reading latest(1: string sensor) throws (1: Unknown_sensor unknown)
  oneway void reset()
}
