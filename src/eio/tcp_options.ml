type _ Eio.Net.Sockopt.t +=
  | TCP_USER_TIMEOUT : int Eio.Net.Sockopt.t
  | TCP_UTO : bool Eio.Net.Sockopt.t
