let () =
  Weir_test.Suite.run "protobuf_ppx"
    (Tables.groups @ Failures.groups @ Trips.groups @ Rejected.groups @ Peer.groups @ Edges.groups
    @ [ ("memory", Memory.cases); ("honest messages", Honest.cases) ])
