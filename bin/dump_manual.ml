open Cmdliner
open Weir_dissect

let field (f : Fields.t) : Manpage.block = `I ("$(b," ^ f.name ^ ")", f.about ^ ".")

let filters : Manpage.block list =
  [
    `S "FILTERS";
    `P "A filter is made of tests, joined by $(b,and), $(b,or), $(b,not) and parentheses:";
    `I ("$(b,host) ADDRESS", "from or to that address; ARP's addresses count too.");
    `I ("$(b,net) ADDRESS/BITS", "from or to that network.");
    `I ("$(b,port) N, $(b,port) N-M", "from or to a TCP or UDP port, or one of a range.");
    `I
      ( "$(b,src), $(b,dst)",
        "before one of these (or an address) for the source's or the destination's only." );
    `I
      ( "$(b,ip), $(b,arp), $(b,icmp), $(b,udp), $(b,tcp), $(b,fragment)",
        "packets of that protocol, fragments. $(b,tcp port 80) is $(b,tcp and port 80)." );
    `I ("FIELD", "the packet has that field; a flag is set.");
    `I
      ( "FIELD $(b,==) VALUE",
        "any of the field's values is that; also $(b,!=) (none is), and for numbers $(b,<), \
         $(b,<=), $(b,>), $(b,>=). Values are numbers (0x for hexadecimal), names of ICMP types, \
         addresses, networks." );
    `P "A wrong filter is told with the character where it is wrong, and the exit status is 2.";
    `S "FIELDS";
    `P "Wireshark's longer names, such as tcp.flags.reset, are understood too.";
  ]
  @ List.map field Fields.all

let examples : Manpage.block list =
  [
    `S Manpage.s_examples;
    `P "$(b,weir dump demo.pcap | head)";
    `P "$(b,weir dump demo.pcap port 80 and tcp.rst) prints resets of port 80's connections";
    `P "$(b,weir dump demo.pcap 'tcp.len > 0 and not (src 10.0.0.1 or icmp.type == unreachable\\)')";
    `P "$(b,weir dump demo.pcap -f tcp.syn) prints SYNs while the capture is being written";
    `P "$(b,tcpdump -i eth0 -U -w - | weir dump - -c 10) prints the first ten packets";
    `P "$(b,weir dump demo.pcap --json | jq -r 'select(.tcp.rst\\) | .ip.src') prints who resets";
    `P "$(b,weir dump demo.pcap --follow-stream 0) prints both sides' bytes";
    `P
      "$(b,weir dump demo.pcap --follow-stream 0 --raw server > answer) keeps what the server has \
       sent";
  ]

let blocks = filters @ examples
