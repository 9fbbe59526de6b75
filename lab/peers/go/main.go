// The codecs study's message through Go's protobuf and encoding/json;
// ../README.md says what a peer reads and answers.
package main

import (
	"bufio"
	"bytes"
	"encoding/json"
	"fmt"
	"log"
	"os"
	"syscall"
	"time"
	"unsafe"

	"google.golang.org/protobuf/proto"

	"peer/large"
	"peer/payload"
)

type fifth struct {
	First  string `json:"first,omitempty"`
	Second string `json:"second,omitempty"`
	Third  string `json:"third,omitempty"`
	Fourth string `json:"fourth,omitempty"`
}

type message struct {
	First  bool    `json:"first,omitempty"`
	Second bool    `json:"second,omitempty"`
	Third  float64 `json:"third,omitempty"`
	Fourth int32   `json:"fourth,omitempty"`
	Fifth  []fifth `json:"fifth,omitempty"`
	Sixth  []int32 `json:"sixth,omitempty"`
}

func must(err error) {
	if err != nil {
		log.Fatal(err)
	}
}

func cpuNs() int64 {
	const processCPU = 2 // CLOCK_PROCESS_CPUTIME_ID of Linux
	var t syscall.Timespec
	syscall.RawSyscall(syscall.SYS_CLOCK_GETTIME, processCPU, uintptr(unsafe.Pointer(&t)), 0)
	return t.Nano()
}

// What is kept here is not optimised away.
var (
	sink      any
	sinkBytes []byte
)

func serve[T any](data []byte, read func([]byte) *T, write func(*T) []byte, into func(*T, []byte) []byte) {
	value := read(data)
	if !bytes.Equal(write(value), data) {
		log.Fatal("what was read is written otherwise")
	}
	fmt.Printf("ready %d\n", len(data))
	in := bufio.NewScanner(os.Stdin)
	for in.Scan() {
		var test string
		var runs int
		_, err := fmt.Sscan(in.Text(), &test, &runs)
		must(err)
		cpu, wall := cpuNs(), time.Now()
		switch test {
		case "read":
			for i := 0; i < runs; i++ {
				sink = read(data)
			}
		case "write":
			for i := 0; i < runs; i++ {
				sinkBytes = write(value)
			}
		case "write-into":
			for i := 0; i < runs; i++ {
				sinkBytes = into(value, sinkBytes[:0])
			}
		case "rw":
			for i := 0; i < runs; i++ {
				sink = read(write(value))
			}
		default:
			log.Fatal("no test ", test)
		}
		fmt.Printf("%d %d\n", cpuNs()-cpu, time.Since(wall).Nanoseconds())
	}
}

func serveMessage[T any, M interface {
	*T
	proto.Message
}](data []byte, fresh func() M) {
	serve(data,
		func(b []byte) *T {
			m := fresh()
			must(proto.Unmarshal(b, m))
			return (*T)(m)
		},
		func(m *T) []byte {
			b, err := proto.Marshal(M(m))
			must(err)
			return b
		},
		func(m *T, kept []byte) []byte {
			b, err := proto.MarshalOptions{}.MarshalAppend(kept, M(m))
			must(err)
			return b
		})
}

func main() {
	data, err := os.ReadFile(os.Args[2])
	must(err)
	switch os.Args[1] {
	case "protobuf":
		serveMessage(data, func() *payload.Payload { return &payload.Payload{} })
	case "numbers":
		serveMessage(data, func() *large.Numbers { return &large.Numbers{} })
	case "texts":
		serveMessage(data, func() *large.Texts { return &large.Texts{} })
	case "nodes":
		serveMessage(data, func() *large.Nodes { return &large.Nodes{} })
	case "json":
		serve(data,
			func(b []byte) *message {
				m := &message{}
				must(json.Unmarshal(b, m))
				return m
			},
			func(m *message) []byte {
				b, err := json.Marshal(m)
				must(err)
				return b
			},
			func(m *message, kept []byte) []byte {
				w := bytes.NewBuffer(kept)
				must(json.NewEncoder(w).Encode(m))
				return w.Bytes()
			})
	default:
		log.Fatal("no format ", os.Args[1])
	}
}
