// Programs that know nothing of oauth-lab, against an API server: informers of client-go, leader election of controller-runtime, and Vault's
// Kubernetes auth method. Arguments: the name of one, the URL of the server, the file of its CA, the token of an administrator.
// Prints one JSON object.
package main

import (
	"context"
	"encoding/json"
	"fmt"
	"os"
	"time"

	"k8s.io/client-go/rest"
)

func must[T any](value T, err error) T {
	check(err)
	return value
}

func check(err error) {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
}

// server is the API server that a program uses, with the token of an administrator.
type server struct {
	url, caFile, token string
}

func (s server) config() *rest.Config {
	return &rest.Config{
		Host:            s.url,
		BearerToken:     s.token,
		TLSClientConfig: rest.TLSClientConfig{CAFile: s.caFile},
		QPS:             -1,
	}
}

func main() {
	ctx, cancel := context.WithTimeout(context.Background(), 90*time.Second)
	defer cancel()
	programs := map[string]func(context.Context, server) any{
		"informers": informers,
		"kinds":     kinds,
		"leaders":   leaders,
		"lists":     lists,
		"pods":      pods,
		"vault":     vault,
	}
	answer := programs[os.Args[1]](ctx, server{url: os.Args[2], caFile: os.Args[3], token: os.Args[4]})
	check(json.NewEncoder(os.Stdout).Encode(answer))
}
