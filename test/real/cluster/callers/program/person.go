package main

import (
	"fmt"
	"os"
	"sync"
	"time"

	"github.com/livekit/protocol/auth"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/logger"
	lksdk "github.com/livekit/server-sdk-go/v2"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
)

type person struct {
	room, identity string
	guard          sync.Mutex
	hears          map[string]*silence
	happened       []string
	session        *lksdk.Room
	stop           chan struct{}
}

// silence is how much has arrived of one other person, and the longest time in which nothing did.
type silence struct {
	packets int
	last    time.Time
	longest time.Duration
}

type report struct {
	Room     string         `json:"room"`
	Identity string         `json:"identity"`
	State    string         `json:"state"`
	Sees     []string       `json:"sees"`
	Hears    map[string]ear `json:"hears"`
	Happened []string       `json:"happened"`
}

type ear struct {
	Packets   int   `json:"packets"`
	SilentMs  int64 `json:"silentMs"`
	LongestMs int64 `json:"silenceMs"`
}

func newPerson(room, identity string) *person {
	return &person{room: room, identity: identity, hears: map[string]*silence{}, stop: make(chan struct{})}
}

func (one *person) note(what string) {
	one.guard.Lock()
	one.happened = append(one.happened, fmt.Sprintf("%s %s", time.Now().Format("15:04:05.000"), what))
	one.guard.Unlock()
	say(answer{Event: what, Room: one.room, Identity: one.identity})
}

func (one *person) join(url, key, secret string, relay bool) error {
	callback := lksdk.NewRoomCallback()
	callback.OnReconnecting = func() { one.note("reconnecting") }
	callback.OnReconnected = func() { one.note("reconnected") }
	callback.OnDisconnectedWithReason = func(reason lksdk.DisconnectionReason) {
		one.note("disconnected " + string(reason))
	}
	callback.OnTrackSubscribed = func(track *webrtc.TrackRemote, _ *lksdk.RemoteTrackPublication, who *lksdk.RemoteParticipant) {
		for {
			if _, _, err := track.ReadRTP(); err != nil {
				return
			}
			one.count(who.Identity())
		}
	}
	yes := true
	token, err := auth.NewAccessToken(key, secret).SetIdentity(one.identity).SetValidFor(time.Hour).
		SetVideoGrant(&auth.VideoGrant{RoomJoin: true, Room: one.room, CanUpdateOwnMetadata: &yes}).ToJWT()
	if err != nil {
		return err
	}
	options := []lksdk.ConnectOption{lksdk.WithLogger(said)}
	if relay {
		options = append(options, lksdk.WithICETransportPolicy(webrtc.ICETransportPolicyRelay))
	}
	session := lksdk.NewRoom(callback)
	session.SetLogger(said)
	one.guard.Lock()
	one.session = session
	one.guard.Unlock()
	if err := session.JoinWithToken(url, token, options...); err != nil {
		return err
	}
	go one.ask()
	return one.publish()
}

// ask sends the server something every five seconds, as clients in browsers do with their pings. The SDK for Go has none:
// it would notice only by silence that the machine of its room is gone, while it talks to another one.
func (one *person) ask() {
	every := time.NewTicker(5 * time.Second)
	defer every.Stop()
	for {
		select {
		case <-one.stop:
			return
		case <-every.C:
			one.session.LocalParticipant.SetMetadata(one.identity)
		}
	}
}

// publish sends audio until the person leaves.
func (one *person) publish() error {
	track, err := lksdk.NewLocalTrack(webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2})
	if err != nil {
		return err
	}
	go func() {
		every := time.NewTicker(20 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-one.stop:
				return
			case <-every.C:
				_ = track.WriteSample(media.Sample{Data: []byte{0xf8, 0xff, 0xfe, 0x01, 0x02}, Duration: 20 * time.Millisecond}, nil)
			}
		}
	}()
	_, err = one.session.LocalParticipant.PublishTrack(track, &lksdk.TrackPublicationOptions{
		Name: "proof", Source: livekit.TrackSource_MICROPHONE})
	return err
}

func (one *person) count(who string) {
	one.guard.Lock()
	defer one.guard.Unlock()
	now := time.Now()
	heard := one.hears[who]
	if heard == nil {
		heard = &silence{last: now}
		one.hears[who] = heard
	}
	heard.longest = max(heard.longest, now.Sub(heard.last))
	heard.last = now
	heard.packets++
}

func (one *person) mark() {
	one.guard.Lock()
	defer one.guard.Unlock()
	for _, heard := range one.hears {
		heard.longest = 0
	}
	one.happened = nil
}

func (one *person) report() report {
	one.guard.Lock()
	defer one.guard.Unlock()
	made := report{Room: one.room, Identity: one.identity, Sees: []string{}, Hears: map[string]ear{},
		Happened: append([]string{}, one.happened...)}
	for who, heard := range one.hears {
		silent := time.Since(heard.last)
		made.Hears[who] = ear{Packets: heard.packets, SilentMs: silent.Milliseconds(),
			LongestMs: max(heard.longest, silent).Milliseconds()}
	}
	if one.session != nil {
		made.State = string(one.session.ConnectionState())
		for _, other := range one.session.GetRemoteParticipants() {
			made.Sees = append(made.Sees, other.Identity())
		}
	}
	return made
}

func (one *person) leave() {
	close(one.stop)
	if one.session != nil {
		one.session.Disconnect()
	}
}

// said is where the SDK writes what it does: nowhere, without CALLERS_LOG.
var said = func() logger.Logger {
	if os.Getenv("CALLERS_LOG") == "" {
		return logger.GetDiscardLogger()
	}
	made, err := logger.NewZapLogger(&logger.Config{Level: os.Getenv("CALLERS_LOG")})
	if err != nil {
		panic(err)
	}
	return made
}()
