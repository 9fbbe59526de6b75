open Idl
open Program
open Emit
open Printf

(* A constant of another type, say i32 for an i64, is written out again. *)
let same_type t ty t' ty' =
  let file, real = resolve t ty and file', real' = resolve t' ty' in
  let rec plain = function
    | Named _ -> false
    | List e | Set e -> plain e
    | Map (k, v) -> plain k && plain v
    | _ -> true
  in
  real = real' && (file.base = file'.base || plain real)

(* What names an enum's member is the last of it, be the rest another file, another enum or nothing:
   the type says which enum is meant. *)
let last n =
  match String.rindex_opt n '.' with
  | None -> n
  | Some i -> String.sub n (i + 1) (String.length n - i - 1)

let member l name = List.find_map (fun (n, v, _) -> if n = name then Some v else None) l

let names_member file e n =
  match definition file e with _, { body = Enum l; _ } -> member l (last n) <> None | _ -> false

let refuse t = failed "%s: a constant is not of its type" t.base

(* 8-4-4-4-12 hexadecimal digits, perhaps in braces. *)
let uuid t s =
  let refuse () = failed "%s: %s is no UUID" t.base s in
  let braced = String.length s = 38 && s.[0] = '{' && s.[37] = '}' in
  let bare = if braced then String.sub s 1 36 else s in
  if List.map String.length (String.split_on_char '-' bare) <> [ 8; 4; 4; 4; 12 ] then refuse ();
  let digit = function
    | '0' .. '9' as c -> Char.code c - Char.code '0'
    | ('a' .. 'f' | 'A' .. 'F') as c -> Char.code (Char.lowercase_ascii c) - Char.code 'a' + 10
    | _ -> refuse ()
  in
  let hex = String.concat "" (String.split_on_char '-' bare) in
  String.init 16 (fun i -> Char.chr ((16 * digit hex.[2 * i]) + digit hex.[(2 * i) + 1]))

let of_int ~from t name n =
  let f =
    if t.base = from.base then flat t name ^ "_of_int"
    else sprintf "%s.%s.of_int" (file_module t) (modul t name)
  in
  sprintf (if n < 0 then "(%s (%d))" else "(%s %d)") f n

(* Whether a constant can be named: not where it is defined later than the one in hand, the last of
   [via]. *)
let is_there ~from ~via home name =
  home.base <> from.base || via = []
  ||
  let before (d : definition) = d.name = name || List.mem (from.base, d.name) via in
  match List.find_opt before from.idl.definitions with
  | Some d -> d.name = name && not (List.mem (from.base, name) via)
  | None -> false

(* The type is as [t] writes it, the constant as [at] does, through the constants [via]. *)
let rec value ~from ~at ~via t ty c =
  let file, real = resolve t ty in
  let inner = value ~from ~at ~via file in
  match (real, c) with
  | Named e, Name n when String.contains n '.' && names_member file e n ->
      named ~from ~at ~via file e c
  | _, Name n when is_constant at n -> (
      match find at n with
      | Some (home, { body = Const (ty', c'); name; _ }) ->
          if same_type t ty home ty' && is_there ~from ~via home name then
            there ~from home ^ Names.constant home.names name
          else if List.mem (home.base, name) via then failed "%s: %s is defined by itself" t.base n
          else value ~from ~at:home ~via:((home.base, name) :: via) t ty c'
      | _ -> refuse t)
  | Bool, Name (("true" | "false") as b) -> b
  | Bool, Int n -> string_of_bool (n <> 0L)
  | (I8 | I16 | I32), Int n -> sprintf "(%Ld)" n
  | I64, Int n -> sprintf "(%LdL)" n
  | (Bool | I8 | I16 | I32 | I64 | Double), Name n ->
      let v =
        match (n, enum_member at n) with
        | _, Some v -> v
        | "true", None -> 1
        | "false", None -> 0
        | _, None -> failed "%s: no constant %s" at.base n
      in
      inner real (Int (Int64.of_int v))
  | Double, Int n -> sprintf "(%Ld.)" n
  | Double, Float f -> sprintf "(%h)" f
  | String, Text s -> sprintf "%S" s
  | Uuid, Text s -> sprintf "%S" (uuid at s)
  | (List e | Set e), Sequence l -> sprintf "[ %s ]" (String.concat "; " (List.map (inner e) l))
  | (List _ | Set _), Pairs [] -> "[]"
  | Map _, Sequence [] -> "[]"
  | Map (k, v), Pairs l ->
      let pair (a, b) = sprintf "(%s, %s)" (inner k a) (inner v b) in
      sprintf "[ %s ]" (String.concat "; " (List.map pair l))
  | Named n, c -> named ~from ~at ~via file n c
  | _ -> refuse t

and is_constant t n =
  match find t n with Some (_, { body = Const _; _ }) -> true | Some _ | None -> false

and named ~from ~at ~via file n c =
  match (definition file n, c) with
  | (home, { body = Enum l; name; _ }), (Int _ | Name _) ->
      let v =
        match c with
        | Int v -> Int64.to_int v
        | Name m -> (
            match (member l (last m), enum_member at m) with
            | Some v, _ | None, Some v -> v
            | None, None -> failed "%s: no member %s" at.base m)
        | _ -> assert false
      in
      of_int ~from home name v
  | (home, { body = Fields (Union, l); name; _ }), Pairs [ (Text m, c) ] -> (
      match List.find_opt (fun ((f : field), _) -> f.name = m) (members l) with
      | Some (f, constructor) ->
          sprintf "(%s%s %s : %s%s)" (there ~from home) constructor
            (value ~from ~at ~via home f.ty c)
            (there ~from home) (flat home name)
      | None -> failed "%s: no member %s" at.base m)
  | (home, { body = Fields (_, l); name; _ }), Pairs given ->
      record ~from ~at ~via home name l given
  | _ -> refuse at

and record ~from ~at ~via home name l given =
  List.iter
    (function
      | Text n, _ when List.exists (fun (f : field) -> f.name = n) l -> ()
      | Text n, _ -> failed "%s: %s has no field %s" at.base name n
      | _ -> refuse at)
    given;
  let field ((f : field), label) =
    let v =
      match List.assoc_opt (Text f.name) given with
      | Some c ->
          let v = value ~from ~at ~via home f.ty c in
          if is_option home f then sprintf "%s %s" (some from) v else v
      | None -> initial ~from home f
    in
    sprintf "%s = %s" label v
  in
  if l = [] then "()"
  else
    sprintf "({ %s } : %s%s)"
      (String.concat "; " (List.map field (labels l)))
      (there ~from home) (flat home name)

and initial ~from t (f : field) =
  match f.default with
  | Some c ->
      let v = value ~from ~at:t ~via:[] t f.ty c in
      if is_option t f then sprintf "%s %s" (some from) v else v
  | None -> if is_option t f then none from else zero ~from t f.ty

and zero ~from t ty =
  let file, ty = resolve t ty in
  match ty with
  | Bool -> "false"
  | I8 | I16 | I32 -> "0"
  | I64 -> "0L"
  | Double -> "0."
  | String -> {|""|}
  | Uuid -> sprintf "%S" (String.make 16 '\000')
  | List _ | Set _ | Map _ -> "[]"
  | Named n -> (
      match definition file n with
      | home, { body = Enum ((_, v, _) :: _); name; _ } -> of_int ~from home name v
      | home, { body = Enum []; name; _ } -> of_int ~from home name 0
      | _ -> failed "%s: struct %s has no zero" t.base n)

let constant t name ty c = value ~from:t ~at:t ~via:[ (t.base, name) ] t ty c

(* How many words a default takes when it is made, or somewhat more; a constant that it names is there
   already. *)
let rec default_words t ty c =
  let file, real = resolve t ty in
  let sum f l = List.fold_left (fun n x -> n + f x) 0 l in
  match (real, c) with
  | (List e | Set e), Sequence l -> sum (fun c -> 3 + default_words file e c) l
  | Map (k, v), Pairs l -> sum (fun (a, b) -> 6 + default_words file k a + default_words file v b) l
  | Named n, Pairs given -> (
      match definition file n with
      | home, { body = Fields (_, l); _ } ->
          let field (f : field) =
            match (List.assoc_opt (Text f.name) given, f.default) with
            | Some c, _ | None, Some c -> 3 + default_words home f.ty c
            | None, None -> 1
          in
          1 + sum field l
      | _ -> 0)
  | _ -> 0

let words t (f : field) = Option.fold ~none:0 ~some:(default_words t f.ty) f.default
