let decode _ _ = Error { Error.position = 0; path = []; reason = "todo" }

let encode ?unknown _ _ =
  ignore unknown;
  ""
