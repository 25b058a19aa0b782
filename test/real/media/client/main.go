// client: a call of two, one that publishes audio and one that counts what arrives.
//
// With -to it makes no call: it asks one of the room's TURN servers for a relay, and through that for what listens there.
//
// Prints one JSON object a line: {"event":"media",…} as soon as -packets arrived, and again, with how long the
// longest silence was, when its input closes (with -hold). Exit: 0 media arrived, 1 not, with the reason.
package main

import (
	"encoding/json"
	"flag"
	"fmt"
	"io"
	"os"
	"time"
)

type report struct {
	Event     string `json:"event"`
	Packets   int    `json:"packets"`
	SilenceMs int64  `json:"silenceMs"`
	// FirstMs: from the moment the publisher began to join until its first packet arrived.
	FirstMs    int64  `json:"firstMs"`
	Publisher  path   `json:"publisher"`
	Subscriber path   `json:"subscriber"`
	Left       string `json:"left"`
	// Offered are the addresses that the server offers to the one who counts.
	Offered []string `json:"offered"`
	Seconds float64  `json:"seconds"`
}

func main() {
	var how connection
	publisherToken := flag.String("publisher", "", "token of the one who publishes")
	subscriberToken := flag.String("subscriber", "", "token of the one who counts")
	packets := flag.Int("packets", 50, "how many packets are media")
	patience := flag.Duration("patience", 25*time.Second, "how long to wait for them")
	hold := flag.Bool("hold", false, "go on until the input closes")
	to := flag.String("to", "", "what a relay is asked for: udp:ADDRESS:PORT or tcp:ADDRESS:PORT")
	flag.StringVar(&how.url, "url", "", "wss://…")
	flag.StringVar(&how.servers, "servers", "all", "which TURN servers to use: all, udp, tls or none")
	flag.BoolVar(&how.relayOnly, "relay", false, "use no direct path")
	flag.Parse()

	if *to != "" {
		guest, err := join(how, *publisherToken, nil)
		if err != nil {
			fail("the guest", err)
		}
		defer guest.leave()
		answer, err := guest.throughRelay(*to)
		if err != nil {
			fail("the relay", err)
		}
		fmt.Println(answer)
		return
	}
	began := time.Now()
	heard := newCounter(*packets)
	subscriber, err := join(how, *subscriberToken, heard)
	if err != nil {
		fail("the subscriber", err)
	}
	defer subscriber.leave()
	joining := time.Now()
	publisher, err := join(how, *publisherToken, nil)
	if err != nil {
		fail("the publisher", err)
	}
	defer publisher.leave()
	if err := publisher.publish(); err != nil {
		fail("the publisher", err)
	}
	say := func(event string) {
		count, silence := heard.read()
		_ = json.NewEncoder(os.Stdout).Encode(report{
			Event: event, Packets: count, SilenceMs: silence.Milliseconds(),
			FirstMs:   heard.firstAfter(joining).Milliseconds(),
			Publisher: publisher.path(), Subscriber: subscriber.path(),
			Left: publisher.left() + subscriber.left(), Seconds: time.Since(began).Seconds(),
			Offered: subscriber.offers(),
		})
	}
	select {
	case <-heard.enough:
		say("media")
	case <-time.After(*patience):
		count, _ := heard.read()
		say("silence")
		fail("the call", fmt.Errorf("%d packets arrived in %s; publisher %s, subscriber %s",
			count, *patience, publisher.state(), subscriber.state()))
	}
	if *hold {
		_, _ = io.Copy(io.Discard, os.Stdin)
		say("end")
	}
}

func fail(who string, err error) {
	fmt.Fprintf(os.Stderr, "%s: %v\n", who, err)
	os.Exit(1)
}
