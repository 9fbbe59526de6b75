let decode ?ignore_unknown _ _ =
  ignore ignore_unknown;
  Error { Error.position = 0; path = []; reason = "todo" }

let encode _ _ = ""
