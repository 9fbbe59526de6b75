// Names qualified by the file they stand in.
const i32 LIMIT = 3
enum Kind { FIRST, SECOND }
struct Thing { 1: list<own.Thing> parts; 2: own.Kind kind = own.Kind.SECOND; 3: i32 n = own.LIMIT }
typedef own.Thing Alias
exception Gone { 1: string why }
service Base { own.Thing take(1: own.Alias thing) throws (1: own.Gone gone) }
service More extends own.Base {}
