package main

import (
	"context"
	"crypto/tls"
	"fmt"
	"net"
	"net/http"
	"strings"
	"sync"
	"time"

	"github.com/gorilla/websocket"
	"github.com/livekit/protocol/livekit"
	"github.com/livekit/protocol/signalling"
	"github.com/pion/webrtc/v4"
	"github.com/pion/webrtc/v4/pkg/media"
	"google.golang.org/protobuf/proto"
)

type connection struct {
	url       string
	servers   string
	relayOnly bool
}

// path is the pair of candidates over which media goes.
type path struct {
	Local    string `json:"local"`
	Relay    string `json:"relay"`
	Protocol string `json:"protocol"`
	Address  string `json:"address"`
	Remote   string `json:"remote"`
}

// peer is one of the two connections of a participant. Candidates wait for the description.
type peer struct {
	connection *webrtc.PeerConnection
	waiting    []webrtc.ICECandidateInit
}

type participant struct {
	how     connection
	socket  *websocket.Conn
	heard   *counter
	writing sync.Mutex
	guard   sync.Mutex
	why     string
	offered []string
	servers []*livekit.ICEServer
	stop    context.CancelFunc
	context context.Context
	sending *peer
	hearing *peer
	track   *webrtc.TrackLocalStaticSample
	joined  chan struct{}
	failed  chan error
}

// overTLS connects to a relay by whichever address family answers. By itself pion looks for an IPv4 address only.
type overTLS struct{}

func (overTLS) Dial(_, address string) (net.Conn, error) {
	made, err := tls.DialWithDialer(&net.Dialer{Timeout: 10 * time.Second}, "tcp", address, nil)
	if err != nil {
		return nil, err
	}
	return relayed{made}, nil
}

// relayed leaves it to the server in which family it relays, as browsers do. From an IPv6 address pion would ask for
// IPv6, which LiveKit refuses behind Caddy.
type relayed struct{ net.Conn }

func (relayed) LocalAddr() net.Addr { return &net.TCPAddr{IP: net.IPv4zero} }

func join(how connection, token string, heard *counter) (*participant, error) {
	header := http.Header{"Authorization": {"Bearer " + token}}
	dialer := websocket.Dialer{HandshakeTimeout: 10 * time.Second}
	socket, answer, err := dialer.Dial(how.url+"/rtc?protocol=15&sdk=go&auto_subscribe=true", header)
	if err != nil {
		if answer != nil {
			return nil, fmt.Errorf("%w: %s", err, answer.Status)
		}
		return nil, err
	}
	running, stop := context.WithCancel(context.Background())
	one := &participant{how: how, socket: socket, heard: heard, stop: stop, context: running,
		joined: make(chan struct{}), failed: make(chan error, 1)}
	go one.read()
	select {
	case <-one.joined:
		return one, nil
	case err := <-one.failed:
		return nil, err
	case <-time.After(10 * time.Second):
		return nil, fmt.Errorf("no answer to the request to join")
	}
}

func (one *participant) read() {
	for {
		_, bytes, err := one.socket.ReadMessage()
		if err != nil {
			one.end(err)
			return
		}
		message := &livekit.SignalResponse{}
		if err := proto.Unmarshal(bytes, message); err != nil {
			one.end(err)
			return
		}
		if err := one.take(message); err != nil {
			one.end(err)
			return
		}
	}
}

func (one *participant) end(err error) {
	if one.context.Err() != nil {
		return
	}
	one.guard.Lock()
	one.why = err.Error()
	one.guard.Unlock()
	select {
	case one.failed <- err:
	default:
	}
}

func (one *participant) take(response *livekit.SignalResponse) error {
	switch message := response.Message.(type) {
	case *livekit.SignalResponse_Join:
		if err := one.connect(message.Join); err != nil {
			return err
		}
		go one.ping(time.Duration(message.Join.PingInterval) * time.Second)
		close(one.joined)
	case *livekit.SignalResponse_Offer:
		offer, id, _ := signalling.FromProtoSessionDescription(message.Offer)
		if err := one.hearing.described(offer); err != nil {
			return err
		}
		answer, err := one.hearing.connection.CreateAnswer(nil)
		if err != nil {
			return err
		}
		if err := one.hearing.connection.SetLocalDescription(answer); err != nil {
			return err
		}
		return one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Answer{
			Answer: signalling.ToProtoSessionDescription(answer, id, nil)}})
	case *livekit.SignalResponse_Answer:
		answer, _, _ := signalling.FromProtoSessionDescription(message.Answer)
		return one.sending.described(answer)
	case *livekit.SignalResponse_Trickle:
		candidate, err := signalling.FromProtoTrickle(message.Trickle)
		if err != nil {
			return err
		}
		one.offer(candidate.Candidate)
		if message.Trickle.Target == livekit.SignalTarget_PUBLISHER {
			return one.sending.candidate(candidate)
		}
		return one.hearing.candidate(candidate)
	case *livekit.SignalResponse_TrackPublished:
		offer, err := one.sending.connection.CreateOffer(nil)
		if err != nil {
			return err
		}
		if err := one.sending.connection.SetLocalDescription(offer); err != nil {
			return err
		}
		return one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Offer{
			Offer: signalling.ToProtoSessionDescription(offer, 1, nil)}})
	case *livekit.SignalResponse_Leave:
		return fmt.Errorf("the server ended it: %s", message.Leave.Reason)
	}
	return nil
}

func (one *participant) connect(joined *livekit.JoinResponse) error {
	one.servers = joined.IceServers
	configuration := webrtc.Configuration{}
	if one.how.relayOnly {
		configuration.ICETransportPolicy = webrtc.ICETransportPolicyRelay
	}
	for _, server := range joined.IceServers {
		var urls []string
		for _, url := range server.Urls {
			kind := map[bool]string{true: "tls", false: "udp"}[strings.HasPrefix(url, "turns:")]
			if one.how.servers == "all" || one.how.servers == kind {
				urls = append(urls, url)
			}
		}
		if len(urls) > 0 {
			configuration.ICEServers = append(configuration.ICEServers,
				webrtc.ICEServer{URLs: urls, Username: server.Username, Credential: server.Credential})
		}
	}
	make := func(target livekit.SignalTarget) (*peer, error) {
		settings := webrtc.SettingEngine{}
		settings.SetICEProxyDialer(overTLS{})
		connection, err := webrtc.NewAPI(webrtc.WithSettingEngine(settings)).NewPeerConnection(configuration)
		if err != nil {
			return nil, err
		}
		connection.OnICECandidate(func(candidate *webrtc.ICECandidate) {
			if candidate == nil {
				return
			}
			_ = one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Trickle{
				Trickle: signalling.ToProtoTrickle(candidate.ToJSON(), target, false)}})
		})
		return &peer{connection: connection}, nil
	}
	var err error
	if one.sending, err = make(livekit.SignalTarget_PUBLISHER); err != nil {
		return err
	}
	if one.hearing, err = make(livekit.SignalTarget_SUBSCRIBER); err != nil {
		return err
	}
	one.hearing.connection.OnTrack(func(track *webrtc.TrackRemote, _ *webrtc.RTPReceiver) {
		for {
			if _, _, err := track.ReadRTP(); err != nil {
				return
			}
			if one.heard != nil {
				one.heard.count()
			}
		}
	})
	return nil
}

// publish sends audio until the participant leaves, once the connection stands.
func (one *participant) publish() error {
	track, err := webrtc.NewTrackLocalStaticSample(
		webrtc.RTPCodecCapability{MimeType: webrtc.MimeTypeOpus, ClockRate: 48000, Channels: 2}, "audio", "proof")
	if err != nil {
		return err
	}
	if _, err := one.sending.connection.AddTrack(track); err != nil {
		return err
	}
	go func() {
		every := time.NewTicker(20 * time.Millisecond)
		defer every.Stop()
		for {
			select {
			case <-one.context.Done():
				return
			case <-every.C:
				_ = track.WriteSample(media.Sample{Data: []byte{0xf8, 0xff, 0xfe, 0x01, 0x02}, Duration: 20 * time.Millisecond})
			}
		}
	}()
	return one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_AddTrack{AddTrack: &livekit.AddTrackRequest{
		Cid: "audio", Name: "proof", Type: livekit.TrackType_AUDIO, Source: livekit.TrackSource_MICROPHONE}}})
}

func (one *participant) ping(interval time.Duration) {
	if interval <= 0 {
		interval = 5 * time.Second
	}
	every := time.NewTicker(interval)
	defer every.Stop()
	for {
		select {
		case <-one.context.Done():
			return
		case <-every.C:
			now := time.Now().UnixMilli()
			_ = one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Ping{Ping: now}})
			_ = one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_PingReq{
				PingReq: &livekit.Ping{Timestamp: now}}})
		}
	}
}

func (one *participant) send(request *livekit.SignalRequest) error {
	bytes, err := proto.Marshal(request)
	if err != nil {
		return err
	}
	one.writing.Lock()
	defer one.writing.Unlock()
	return one.socket.WriteMessage(websocket.BinaryMessage, bytes)
}

func (one *participant) leave() {
	one.stop()
	_ = one.send(&livekit.SignalRequest{Message: &livekit.SignalRequest_Leave{Leave: &livekit.LeaveRequest{
		Reason: livekit.DisconnectReason_CLIENT_INITIATED}}})
}

// left says why the server or the network ended the participation; nothing while it goes on.
func (one *participant) left() string {
	one.guard.Lock()
	defer one.guard.Unlock()
	return one.why
}

// offer keeps the address of a candidate: foundation, component, protocol, priority, address, port, …
func (one *participant) offer(candidate string) {
	if parts := strings.Fields(candidate); len(parts) > 5 {
		one.guard.Lock()
		defer one.guard.Unlock()
		one.offered = append(one.offered, parts[4])
	}
}

func (one *participant) offers() []string {
	one.guard.Lock()
	defer one.guard.Unlock()
	return append([]string{}, one.offered...)
}

func (one *participant) state() string {
	return fmt.Sprintf("sends %s, hears %s %s", one.sending.connection.ICEConnectionState(),
		one.hearing.connection.ICEConnectionState(), one.left())
}

// used is the connection that carries media: of the one who counts, the one on which tracks arrive.
func (one *participant) path() path {
	used := one.sending
	if one.heard != nil {
		used = one.hearing
	}
	found := path{}
	statistics := used.connection.GetStats()
	for _, each := range statistics {
		pair, ok := each.(webrtc.ICECandidatePairStats)
		if !ok || !pair.Nominated || pair.State != webrtc.StatsICECandidatePairStateSucceeded {
			continue
		}
		local, _ := statistics[pair.LocalCandidateID].(webrtc.ICECandidateStats)
		remote, _ := statistics[pair.RemoteCandidateID].(webrtc.ICECandidateStats)
		found = path{Local: local.CandidateType.String(), Relay: local.RelayProtocol, Protocol: local.Protocol,
			Address: local.IP, Remote: fmt.Sprintf("%s:%d", remote.IP, remote.Port)}
	}
	return found
}

func (one *peer) described(description webrtc.SessionDescription) error {
	if err := one.connection.SetRemoteDescription(description); err != nil {
		return err
	}
	for _, candidate := range one.waiting {
		if err := one.connection.AddICECandidate(candidate); err != nil {
			return err
		}
	}
	one.waiting = nil
	return nil
}

func (one *peer) candidate(candidate webrtc.ICECandidateInit) error {
	if one.connection.RemoteDescription() == nil {
		one.waiting = append(one.waiting, candidate)
		return nil
	}
	return one.connection.AddICECandidate(candidate)
}
