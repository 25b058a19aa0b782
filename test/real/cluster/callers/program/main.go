// callers: people in calls, each with LiveKit's own SDK for Go, which comes back by itself as an application's would.
//
// Reads one command a line, and answers with JSON, one object a line:
//
//	join ROOM IDENTITY all|relay   joins, publishes audio, and counts what arrives of everybody else in the room
//	leave ROOM IDENTITY
//	mark                           the longest silences are measured from now on
//	report                         every person: whom they hear, and what happened to them
//
// Once its input closes, everybody leaves.
package main

import (
	"bufio"
	"encoding/json"
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"sync"
	"time"
)

type answer struct {
	Event    string   `json:"event"`
	Room     string   `json:"room,omitempty"`
	Identity string   `json:"identity,omitempty"`
	Ms       int64    `json:"ms,omitempty"`
	Why      string   `json:"why,omitempty"`
	People   []report `json:"people,omitempty"`
}

var (
	writing sync.Mutex
	output  = json.NewEncoder(os.Stdout)
)

func say(what answer) {
	writing.Lock()
	defer writing.Unlock()
	_ = output.Encode(what)
}

func main() {
	url := flag.String("url", "", "wss://…")
	key := flag.String("key", "", "API key")
	secret := flag.String("secret", "", "API secret")
	flag.Parse()
	var guard sync.Mutex
	people := map[string]*person{}
	all := func() []*person {
		guard.Lock()
		defer guard.Unlock()
		names := []string{}
		for name := range people {
			names = append(names, name)
		}
		slices.Sort(names)
		found := []*person{}
		for _, name := range names {
			found = append(found, people[name])
		}
		return found
	}
	say(answer{Event: "ready"})
	commands := bufio.NewScanner(os.Stdin)
	for commands.Scan() {
		words := strings.Fields(commands.Text())
		switch {
		case len(words) == 4 && words[0] == "join":
			one := newPerson(words[1], words[2])
			guard.Lock()
			people[words[1]+" "+words[2]] = one
			guard.Unlock()
			go func() {
				began := time.Now()
				if err := one.join(*url, *key, *secret, words[3] == "relay"); err != nil {
					guard.Lock()
					delete(people, words[1]+" "+words[2])
					guard.Unlock()
					one.leave()
					say(answer{Event: "failed", Room: one.room, Identity: one.identity, Why: err.Error()})
					return
				}
				say(answer{Event: "joined", Room: one.room, Identity: one.identity, Ms: time.Since(began).Milliseconds()})
			}()
		case len(words) == 3 && words[0] == "leave":
			guard.Lock()
			one := people[words[1]+" "+words[2]]
			delete(people, words[1]+" "+words[2])
			guard.Unlock()
			if one != nil {
				one.leave()
			}
			say(answer{Event: "left", Room: words[1], Identity: words[2]})
		case len(words) == 1 && words[0] == "mark":
			for _, one := range all() {
				one.mark()
			}
			say(answer{Event: "marked"})
		case len(words) == 1 && words[0] == "report":
			reports := []report{}
			for _, one := range all() {
				reports = append(reports, one.report())
			}
			say(answer{Event: "report", People: reports})
		default:
			fmt.Fprintf(os.Stderr, "Unknown: %q\n", commands.Text())
			os.Exit(2)
		}
	}
	for _, one := range all() {
		one.leave()
	}
}
