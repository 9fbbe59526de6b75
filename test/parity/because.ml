(* Why Weir answers otherwise. *)

let no_paths = "Weir has no Unix-domain sockets"

let no_port =
  "the C library takes a port modulo 65,536, which is one that nobody named; Weir refuses it"

let no_host = "a broadcast or multicast address is no host's, so nobody could connect to it"
let given_up = "Eio leaves the attempt's socket open, and the kernel goes on with it; Weir ends it"

let stays =
  "the kernel tells of a reset once, and then of an end or a broken pipe; Weir's error stays"

let ends = "a call that waits ends when another fiber closes the socket, and does not hang for ever"

let no_megabytes =
  "a connection whose peer does not read holds some 100 KB of Weir's memory, not megabytes"

let exact = "the kernel doubles the size, for its own bookkeeping"
let not_there = "Weir does not have this option; Eio's documentation calls such Invalid_option"
let hosts_ttl = "the segments of a connection have the host's time to live; datagrams may choose"
let follows = "the segments of a connection always follow its path; datagrams may choose"
let no_time = "the kernel takes a negative time for a very long one; Weir refuses it"
let told = "Weir's error names the address, port, length or value that it is about"
let no_descriptor = "a socket of Weir's has no file descriptor"
