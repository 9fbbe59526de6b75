open Cmdliner
open Weir_dissect

let field (f : Fields.t) : Manpage.block = `I ("$(b," ^ f.name ^ ")", f.about ^ ".")

let filters : Manpage.block list =
  [
    `S "FILTERS";
    `P "A filter is made of tests, joined by $(b,and), $(b,or), $(b,not) and parentheses:";
    `I ("$(b,host) ADDRESS", "from or to that address, also in ARP packets.");
    `I ("$(b,net) ADDRESS/BITS", "from or to that network.");
    `I ("$(b,port) N, $(b,port) N-M", "from or to a TCP or UDP port, or one of a range.");
    `I
      ( "$(b,src), $(b,dst)",
        "before one of these tests, or before an address: the source or the destination only." );
    `I
      ( "$(b,ip), $(b,ip6), $(b,arp), $(b,icmp), $(b,icmp6), $(b,udp), $(b,tcp), $(b,fragment)",
        "packets of that protocol, or fragments. $(b,tcp port 80) means $(b,tcp and port 80)." );
    `I ("FIELD", "the packet has that field; or, if it is a flag, the flag is set.");
    `I
      ( "FIELD $(b,==) VALUE",
        "one of the field's values equals VALUE. $(b,!=): none of them does. For numbers also \
         $(b,<), $(b,<=), $(b,>), $(b,>=). A value is a number (0x for hexadecimal), the name of \
         an ICMP type, an address or a network." );
    `P
      "For a wrong filter the error message has the position of the first wrong character, and the \
       exit status is 2.";
    `S "FIELDS";
    `P "Wireshark's longer names, such as tcp.flags.reset, are accepted too.";
  ]
  @ List.map field Fields.all

let examples : Manpage.block list =
  [
    `S Manpage.s_examples;
    `P "$(b,weir dump demo.pcap | head)";
    `P "$(b,weir dump demo.pcap port 80 and tcp.rst) prints the resets of connections on port 80";
    `P "$(b,weir dump demo.pcap 'tcp.len > 0 and not (src 10.0.0.1 or icmp.type == unreachable\\)')";
    `P "$(b,weir dump demo.pcap -f tcp.syn) prints SYNs while the capture is being written";
    `P "$(b,tcpdump -i eth0 -U -w - | weir dump - -c 10) prints the first ten packets";
    `P
      "$(b,weir dump demo.pcap --json | jq -r 'select(.tcp.rst\\) | .ip.src') prints the senders \
       of resets";
    `P "$(b,weir dump demo.pcap --follow-stream 0) prints the bytes of both sides";
    `P
      "$(b,weir dump demo.pcap --follow-stream 0 --raw server > answer) writes the server's bytes \
       to a file";
  ]

let blocks = filters @ examples
