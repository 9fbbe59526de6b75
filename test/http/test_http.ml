let () =
  Weir_test.Suite.run "http"
    (List.concat
       [
         Test_cases.groups;
         Test_connection.groups;
         Test_bodies.groups;
         Test_life.groups;
         Test_admission.groups;
         Test_parts.groups;
         Test_files.groups;
         Test_client.groups;
         Test_fuzz.groups;
         Test_memory.groups;
       ])
