let first = 32_768
let count = 65_536 - first

let choose random free =
  let start = Random.State.int random count in
  let rec from n =
    if n = count then 0
    else
      let port = first + ((start + n) mod count) in
      if free port then port else from (n + 1)
  in
  from 0
