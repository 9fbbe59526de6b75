[@@@ocamlformat "break-collection-expressions=wrap"]

type protocol = Tcp | Udp
type known_over = T | U | TU

let over protocol known =
  match (protocol, known) with Tcp, (T | TU) | Udp, (U | TU) -> true | Tcp, U | Udp, T -> false

(* By port; constants all, so nothing is made of them when a program starts. *)
let table =
  [
    (1, T, [ "tcpmux" ]); (7, TU, [ "echo" ]); (9, TU, [ "discard"; "sink"; "null" ]);
    (11, T, [ "systat"; "users" ]); (13, TU, [ "daytime" ]); (15, T, [ "netstat" ]);
    (17, T, [ "qotd"; "quote" ]); (19, TU, [ "chargen"; "ttytst"; "source" ]);
    (20, T, [ "ftp-data" ]); (21, T, [ "ftp" ]); (21, U, [ "fsp"; "fspd" ]); (22, T, [ "ssh" ]);
    (23, T, [ "telnet" ]); (25, T, [ "smtp"; "mail" ]); (37, TU, [ "time"; "timserver" ]);
    (43, T, [ "whois"; "nicname" ]); (49, TU, [ "tacacs" ]); (53, TU, [ "domain" ]);
    (67, U, [ "bootps" ]); (68, U, [ "bootpc" ]); (69, U, [ "tftp" ]); (70, T, [ "gopher" ]);
    (79, T, [ "finger" ]); (80, T, [ "http"; "www" ]);
    (88, TU, [ "kerberos"; "kerberos5"; "krb5"; "kerberos-sec" ]); (102, T, [ "iso-tsap"; "tsap" ]);
    (104, T, [ "acr-nema"; "dicom" ]); (106, T, [ "poppassd" ]); (110, T, [ "pop3"; "pop-3" ]);
    (111, TU, [ "sunrpc"; "portmapper" ]); (113, T, [ "auth"; "authentication"; "tap"; "ident" ]);
    (119, T, [ "nntp"; "readnews"; "untp" ]); (123, U, [ "ntp" ]); (135, T, [ "epmap"; "loc-srv" ]);
    (137, U, [ "netbios-ns" ]); (138, U, [ "netbios-dgm" ]); (139, T, [ "netbios-ssn" ]);
    (143, T, [ "imap"; "imap2" ]); (161, TU, [ "snmp" ]); (162, TU, [ "snmptrap"; "snmp-trap" ]);
    (163, TU, [ "cmip-man" ]); (164, TU, [ "cmip-agent" ]); (174, T, [ "mailq" ]);
    (177, U, [ "xdmcp" ]); (179, T, [ "bgp" ]); (199, T, [ "smux" ]); (209, T, [ "qmtp" ]);
    (210, T, [ "z39-50"; "z3950"; "wais" ]); (213, U, [ "ipx" ]); (319, U, [ "ptp-event" ]);
    (320, U, [ "ptp-general" ]); (345, T, [ "pawserv" ]); (346, T, [ "zserv" ]);
    (369, TU, [ "rpc2portmap" ]); (370, TU, [ "codaauth2" ]);
    (371, U, [ "clearcase"; "Clearcase" ]); (389, TU, [ "ldap" ]); (427, TU, [ "svrloc" ]);
    (443, TU, [ "https" ]); (444, T, [ "snpp" ]); (445, T, [ "microsoft-ds" ]);
    (464, TU, [ "kpasswd" ]); (465, T, [ "submissions"; "ssmtp"; "smtps"; "urd" ]);
    (487, T, [ "saft" ]); (500, U, [ "isakmp" ]); (512, T, [ "exec" ]);
    (512, U, [ "biff"; "comsat" ]); (513, T, [ "login" ]); (513, U, [ "who"; "whod" ]);
    (514, T, [ "shell"; "cmd"; "syslog" ]); (514, U, [ "syslog" ]);
    (515, T, [ "printer"; "spooler" ]); (517, U, [ "talk" ]); (518, U, [ "ntalk" ]);
    (520, U, [ "route"; "router"; "routed" ]); (538, TU, [ "gdomap" ]);
    (540, T, [ "uucp"; "uucpd" ]); (543, T, [ "klogin" ]); (544, T, [ "kshell"; "krcmd" ]);
    (546, U, [ "dhcpv6-client" ]); (547, U, [ "dhcpv6-server" ]); (548, T, [ "afpovertcp" ]);
    (554, TU, [ "rtsp" ]); (563, T, [ "nntps"; "snntp" ]); (587, T, [ "submission" ]);
    (607, T, [ "nqs" ]); (623, U, [ "asf-rmcp" ]); (628, T, [ "qmqp" ]); (631, T, [ "ipp" ]);
    (636, TU, [ "ldaps" ]); (646, TU, [ "ldp" ]); (655, TU, [ "tinc" ]); (706, T, [ "silc" ]);
    (749, T, [ "kerberos-adm" ]); (750, TU, [ "kerberos4"; "kerberos-iv"; "kdc" ]);
    (751, U, [ "kerberos-master"; "kerberos_master" ]); (751, T, [ "kerberos-master" ]);
    (752, U, [ "passwd-server"; "passwd_server" ]);
    (754, T, [ "krb-prop"; "krb_prop"; "krb5_prop"; "hprop" ]);
    (775, T, [ "moira-db"; "moira_db" ]); (777, T, [ "moira-update"; "moira_update" ]);
    (779, U, [ "moira-ureg"; "moira_ureg" ]); (783, T, [ "spamd" ]); (853, TU, [ "domain-s" ]);
    (871, T, [ "supfilesrv" ]); (873, T, [ "rsync" ]); (989, T, [ "ftps-data" ]);
    (990, T, [ "ftps" ]); (992, T, [ "telnets" ]); (993, T, [ "imaps" ]); (995, T, [ "pop3s" ]);
    (1080, T, [ "socks" ]); (1093, T, [ "proofd" ]); (1094, T, [ "rootd" ]);
    (1099, T, [ "rmiregistry" ]); (1127, T, [ "supfiledbg" ]); (1178, T, [ "skkserv" ]);
    (1194, TU, [ "openvpn" ]); (1210, U, [ "predict" ]); (1313, T, [ "xtel" ]);
    (1314, T, [ "xtelw" ]); (1352, T, [ "lotusnote"; "lotusnotes" ]); (1433, T, [ "ms-sql-s" ]);
    (1434, U, [ "ms-sql-m" ]); (1524, T, [ "ingreslock" ]);
    (1645, TU, [ "sightline"; "old-radius" ]); (1646, TU, [ "sa-msg-port"; "old-radacct" ]);
    (1649, T, [ "kermit" ]); (1677, T, [ "groupwise" ]); (1701, U, [ "l2f"; "l2tp" ]);
    (1812, TU, [ "radius" ]); (1813, TU, [ "radius-acct"; "radacct" ]); (2000, T, [ "cisco-sccp" ]);
    (2049, TU, [ "nfs" ]); (2086, TU, [ "gnunet" ]); (2101, T, [ "rtcm-sc104" ]);
    (2102, U, [ "zephyr-srv" ]); (2103, U, [ "zephyr-clt" ]); (2104, U, [ "zephyr-hm" ]);
    (2119, T, [ "gsigatekeeper" ]); (2121, T, [ "iprop" ]); (2135, T, [ "gris" ]);
    (2401, T, [ "cvspserver" ]); (2430, TU, [ "venus" ]); (2431, TU, [ "venus-se" ]);
    (2432, TU, [ "codasrv" ]); (2433, TU, [ "codasrv-se" ]); (2583, TU, [ "mon" ]);
    (2600, T, [ "zebrasrv" ]); (2601, T, [ "zebra" ]); (2602, T, [ "ripd" ]);
    (2603, T, [ "ripngd" ]); (2604, T, [ "ospfd" ]); (2605, T, [ "bgpd" ]); (2606, T, [ "ospf6d" ]);
    (2607, T, [ "ospfapi" ]); (2608, T, [ "isisd" ]); (2628, T, [ "dict" ]);
    (2792, T, [ "f5-globalsite" ]); (2811, T, [ "gsiftp" ]); (2947, T, [ "gpsd" ]);
    (3050, T, [ "gds-db"; "gds_db" ]); (3130, U, [ "icpv2"; "icp" ]); (3205, TU, [ "isns" ]);
    (3260, T, [ "iscsi-target" ]); (3306, T, [ "mysql" ]); (3389, T, [ "ms-wbt-server" ]);
    (3493, TU, [ "nut" ]); (3632, T, [ "distcc" ]); (3689, T, [ "daap" ]);
    (3690, T, [ "svn"; "subversion" ]); (4031, T, [ "suucp" ]); (4094, T, [ "sysrqd" ]);
    (4190, T, [ "sieve" ]); (4353, T, [ "f5-iquery" ]); (4369, T, [ "epmd" ]);
    (4373, T, [ "remctl" ]); (4460, T, [ "ntske" ]); (4500, U, [ "ipsec-nat-t" ]);
    (4557, T, [ "fax" ]); (4559, T, [ "hylafax" ]); (4569, U, [ "iax" ]); (4691, T, [ "mtn" ]);
    (4899, T, [ "radmin-port" ]); (4949, T, [ "munin"; "lrrd" ]); (5060, TU, [ "sip" ]);
    (5061, TU, [ "sips"; "sip-tls" ]); (5222, T, [ "xmpp-client"; "jabber-client" ]);
    (5269, T, [ "xmpp-server"; "jabber-server" ]); (5308, T, [ "cfengine" ]); (5353, U, [ "mdns" ]);
    (5432, T, [ "postgresql"; "postgres" ]); (5555, U, [ "rplay" ]);
    (5556, T, [ "freeciv"; "rptp" ]); (5666, T, [ "nrpe" ]); (5667, T, [ "nsca" ]);
    (5671, T, [ "amqps" ]); (5672, T, [ "amqp" ]); (5680, T, [ "canna" ]); (5683, TU, [ "coap" ]);
    (5684, TU, [ "coaps" ]); (6000, T, [ "x11"; "x11-0" ]); (6001, T, [ "x11-1" ]);
    (6002, T, [ "x11-2" ]); (6003, T, [ "x11-3" ]); (6004, T, [ "x11-4" ]); (6005, T, [ "x11-5" ]);
    (6006, T, [ "x11-6" ]); (6007, T, [ "x11-7" ]); (6346, TU, [ "gnutella-svc" ]);
    (6347, TU, [ "gnutella-rtr" ]); (6379, T, [ "redis" ]);
    (6444, T, [ "sge-qmaster"; "sge_qmaster" ]); (6445, T, [ "sge-execd"; "sge_execd" ]);
    (6446, T, [ "mysql-proxy" ]); (6514, T, [ "syslog-tls" ]);
    (6566, T, [ "sane-port"; "sane"; "saned" ]); (6667, T, [ "ircd" ]); (6696, U, [ "babel" ]);
    (6697, T, [ "ircs-u" ]); (7000, T, [ "bbs" ]); (7000, U, [ "afs3-fileserver" ]);
    (7001, U, [ "afs3-callback" ]); (7002, U, [ "afs3-prserver" ]); (7003, U, [ "afs3-vlserver" ]);
    (7004, U, [ "afs3-kaserver" ]); (7005, U, [ "afs3-volser" ]); (7007, U, [ "afs3-bos" ]);
    (7008, U, [ "afs3-update" ]); (7009, U, [ "afs3-rmtsys" ]);
    (7100, T, [ "font-service"; "xfs" ]); (8021, T, [ "zope-ftp" ]);
    (8080, T, [ "http-alt"; "webcache" ]); (8081, T, [ "tproxy" ]); (8088, T, [ "omniorb" ]);
    (8140, T, [ "puppet" ]); (8990, T, [ "clc-build-daemon" ]); (9098, T, [ "xinetd" ]);
    (9101, T, [ "bacula-dir" ]); (9102, T, [ "bacula-fd" ]); (9103, T, [ "bacula-sd" ]);
    (9418, T, [ "git" ]); (9667, T, [ "xmms2" ]); (9673, T, [ "zope" ]); (10000, T, [ "webmin" ]);
    (10050, T, [ "zabbix-agent" ]); (10051, T, [ "zabbix-trapper" ]); (10080, T, [ "amanda" ]);
    (10081, T, [ "kamanda" ]); (10082, T, [ "amandaidx" ]); (10083, T, [ "amidxtape" ]);
    (10809, T, [ "nbd" ]); (11112, T, [ "dicom" ]); (11371, T, [ "hkp" ]); (17500, T, [ "db-lsp" ]);
    (22125, T, [ "dcap" ]); (22128, T, [ "gsidcap" ]); (22273, T, [ "wnn6" ]);
    (24554, T, [ "binkp" ]); (30865, T, [ "csync2" ]); (57000, T, [ "dircproxy" ]);
    (60177, T, [ "tfido" ]); (60179, T, [ "fido" ]);
  ]

let port protocol name =
  List.find_opt (fun (_, known, names) -> over protocol known && List.mem name names) table
  |> Option.map (fun (port, _, _) -> port)

let name protocol port =
  List.find_opt (fun (p, known, _) -> p = port && over protocol known) table
  |> Option.map (fun (_, _, names) -> List.hd names)
