// Fetches its argument and prints the status and the length, or the error.
package main

import (
	"fmt"
	"io"
	"net/http"
	"os"
)

func main() {
	r, err := http.Get(os.Args[1])
	if err != nil {
		fmt.Println(err)
		os.Exit(1)
	}
	b, err := io.ReadAll(r.Body)
	fmt.Println(r.StatusCode, len(b), err)
}
