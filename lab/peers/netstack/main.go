// gVisor's netstack over a TAP that is standard input: bulk in, bulk out, HTTP.
// peer in|out|http plain|offload BYTES ANSWER (see ../README.md).
package main

import (
	"errors"
	"fmt"
	"io"
	"log"
	"net"
	"os"
	"strconv"
	"time"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/adapters/gonet"
	"gvisor.dev/gvisor/pkg/tcpip/link/fdbased"
	"gvisor.dev/gvisor/pkg/tcpip/network/arp"
	"gvisor.dev/gvisor/pkg/tcpip/network/ipv4"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
	"gvisor.dev/gvisor/pkg/tcpip/transport/tcp"
)

const piece = 131072

func check(what string, err any) {
	switch e := err.(type) {
	case nil:
	case error:
		log.Fatalf("netstack: %s: %v", what, e)
	case tcpip.Error:
		log.Fatalf("netstack: %s: %v", what, e)
	}
}

// netstack's own device, or with offload one that makes it speak virtio's
// headers: netstack itself uses them on sockets only.
func device(offload bool) stack.LinkEndpoint {
	link, err := fdbased.New(&fdbased.Options{
		FDs:            []int{0},
		MTU:            1500,
		EthernetHeader: true,
		Address:        tcpip.LinkAddress("\x02\x00\x00\x00\x00\x0b"),
		// Of what is sent, data has its sum left to the device as a super-frame
		// would; the rest is summed.
		RXChecksumOffload: offload,
	})
	check("the device", err)
	if offload {
		return &superFrames{LinkEndpoint: link}
	}
	return link
}

func network(offload bool) *stack.Stack {
	s := stack.New(stack.Options{
		NetworkProtocols:   []stack.NetworkProtocolFactory{ipv4.NewProtocol, arp.NewProtocol},
		TransportProtocols: []stack.TransportProtocolFactory{tcp.NewProtocol},
	})
	if err := s.CreateNIC(1, device(offload)); err != nil {
		check("the interface", err)
	}
	address := tcpip.AddressWithPrefix{Address: tcpip.AddrFrom4([4]byte{10, 0, 0, 11}), PrefixLen: 24}
	if err := s.AddProtocolAddress(1, tcpip.ProtocolAddress{
		Protocol: ipv4.ProtocolNumber, AddressWithPrefix: address}, stack.AddressProperties{}); err != nil {
		check("the address", err)
	}
	s.SetRouteTable([]tcpip.Route{{Destination: address.Subnet(), NIC: 1}})
	return s
}

func bulkIn(c net.Conn) {
	b := make([]byte, piece)
	for {
		if _, err := c.Read(b); errors.Is(err, io.EOF) {
			return
		} else if err != nil {
			check("reading", err)
		}
	}
}

func bulkOut(c *gonet.TCPConn, bytes int) {
	b := make([]byte, piece)
	for i := range b {
		b[i] = byte(i * 7)
	}
	for bytes > 0 {
		n, err := c.Write(b[:min(bytes, piece)])
		check("writing", err)
		bytes -= n
	}
	check("the end", c.CloseWrite())
	bulkIn(c)
}

// Each end of a request's head is answered.
func answer(c net.Conn, text []byte) {
	defer c.Close()
	b := make([]byte, 8192)
	matched := 0
	for {
		n, err := c.Read(b)
		if err != nil {
			return
		}
		for _, x := range b[:n] {
			switch {
			case x == "\r\n\r\n"[matched]:
				matched++
			case x == '\r':
				matched = 1
			default:
				matched = 0
			}
			if matched == 4 {
				matched = 0
				if _, err := c.Write(text); err != nil {
					return
				}
			}
		}
	}
}

func main() {
	if len(os.Args) != 5 {
		fmt.Fprintln(os.Stderr, "netstack: in|out|http plain|offload BYTES ANSWER, a TAP as standard input")
		os.Exit(2)
	}
	test, offload := os.Args[1], os.Args[2] == "offload"
	bytes, err := strconv.Atoi(os.Args[3])
	check("BYTES", err)
	port := uint16(5001)
	if test == "http" {
		port = 80
	}
	check("nonblocking", unix.SetNonblock(0, true))
	listener, err := gonet.ListenTCP(network(offload), tcpip.FullAddress{NIC: 1, Port: port}, ipv4.ProtocolNumber)
	check("listening", err)
	fmt.Println("ready")
	for {
		c, err := listener.Accept()
		check("accepting", err)
		switch test {
		case "http":
			go answer(c, []byte(os.Args[4]))
			continue
		case "in":
			bulkIn(c)
		case "out":
			bulkOut(c.(*gonet.TCPConn), bytes)
		}
		c.Close()
		// Its end is to leave, and to be acknowledged.
		time.Sleep(100 * time.Millisecond)
		return
	}
}
