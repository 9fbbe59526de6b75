// A file whose name has a dot.
enum Shade { DARK = 1, LIGHT = 4 }
enum Other { DARK = 9 }
const i32 LIMIT = 12
struct Part { 1: i32 size = LIMIT }
exception Broken { 1: string part }
service Parts { Part part(1: i32 size) throws (1: Broken broken) }
