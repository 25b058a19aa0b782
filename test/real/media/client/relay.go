package main

import (
	"crypto/tls"
	"fmt"
	"net"
	"strings"
	"time"

	"github.com/pion/turn/v5"
)

// throughRelay sends a line to an address as any guest of a room can: with the credentials of the room's TURN server,
// by a relay of UDP from TURN over UDP, or by one of TCP (RFC 6062) from TURN over TLS. It returns the first answer.
func (one *participant) throughRelay(to string) (string, error) {
	protocol, address, _ := strings.Cut(to, ":")
	scheme := map[string]string{"udp": "turn:", "tcp": "turns:"}[protocol]
	for _, server := range one.servers {
		for _, url := range server.Urls {
			if !strings.HasPrefix(url, scheme) {
				continue
			}
			host, _, _ := strings.Cut(strings.TrimPrefix(url, scheme), "?")
			config := &turn.ClientConfig{STUNServerAddr: host, TURNServerAddr: host,
				Username: server.Username, Password: server.Credential}
			if protocol == "udp" {
				return overUDP(config, address)
			}
			return overTCP(config, host, address)
		}
	}
	return "", fmt.Errorf("the room has no server for %s", to)
}

func overUDP(config *turn.ClientConfig, address string) (string, error) {
	conn, err := net.ListenPacket("udp4", "0.0.0.0:0")
	if err != nil {
		return "", err
	}
	defer conn.Close()
	config.Conn = conn
	client, err := listening(config)
	if err != nil {
		return "", err
	}
	defer client.Close()
	relay, err := client.Allocate()
	if err != nil {
		return "", fmt.Errorf("allocate: %w", err)
	}
	defer relay.Close()
	peer, err := net.ResolveUDPAddr("udp4", address)
	if err != nil {
		return "", err
	}
	answer := make([]byte, 1500)
	for range 10 {
		if _, err := relay.WriteTo([]byte("hello\n"), peer); err != nil {
			return "", fmt.Errorf("permission: %w", err)
		}
		_ = relay.SetReadDeadline(time.Now().Add(300 * time.Millisecond))
		if size, _, err := relay.ReadFrom(answer); err == nil {
			return string(answer[:size]), nil
		}
	}
	return "", fmt.Errorf("no answer")
}

func overTCP(config *turn.ClientConfig, host, address string) (string, error) {
	control, err := tls.Dial("tcp", host, nil)
	if err != nil {
		return "", err
	}
	defer control.Close()
	config.Conn = turn.NewSTUNConn(relayed{control})
	client, err := listening(config)
	if err != nil {
		return "", err
	}
	defer client.Close()
	relay, err := client.AllocateTCP()
	if err != nil {
		return "", fmt.Errorf("allocate: %w", err)
	}
	defer relay.Close()
	raw, err := net.Dial("tcp", host)
	if err != nil {
		return "", err
	}
	defer raw.Close()
	name, _, _ := net.SplitHostPort(host)
	data := secured{raw.(*net.TCPConn), tls.Client(raw, &tls.Config{ServerName: name})}
	peer, err := relay.DialWithConn(data, "tcp", address)
	if err != nil {
		return "", fmt.Errorf("connect: %w", err)
	}
	answer := make([]byte, 1500)
	_ = peer.SetReadDeadline(time.Now().Add(5 * time.Second))
	size, err := peer.Read(answer)
	if err != nil {
		return "", fmt.Errorf("connected, and: %w", err)
	}
	return string(answer[:size]), nil
}

// secured is the second connection of a relay of TCP: pion wants one of TCP, and what goes over it goes over TLS.
type secured struct {
	*net.TCPConn
	over *tls.Conn
}

func (one secured) Read(bytes []byte) (int, error)  { return one.over.Read(bytes) }
func (one secured) Write(bytes []byte) (int, error) { return one.over.Write(bytes) }

func listening(config *turn.ClientConfig) (*turn.Client, error) {
	client, err := turn.NewClient(config)
	if err != nil {
		return nil, err
	}
	if err := client.Listen(); err != nil {
		client.Close()
		return nil, err
	}
	return client, nil
}
