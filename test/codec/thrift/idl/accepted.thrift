// What the reference compiler accepts and few write; it begins with a byte order mark.
include "parts.v1.thrift"

const uuid BRACED = '{01234567-89ab-cdef-0123-456789ABCDEF}'
const list<uuid> UUIDS = ["{00000000-0000-0000-0000-000000000001}", '00000000-0000-0000-0000-000000000002']

enum Mine { LOW = 1, LIGHT = 2 }

struct Defaults xsd_all {
  1: uuid braced = '{00112233-4455-6677-8899-aabbccddeeff}'
  // The last of the name counts, in the field's own enum, whatever stands before it.
  2: Mine others = parts.v1.LIGHT
  3: Mine others_too = Shade.LIGHT
  4: parts.v1.Shade unqualified = v1.LIGHT
  5: parts.v1.Shade by_enum = Shade.DARK
  6: parts.v1.Other other = Shade.DARK
  7: i32 number = Mine.LIGHT
  8: double real = Mine.LIGHT
  9: bool yes = Mine.LOW
  10: i32 limit = parts.v1.LIMIT
  11: i8 one = true
  12: parts.v1.Part part = {"size": 3} xsd_optional xsd_nillable
  13: optional i32 attributed xsd_attrs { 1: i32 z }
}

service Accepted extends parts.v1.Parts {
  async void later(1: parts.v1.Part part),
  parts.v1.Part again(1: parts.v1.Part part) throws (1: parts.v1.Broken broken)
}
