#!/usr/bin/env python3
"""Records the captures in this folder from the Linux kernel, one file a topic.

    scripts/with-ocaml unshare -n python3 test/wire/captures/make.py
    scripts/with-ocaml unshare -n python3 test/wire/captures/make.py ipv6

    unshare -mn python3 test/wire/captures/make.py dhcp

The third makes dhcp.pcap with dnsmasq as the server at 10.0.0.2 and udhcpc as the
client. The second makes ipv6.pcap, in the same way with fd00::1, fd00::2 | fd00:1::1 and
fd00:1::2 behind a link of MTU 1280. Needs root and Python 3.12. Three namespaces: this one, 10.0.0.1, a router
10.0.0.2 | 10.0.1.1 behind veth `near`, and 10.0.1.2 behind a link of MTU 1000.
Checksum and segmentation offloads are off, so frames look as they would on a
wire. Recorded is what passes `near`. After a new recording the .expected files
must be promoted (WEIR_PROMOTE=1), and two files made again in this folder:

    editcap -F pcapng -r icmp.pcap icmp.pcapng 1-8
    editcap -F pcap -r icmp.pcap icmp-us.pcap 1-8
"""
import ctypes, fcntl, os, socket, struct, subprocess, sys, threading, time

HERE = os.path.dirname(os.path.abspath(__file__))
A, R, B = "10.0.0.1", "10.0.0.2", "10.0.1.2"
own_namespace = os.open("/proc/self/ns/net", os.O_RDONLY)


def run(command, check=True):
    subprocess.run(command, shell=True, check=check, stdout=subprocess.DEVNULL)


class Namespace:
    def __init__(self):
        self.process = subprocess.Popen(["unshare", "-n", "sleep", "infinity"])
        self.pid = self.process.pid
        while os.readlink(f"/proc/{self.pid}/ns/net") == os.readlink("/proc/self/ns/net"):
            time.sleep(0.01)

    def run(self, command):
        run(f"nsenter -t {self.pid} -n sh -c '{command}'")

    def __enter__(self):
        fd = os.open(f"/proc/{self.pid}/ns/net", os.O_RDONLY)
        os.setns(fd, os.CLONE_NEWNET)
        os.close(fd)

    def __exit__(self, *_):
        os.setns(own_namespace, os.CLONE_NEWNET)


def no_offload(device):
    """What `ethtool -K device tx off gso off tso off` does."""
    s = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    for command in (0x17, 0x24, 0x1F):  # ETHTOOL_STXCSUM, SGSO, STSO
        value = ctypes.create_string_buffer(struct.pack("II", command, 0))
        request = struct.pack("16sP", device.encode(), ctypes.addressof(value))
        fcntl.ioctl(s, 0x8946, request + bytes(40 - len(request)))  # SIOCETHTOOL
    s.close()


class Record:
    """Writes what passes `near` in the body to a nanosecond pcap."""

    def __init__(self, name):
        self.file = open(os.path.join(HERE, name + ".pcap"), "wb")
        self.file.write(struct.pack("<IHHIIII", 0xA1B23C4D, 2, 4, 0, 0, 65535, 1))

    def __enter__(self):
        self.socket = socket.socket(socket.AF_PACKET, socket.SOCK_RAW, socket.htons(3))
        self.socket.bind(("near", 3))
        self.thread = threading.Thread(target=self.loop)
        self.running = True
        self.thread.start()

    def loop(self):
        self.socket.settimeout(0.1)
        while self.running:
            try:
                frame = self.socket.recv(65536)
            except OSError:  # nothing came, or the link is down
                continue
            now = time.time_ns()
            header = struct.pack("<IIII", now // 10**9, now % 10**9, len(frame), len(frame))
            self.file.write(header + frame)

    def __exit__(self, *_):
        time.sleep(0.3)
        self.running = False
        self.thread.join()
        self.socket.close()
        self.file.close()


def pattern(n):
    return bytes((i * 7 + i // 251) & 255 for i in range(n))


def ping(arguments):
    run(f"ping -n -q {arguments}", check=False)


def arp_and_icmp():
    with Record("icmp"):
        run("ip neigh flush all")
        ping(f"-c 2 -i 0.2 {R}")
        ping(f"-c 1 -s 33 {R}")  # an odd length
        ping(f"-c 1 -s 0 -Q 0xb8 {R}")
        ping(f"-c 1 -s 3000 {R}")  # three fragments each way
        ping(f"-c 1 -R {R}")  # record route: 40 bytes of options
        ping(f"-c 1 -T tsonly {R}")
        ping(f"-c 1 -t 1 {B}")  # TTL exceeded at the router
        ping(f"-c 1 -W 1 -M do -s 1400 {B}")  # fragmentation needed
        ping("-c 1 -W 4 10.0.1.9")  # nobody there: host unreachable
        ping("-c 3 -i 1 -W 1 10.9.9.9")  # net unreachable, once the rate limit lets it
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, 200)
        raw.sendto(b"protocol 200", (R, 0))  # protocol unreachable
        raw.close()
        raw = socket.socket(socket.AF_INET, socket.SOCK_RAW, socket.IPPROTO_RAW)
        route = bytes([0x83, 3, 2, 0])  # a source route whose pointer is wrong
        datagram = struct.pack("!HHHH", 7777, 7, 8, 0)
        header = struct.pack("!BBHHBBBBH4s4s", 0x46, 0, 32, 1, 0, 0, 64, 17, 0,
                             socket.inet_aton(A), socket.inet_aton(R))
        raw.sendto(header + route + datagram, (R, 0))
        raw.close()


def udp(router):
    with router:
        server = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
        server.bind((R, 7))
    client = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
    with Record("udp"):
        for size in (0, 1, 64, 1471, 1472, 4001):
            client.sendto(pattern(size), (R, 7))
            data, peer = server.recvfrom(65536)
            server.sendto(data, peer)
        client.setsockopt(socket.SOL_SOCKET, 11, 1)  # SO_NO_CHECK
        client.sendto(b"not summed", (R, 7))
        client.sendto(b"nobody listens", (R, 9))
        client.sendto(pattern(64), (B, 9))
    client.close()
    server.close()


def connection(router, port, before=lambda s: None):
    with router:
        listener = socket.create_server((R, port), reuse_port=False)
    client = socket.socket()
    before(client)
    client.connect((R, port))
    server, _ = listener.accept()
    listener.close()
    return client, server


def exchange(client, server, size):
    sender = threading.Thread(target=lambda: (client.sendall(pattern(size)),
                                              client.shutdown(socket.SHUT_WR)))
    sender.start()
    while server.recv(65536):
        pass
    server.sendall(pattern(size // 2))
    server.close()
    while client.recv(65536):
        pass
    sender.join()
    client.close()


def tcp(router):
    with Record("tcp"):
        exchange(*connection(router, 80), 6000)
        client, server = connection(router, 81)
        client.send(b"urgent", socket.MSG_OOB)
        client.setsockopt(socket.SOL_SOCKET, socket.SO_LINGER, struct.pack("ii", 1, 0))
        time.sleep(0.1)
        client.close()  # a reset
        server.close()
        try:
            socket.create_connection((R, 82))  # refused
        except ConnectionRefusedError:
            pass
    with Record("tcp-plain"):  # neither timestamps nor window scale nor SACK
        for name in ("timestamps", "window_scaling", "sack"):
            run(f"sysctl -qw net.ipv4.tcp_{name}=0")
        exchange(*connection(router, 83), 3000)
        run("sysctl -qw net.ipv4.tcp_sack=1")
        exchange(*connection(router, 84), 500)
        run("sysctl -qw net.ipv4.tcp_window_scaling=1")
        exchange(*connection(router, 85), 500)
        run("sysctl -qw net.ipv4.tcp_timestamps=1 net.ipv4.tcp_ecn=1")
        exchange(*connection(router, 86), 500)


def tcp_loss(router):
    """Losses, so that SACK blocks are sent: with timestamps up to 3, without them 4."""
    router.run("nft add table t; nft add chain t in { type filter hook input priority 0 \\; }; "
               "nft add rule t in tcp dport 90 meta length 200-300 numgen inc mod 4 2 drop; "
               "nft add rule t in tcp dport 91 meta length 200-300 numgen inc mod 2 1 drop")
    small = lambda s: s.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 212)
    with Record("tcp-sack"):
        exchange(*connection(router, 90, small), 5000)
        run("sysctl -qw net.ipv4.tcp_timestamps=0")
        exchange(*connection(router, 91, small), 3000)


A6, R6, B6 = "fd00::1", "fd00::2", "fd00:1::2"


def udp6(port, data, to=R6):
    client = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
    client.sendto(data, (to, port))
    client.close()


def raw6(next_header, payload, to=R6):
    raw = socket.socket(socket.AF_INET6, socket.SOCK_RAW, next_header)
    raw.sendto(payload, (to, 0))
    raw.close()


def ipv6(router):
    with Record("ipv6"):
        run("ip link set near up")  # duplicate address detection, router solicitation, MLD
        router.run("ip link set gate up")
        time.sleep(4)
        ping(f"-6 -c 2 -i 0.2 {R6}")
        ping(f"-6 -c 1 -s 33 -Q 0xb8 {R6}")
        ping(f"-6 -c 1 -s 3000 {R6}")  # three fragments each way
        ping(f"-6 -c 1 -t 1 {B6}")  # hop limit exceeded at the router
        ping(f"-6 -c 1 -W 1 -M do -s 1400 {B6}")  # packet too big
        ping("-6 -c 1 -W 4 fd00:1::9")  # nobody there: address unreachable
        ping("-6 -c 1 -W 1 fd00:9::9")  # no route
        with router:
            server = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
            server.bind((R6, 7))
        client = socket.socket(socket.AF_INET6, socket.SOCK_DGRAM)
        for size in (0, 1, 64, 1452, 4001):
            client.sendto(pattern(size), (R6, 7))
            data, peer = server.recvfrom(65536)
            server.sendto(data, peer)
        client.close()
        server.close()
        udp6(9, b"nobody listens")
        raw6(200, b"protocol 200")  # unknown next header
        # Destination options: one to skip, one that must be reported.
        raw6(60, bytes([59, 0, 0x1E, 4, 1, 2, 3, 4]))
        raw6(60, bytes([59, 0, 0x9E, 4, 1, 2, 3, 4]))
        with router:
            listener = socket.create_server((R6, 80), family=socket.AF_INET6)
        client = socket.create_connection((R6, 80))
        server, _ = listener.accept()
        exchange(client, server, 6000)
        listener.close()
        try:
            socket.create_connection((R6, 82))  # refused
        except ConnectionRefusedError:
            pass


def main_ipv6():
    router, far = Namespace(), Namespace()
    try:
        run(f"ip link add name near type veth peer name gate netns {router.pid}")
        router.run(f"ip link add name gate2 type veth peer name far netns {far.pid}")
        quiet = "sysctl -qw net.ipv4.tcp_congestion_control=reno net.ipv6.conf.default.use_tempaddr=0"
        run(f"{quiet}; ip link set lo up; ip addr add {A6}/64 dev near; "
            f"ip link set near address 02:00:00:00:00:01")
        router.run(f"{quiet} net.ipv6.conf.all.forwarding=1 net.ipv6.icmp.ratelimit=0; "
                   f"ip addr add {R6}/64 dev gate; ip link set gate address 02:00:00:00:00:02; "
                   "ip addr add fd00:1::1/64 dev gate2 nodad; ip link set gate2 mtu 1280 up")
        far.run(f"{quiet}; ip addr add {B6}/64 dev far nodad; ip link set far mtu 1280 up; "
                "ip -6 route add default via fd00:1::1")
        no_offload("near")
        with router:
            no_offload("gate")
        threading.Timer(2, lambda: run(f"ip -6 route add default via {R6}", check=False)).start()
        ipv6(router)
    finally:
        for namespace in (router, far):
            namespace.process.kill()


def lease(arguments):
    """Runs a client until it has a lease or has tried three times; it releases none."""
    run(f"udhcpc -f -q -n -i near -s /bin/true {arguments}", check=False)


def main_dhcp():
    server = Namespace()
    common = ("dnsmasq -d -C /dev/null -p 0 -i gate --no-ping --dhcp-leasefile=/tmp/leases "
              "--dhcp-authoritative")
    network = "--dhcp-range=10.0.0.50,10.0.0.99,255.255.255.0,1h"
    options = ("--dhcp-option=3,10.0.0.2 --dhcp-option=6,10.0.0.2,192.0.2.53 --domain=weir.example "
               "--dhcp-option-force=119,weir.example,lab.weir.example --dhcp-option-force=26,1400 "
               "--dhcp-option-force=121,0.0.0.0/0,10.0.0.2,198.51.100.0/24,10.0.0.3")
    long = " ".join(f"--dhcp-option-force={n},{'x' * 100}" for n in (224, 225, 226, 227))

    def served(arguments, body):
        process = subprocess.Popen(
            ["nsenter", "-t", str(server.pid), "-n", "sh", "-c",
             f"exec {common} {arguments} 2>/dev/null"])
        time.sleep(1)
        body()
        process.terminate()
        process.wait()

    try:
        run("mount -t tmpfs tmpfs /tmp")
        run(f"ip link add name near type veth peer name gate netns {server.pid}")
        quiet = "sysctl -qw net.ipv6.conf.all.disable_ipv6=1"
        run(f"{quiet}; ip link set lo up; ip link set near address 02:00:00:00:00:01 up")
        server.run(f"{quiet}; ip link set lo up; ip link set gate address 02:00:00:00:00:02 up; "
                   "ip addr add 10.0.0.2/24 dev gate")
        no_offload("near")
        server.run(f"python3 {__file__} no-offload gate")
        time.sleep(0.5)
        with Record("dhcp"):
            served(f"{network} {options}", lambda: lease("-x hostname:near -O 119 -O 121 -O 26"))
            served(f"{network} {options}", lambda: lease("-B -R -r 10.0.0.60 -F near"))
            served(f"{network} {long}", lambda: lease("-O 224"))  # more than the field holds
            served("--dhcp-range=10.0.0.200,10.0.0.210,255.255.255.0,2m", lambda: lease("-r 10.0.0.60"))
    finally:
        server.process.kill()


def main():
    router, far = Namespace(), Namespace()
    try:
        run(f"ip link add name near type veth peer name gate netns {router.pid}")
        router.run(f"ip link add name gate2 type veth peer name far netns {far.pid}")
        quiet = "sysctl -qw net.ipv6.conf.all.disable_ipv6=1 net.ipv4.tcp_congestion_control=reno"
        run(f"{quiet}; ip link set lo up; ip addr add {A}/24 dev near; ip link set near address 02:00:00:00:00:01 up")
        run(f"ip route add 10.0.1.0/24 via {R}; ip route add 10.9.9.0/24 via {R}")
        router.run(f"{quiet}; ip addr add {R}/24 dev gate; ip link set gate address 02:00:00:00:00:02 up; "
                   "ip addr add 10.0.1.1/24 dev gate2; ip link set gate2 mtu 1000 up; "
                   "sysctl -qw net.ipv4.ip_forward=1 net.ipv4.tcp_ecn=1 net.ipv4.icmp_ratelimit=0")
        far.run(f"{quiet}; ip addr add {B}/24 dev far; ip link set far mtu 1000 up; "
                "ip route add default via 10.0.1.1")
        no_offload("near")
        with router:
            no_offload("gate")
            no_offload("gate2")
        with far:
            no_offload("far")
        time.sleep(0.5)
        arp_and_icmp()
        udp(router)
        tcp(router)
        tcp_loss(router)
    finally:
        for namespace in (router, far):
            namespace.process.kill()


if sys.argv[1:2] == ["no-offload"]:
    no_offload(sys.argv[2])
    sys.exit()
{"ipv6": main_ipv6, "dhcp": main_dhcp}.get(" ".join(sys.argv[1:]), main)()
