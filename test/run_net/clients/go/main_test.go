package main

import (
	"io"
	"net/http"
	"os"
	"testing"
)

// Three attempts: on a network that loses and resets, one is not enough.
func TestPage(t *testing.T) {
	var err error
	for i := 0; i < 3; i++ {
		var r *http.Response
		if r, err = http.Get(os.Getenv("PAGE")); err != nil {
			continue
		}
		var b []byte
		if b, err = io.ReadAll(r.Body); err == nil {
			if len(b) != 100000 {
				t.Fatal(len(b), "bytes")
			}
			return
		}
	}
	t.Fatal(err)
}
