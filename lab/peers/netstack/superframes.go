package main

import (
	"encoding/binary"

	"golang.org/x/sys/unix"
	"gvisor.dev/gvisor/pkg/buffer"
	"gvisor.dev/gvisor/pkg/tcpip"
	"gvisor.dev/gvisor/pkg/tcpip/header"
	"gvisor.dev/gvisor/pkg/tcpip/stack"
)

// superFrames has virtio's header before each frame (linux/virtio_net.h), so
// that frames may be of 64 KB and need no checksums.
type superFrames struct {
	stack.LinkEndpoint
	attached bool
}

const (
	virtioHeader = 10
	needsSum     = 1
	gsoTCPv4     = 1
	maxFrame     = 65535
	small        = 2048
)

func (e *superFrames) GSOMaxSize() uint32               { return maxFrame }
func (e *superFrames) SupportedGSO() stack.SupportedGSO { return stack.HostGSOSupported }
func (e *superFrames) IsAttached() bool                 { return e.attached }

func (e *superFrames) Attach(d stack.NetworkDispatcher) {
	if d != nil && !e.attached {
		e.attached = true
		go e.receive(d)
	}
}

func (e *superFrames) receive(d stack.NetworkDispatcher) {
	head := make([]byte, virtioHeader)
	first, rest := buffer.NewViewSize(small), buffer.NewViewSize(buffer.MaxChunkSize)
	waiting := []unix.PollFd{{Fd: 0, Events: unix.POLLIN}}
	for {
		n, err := unix.Readv(0, [][]byte{head, first.AsSlice(), rest.AsSlice()})
		switch {
		case err == unix.EAGAIN:
			_, _ = unix.Poll(waiting, -1)
			continue
		case err == unix.EINTR || err == nil && n <= virtioHeader:
			continue
		case err != nil:
			check("the TAP", err)
		}
		n -= virtioHeader
		first.CapLength(min(n, small))
		frame := buffer.MakeWithView(first)
		if n > small {
			rest.CapLength(n - small)
			_ = frame.Append(rest)
			rest = buffer.NewViewSize(buffer.MaxChunkSize)
		}
		first = buffer.NewViewSize(small)
		pkt := stack.NewPacketBuffer(stack.PacketBufferOptions{Payload: frame})
		pkt.RXChecksumValidated = true
		if e.ParseHeader(pkt) {
			d.DeliverNetworkPacket(pkt.NetworkProtocolNumber, pkt)
		}
		pkt.DecRef()
	}
}

func (e *superFrames) WritePackets(pkts stack.PacketBufferList) (int, tcpip.Error) {
	n := 0
	for _, pkt := range pkts.AsSlice() {
		var h [virtioHeader]byte
		o := pkt.GSOOptions
		if o.Type != stack.GSONone {
			binary.LittleEndian.PutUint16(h[2:], uint16(pkt.HeaderSize()))
			if o.NeedsCsum {
				h[0] = needsSum
				binary.LittleEndian.PutUint16(h[6:], header.EthernetMinimumSize+o.L3HdrLen)
				binary.LittleEndian.PutUint16(h[8:], o.CsumOffset)
			}
			if pkt.Data().Size() > int(o.MSS) {
				h[1] = gsoTCPv4
				binary.LittleEndian.PutUint16(h[4:], o.MSS)
			}
		}
		parts := append([][]byte{h[:]}, pkt.AsSlices()...)
		if _, err := unix.Writev(0, parts); err != nil {
			return n, &tcpip.ErrAborted{}
		}
		n++
	}
	return n, nil
}
