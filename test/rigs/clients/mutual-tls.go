// A client with a certificate, by net/http of Go: it asks for a token, and calls a resource with it.
// go run mutual-tls.go CA CERTIFICATE KEY CLIENT_ID BASE_URL   prints a status and a body for each answer
package main

import (
	"crypto/tls"
	"crypto/x509"
	"encoding/json"
	"fmt"
	"io"
	"net/http"
	"net/url"
	"os"
)

func must[T any](value T, err error) T {
	if err != nil {
		fmt.Fprintln(os.Stderr, err)
		os.Exit(1)
	}
	return value
}

func read(response *http.Response) (int, string) {
	defer response.Body.Close()
	return response.StatusCode, string(must(io.ReadAll(response.Body)))
}

func main() {
	ca, certificate, key, clientID, base := os.Args[1], os.Args[2], os.Args[3], os.Args[4], os.Args[5]
	pool := x509.NewCertPool()
	pool.AppendCertsFromPEM(must(os.ReadFile(ca)))
	pair := must(tls.LoadX509KeyPair(certificate, key))
	config := &tls.Config{RootCAs: pool, Certificates: []tls.Certificate{pair}}
	client := &http.Client{Transport: &http.Transport{TLSClientConfig: config}}
	form := url.Values{"grant_type": {"client_credentials"}, "client_id": {clientID}}
	status, body := read(must(client.PostForm(base+"/token", form)))
	var tokens struct {
		AccessToken string `json:"access_token"`
	}
	json.Unmarshal([]byte(body), &tokens)
	fmt.Println(status, body)
	request := must(http.NewRequest("GET", base+"/resource", nil))
	request.Header.Set("Authorization", "Bearer "+tokens.AccessToken)
	status, body = read(must(client.Do(request)))
	fmt.Println(status, body)
}
