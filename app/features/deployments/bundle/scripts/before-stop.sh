#!/bin/sh
# Before LiveKit stops: waits for a moment in which nobody is in a room and nothing is recorded, DRAIN_MINUTES at most.
# New rooms begin meanwhile. Then recordings that still run are saved, and calls that still run are cut off.
# before-stop.sh [--now | --count | --wait | --machines]: --now waits for nothing; --count says who is in a call, --wait waits,
# and --machines says how many there are, of a cluster. These stop nothing. Exit of --wait: 0 nobody is in a call, 1 somebody still is.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
#if SINGLE
# There is one rule for every stop of LiveKit. It waits until nobody is in a room and nothing is recorded, for DRAIN_MINUTES
# at most; calls and recordings go on meanwhile, and new rooms begin. Then Egress ends and saves the recordings that
# still run, SIP hangs up, and an agent finishes its jobs, while rooms go on. LiveKit stops last: from then on new rooms
# are refused, and calls that still run are cut off after 30 seconds.
# LiveKit is then killed. If it were told to stop at once it would send its clients away for good, but clients whose
# connection breaks come back by themselves. Caddy and Redis run until LiveKit has stopped.
# The number of people is the one that the running process of LiveKit reports of itself. The list of rooms in Redis is no
# help: rooms of a process that crashed stay in it with their people. A process that has ended updates its line no more.
#end

# list_nodes: what LiveKit's processes last said of themselves, two rows for each.
# The command gets only the block about Redis of the configuration. A mistake elsewhere must not hide who is in a call, and
# with use_external_ip it would ask STUN each time.
ASK='timeout 20 /livekit-server --config-body "$(sed -n "/^redis:/,/^[a-z]/{/^redis:/p;/^ /p}" /etc/livekit.yaml)" list-nodes'
list_nodes() { docker compose exec -T livekit sh -c "$ASK" </dev/null 2>/dev/null | sed 's/\xe2\x94\x82/|/g'; }
since() { date -u -d '-30 seconds' '+%Y-%m-%d %H:%M:%S'; }
#if SINGLE
# people: how many are in rooms, with recorders; "unknown" when LiveKit does not answer.
people() {
  list_nodes |
    awk -F '|' -v ip="$(sed -n s/NODE_IP=//p state/address.env)" -v since="$(since)" '
      $2 ~ / ND_/ { clients = $9; own = (ip == "" || index($3, ip)); next }
      NF > 14 && clients != "" && $2 ~ /[(]/ {
        gsub(/^ +| +$/, "", $15)
        if (own && $15 >= since) { sum += clients; known = 1 }
        clients = ""
      }
      END { print known ? sum + 0 : "unknown" }'
}
#end
#if CLUSTER
# machines: how many there are. A process that was killed stays in the list, so each address counts once.
machines() {
  list_nodes |
    awk -F '|' -v since="$(since)" '
      $2 ~ / ND_/ { address = $3; next }
      NF > 14 && address != "" && $2 ~ /[(]/ {
        gsub(/^ +| +$/, "", $15)
        if ($15 >= since && !(address in seen)) { seen[address]; count++ }
        address = ""
      }
      END { print count ? count : "unknown" }'
}
# A list of all machines' rooms would need Redis, which may be away just then: LiveKit's own figures do not.
people() {
  curl -fsS --noproxy '*' --max-time 5 http://127.0.0.1:6789/metrics 2>/dev/null |
    awk '/^livekit_participant_total[{ ]/ { sum += $NF; known = 1 } END { print known ? sum + 0 : "unknown" }'
}
#end
recordings() {
  has_service egress || { echo 0; return 0; }
  docker compose top egress 2>/dev/null | grep -c run-handler || true
}
quiet() {
  case $(condition livekit) in running | "running healthy" | "running starting") ;; *) return 0 ;; esac
  now=$(people)
  recorded=$(recordings)
  [ "$now" = 0 ] && [ "$recorded" = 0 ]
}
#if CLUSTER
# drain [--now]: the order of a cluster. LiveKit gets SIGTERM before its calls are waited for, because only then the other
# machines get the new rooms: a busy one is never quiet. It ends by itself when nobody is left, and Egress when nothing is
# recorded. After DRAIN_MINUTES recordings are ended and saved, and LiveKit is killed. It never gets SIGTERM twice: at the
# second one it would send its clients away for good, while killed ones come back. So a drain that was interrupted goes on with
# the time that it had left. state/draining says until when, and a second word once LiveKit has its signal.
is_up() { case $(condition livekit) in running*) ;; *) return 1 ;; esac; }
# relay_bytes: each connection of TURN over TLS, with the bytes that it has carried.
relay_bytes() {
  ss -HtniO state established 'sport = :5349' 2>/dev/null |
    awk '{ sum = 0; for (i = 5; i <= NF; i++) if (split($i, part, ":") == 2 && part[1] ~ /^bytes_(acked|received)$/) sum += part[2]; print $4, sum }'
}
# relayed: how many of them carry media, which is over 4 kbit/s for five seconds; "none" where there is no connection at all.
# Clients hold one in reserve too, for as long as their call lasts. The rooms of these people are mostly on other machines.
relayed() {
  before=$(relay_bytes)
  [ -n "$before" ] || { echo none; return 0; }
  sleep 5
  { say "$before"; say; relay_bytes; } | awk 'NF == 0 { later = 1 } later && $2 - before[$1] > 2500 { count++ } !later { before[$1] = $2 } END { print count + 0 }'
}
# drain_relays: LiveKit ends with its own rooms, and would take these connections with it. So new ones are refused first, which
# sends them to another machine, and those that stand are waited for until none has carried media for fifteen seconds: half of
# the time at most, since calls need the rest. A balancer sends new ones elsewhere itself, and would not try a second machine
# for one that is refused; it asks every five seconds, and until it knows people still come here.
drain_relays() {
  settled=$(date +%s)
  if [ "$TOPOLOGY" = balanced ]; then settled=$((settled + 20))
  else
    nft -f - <<'RULES' || return 0
table inet livekit_drain
delete table inet livekit_drain
table inet livekit_drain {
  chain input {
    type filter hook input priority filter - 1; policy accept;
    tcp dport 5349 ct state new reject with tcp reset
  }
}
RULES
  fi
  announced='' quiet=0
  while is_up; do
    now=$(date +%s)
    [ "$now" -lt $((end - DRAIN_MINUTES * 30)) ] || break
    count=$(relayed)
    case $count in
    none)
      [ "$now" -lt "$settled" ] || break
      sleep 5
      ;;
    0)
      quiet=$((quiet + 1))
      [ "$quiet" -lt 3 ] || [ "$now" -lt "$settled" ] || break
      ;;
    *)
      quiet=0
      [ -n "$announced" ] || say "Relayed inside TLS: $count connections. New ones go to other machines. Waiting until these have ended, half of $DRAIN_MINUTES minutes at most. New rooms begin here meanwhile."
      announced=yes
      ;;
    esac
  done
}
# end_drain: after it, and where it is interrupted before LiveKit had its signal: nothing has ended yet then.
end_drain() {
  nft delete table inet livekit_drain 2>/dev/null || true
  rm -f state/draining state/balancer/draining
}
drains() {
  if is_up; then
    # One that answers nobody has no calls to wait for. While Redis is away it is unhealthy too, and its calls go on.
    now=$(people)
    case $(condition livekit),$now in "running unhealthy,unknown") return 1 ;; esac
  else now=0; fi
  recorded=$(recordings)
  is_up || [ "$recorded" != 0 ]
}
drain() {
  end='' signalled=''
  [ ! -r state/draining ] || read -r end signalled <state/draining || true
  # One that ended before LiveKit had its signal, without a word, has no time of its own: it begins anew.
  [ -n "$signalled" ] || end=''
  case $end in '' | *[!0-9]*)
    end=$(($(date +%s) + DRAIN_MINUTES * 60)) signalled=''
    mkdir -p state
    say "$end" | put state/draining 0644 || true
    # Caddy then says to a balancer that this machine takes no new connections.
    [ ! -d state/balancer ] || put state/balancer/draining 0644 </dev/null || true
    ;;
  esac
  if [ -z "$signalled" ]; then
    trap 'end_drain; exit 1' HUP INT PIPE TERM
    [ "${1:-}" = --now ] || drain_relays
    trap - HUP INT PIPE TERM
    say "$end signalling" | put state/draining 0644 || true
    ! is_up || docker compose kill -s TERM livekit || true
    say "$end signalled" | put state/draining 0644 || true
  fi
  [ "${1:-}" != --now ] || end=0
  announced=
  while drains; do
    if [ "$(date +%s)" -ge "$end" ]; then
      say "In calls: $now, recordings: $recorded. They end here, and people come back by themselves on another machine."
      break
    fi
    [ -n "$announced" ] || say "In calls: $now, recordings: $recorded. No new rooms come to this machine. Waiting until these have ended, $((DRAIN_MINUTES)) minutes at most."
    announced=yes
    sleep 5
  done
  ! has_service egress || docker compose stop egress
  ! is_up || docker compose kill -s KILL livekit
  end_drain
}
#end
#if CLUSTER
# wait_for_recordings: on a machine that records alone, DRAIN_MINUTES at most. 1: something is still recorded then.
wait_for_recordings() {
  end=$(($(date +%s) + DRAIN_MINUTES * 60))
  announced=
  while recorded=$(recordings) && [ "$recorded" != 0 ]; do
    [ "$(date +%s)" -lt "$end" ] || return 1
    [ -n "$announced" ] || say "Recordings: $recorded. Waiting until these have ended, $((DRAIN_MINUTES)) minutes at most."
    announced=yes
    sleep 5
  done
}
# drain_egress [--now]: after SIGTERM Egress takes no new recording, and ends when it has none. It then hears no other signal, so
# those that still run at the end get SIGINT themselves: they end and save their files. The brackets keep this shell out.
drain_egress() {
  if [ "${1:-}" != --now ]; then
    case $(condition egress) in running*) docker compose kill -s TERM egress || true ;; esac
    wait_for_recordings ||
      docker compose exec -T egress sh -c 'for each in /proc/[0-9]*; do ! grep -qa "[r]un-handler" "$each/cmdline" || kill -INT "${each#/proc/}"; done' </dev/null || true
  fi
  docker compose stop egress
}
#end
wait_for_quiet() {
  end=$(($(date +%s) + DRAIN_MINUTES * 60))
  announced=
  while ! quiet; do
    if [ "$(date +%s)" -ge "$end" ]; then
      say "Somebody is still in a call$1."
      return 1
    fi
    [ -n "$announced" ] || say "In calls: $now, recordings: $recorded. Waiting for a quiet moment, $DRAIN_MINUTES minutes at most. New rooms begin meanwhile."
    announced=yes
    sleep 5
  done
}

#if CLUSTER
case $ROLE,${1:-} in
*,--machines)
  machines
  exit 0
  ;;
media,--count | media,--wait) ;;
egress,--count)
  say "Recordings: $(recordings). Calls run on the media machines, not here."
  exit 0
  ;;
egress,--wait)
  wait_for_recordings || fail 1 "Something is still recorded here."
  say "Nothing is recorded here. New recordings can begin at any time."
  exit 0
  ;;
egress,*)
  drain_egress "$@"
  exit 0
  ;;
media,*)
  drain "$@"
  exit 0
  ;;
*,--count | *,--wait)
  say "Calls run on the media machines, not here."
  exit 0
  ;;
*) exit 0 ;;
esac
#end
case ${1:-} in
--count)
  say "In calls: $(people). Recordings: $(recordings)."
  exit 0
  ;;
--wait)
  wait_for_quiet "" || exit 1
  say "Nobody is in a call, and nothing is recorded. New rooms can begin at any time."
  exit 0
  ;;
--now) ;;
*) wait_for_quiet ": it is cut off, and people come back by themselves after the start" || true ;;
esac
set --
for service in egress ingress sip agent; do ! has_service "$service" || set -- "$@" "$service"; done
[ $# = 0 ] || docker compose stop "$@"
docker compose stop livekit
