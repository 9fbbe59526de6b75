type state =
  | First
  | Size
  | Before_semicolon
  | Name_start
  | Name
  | After_name
  | Value_start
  | Value
  | Quoted
  | Quoted_pair
  | After_quoted
  | After_value
  | Lf
  | Over
  | Wrong

type verdict = Going | Complete | Bad

let start = First
let verdict = function Over -> Complete | Wrong -> Bad | _ -> Going
let in_size s = s = Size

let in_extension = function
  | First | Size | Lf | Over | Wrong -> false
  | Before_semicolon | Name_start | Name | After_name | Value_start | Value | Quoted | Quoted_pair
  | After_quoted | After_value ->
      true

let token c = Chars.mem Chars.token c
let text c = Chars.mem Chars.field_value c

let next s c =
  match (s, c) with
  | (First | Size), ('0' .. '9' | 'a' .. 'f' | 'A' .. 'F') -> Size
  | (Size | Name | Value | After_quoted), '\r' -> Lf
  | (Size | Before_semicolon | Name | After_name | Value | After_quoted | After_value), ';' ->
      Name_start
  | (Size | Before_semicolon), (' ' | '\t') -> Before_semicolon
  | Name_start, (' ' | '\t') -> Name_start
  | (Name_start | Name), c when token c -> Name
  | (Name | After_name), '=' -> Value_start
  | (Name | After_name), (' ' | '\t') -> After_name
  | Value_start, (' ' | '\t') -> Value_start
  | Value_start, '"' -> Quoted
  | (Value_start | Value), c when token c -> Value
  | (Value | After_quoted | After_value), (' ' | '\t') -> After_value
  | Quoted, '"' -> After_quoted
  | Quoted, '\\' -> Quoted_pair
  | (Quoted | Quoted_pair), c when text c -> Quoted
  | Lf, '\n' -> Over
  | _ -> Wrong
