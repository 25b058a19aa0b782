package main

import (
	"sync"
	"time"
)

// counter counts packets and measures the longest time without one, the present silence included.
type counter struct {
	lock    sync.Mutex
	wanted  int
	packets int
	first   time.Time
	last    time.Time
	silence time.Duration
	enough  chan struct{}
}

func newCounter(wanted int) *counter {
	return &counter{wanted: wanted, enough: make(chan struct{})}
}

func (one *counter) count() {
	one.lock.Lock()
	defer one.lock.Unlock()
	now := time.Now()
	if one.packets > 0 {
		one.silence = max(one.silence, now.Sub(one.last))
	}
	one.last = now
	if one.packets == 0 {
		one.first = now
	}
	one.packets++
	if one.packets == one.wanted {
		close(one.enough)
	}
}

func (one *counter) read() (int, time.Duration) {
	one.lock.Lock()
	defer one.lock.Unlock()
	if one.packets == 0 {
		return 0, 0
	}
	return one.packets, max(one.silence, time.Since(one.last))
}

// firstAfter answers how long after a moment the first packet came, 0 where none came.
func (one *counter) firstAfter(moment time.Time) time.Duration {
	one.lock.Lock()
	defer one.lock.Unlock()
	if one.packets == 0 {
		return 0
	}
	return one.first.Sub(moment)
}
