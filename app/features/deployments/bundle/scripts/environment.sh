#!/bin/sh
# Read by the other scripts: where things are, how they speak, one run at a time.
set -eu
umask 077
export LC_ALL=C
ROOT="${LIVEKIT_DEPLOY_ROOT:-}"
HERE="$ROOT/opt/livekit"
STATE="$HERE/state"
BIN="$HERE/bin"
ARCHIVE="$ROOT/var/backups/livekit"
export ARCHIVE BIN
[ -r "$HERE/deployment.env" ] || { echo "$HERE/deployment.env is missing." >&2; exit 1; }
# shellcheck source=/dev/null
. "$HERE/deployment.env"
cd "$HERE"
#if CLUSTER
# use_role: what depends on the role that this machine has in its cluster: edge, media or egress; behind a balancer none is the
# edge. It has none before 'cluster edge', 'first' or 'join' has written .env, which Compose reads too.
export REDIS REDIS_ADDRESS BACKUPS BACKUP_TARGET PUBLIC_PORTS PRIVATE_ADDRESS
# shellcheck disable=SC2034 # The other scripts read what it sets.
use_role() {
  COMPOSE_PROFILES='' EDGE_ADDRESS='' PRIVATE_ADDRESS=''
  # shellcheck source=/dev/null
  [ ! -r .env ] || . ./.env
  ROLE=$COMPOSE_PROFILES
  case $ROLE in
  edge) SERVICES=$EDGE_SERVICES PUBLIC_PORTS=$EDGE_PORTS ;;
  media)
    SERVICES=$MEDIA_SERVICES PUBLIC_PORTS=$MEDIA_PORTS
    [ "$TOPOLOGY" = balanced ] || REDIS_ADDRESS=$EDGE_ADDRESS:6379
    ;;
  egress)
    SERVICES=${EGRESS_SERVICES:-} PUBLIC_PORTS=''
    [ "$TOPOLOGY" = balanced ] || REDIS_ADDRESS=$EDGE_ADDRESS:6379
    ;;
  *) SERVICES='' PUBLIC_PORTS='' ;;
  esac
  # Redis, the backups and the events of sessions are the edge's.
  is_whole || { REDIS=external BACKUPS=none BACKUP_TARGET='' SESSIONS=off; }
}
# is_whole: whether it has what one machine of a cluster has for all: the edge does, and behind a balancer each machine.
is_whole() { case $ROLE,$TOPOLOGY in edge,* | media,balanced) ;; *) return 1 ;; esac; }
use_role
#end

say() { printf '%s\n' "$*"; }
# A deployment.env that came from an old backup may lack these.
: "${DRAIN_MINUTES:=15}" "${BACKUP_TARGET:=}" "${CERTIFICATES:=automatic}"
# fail STATUS SENTENCE: prints the sentence and exits.
fail() {
  code=$1
  shift
  printf '%s\n' "$*" >&2
  exit "$code"
}
# random LENGTH: letters and digits, each as likely as the others. A thousand bytes have enough of them; endless ones would let tr
# complain of the pipe that head closes.
random() { head -c 1024 /dev/urandom | tr -dc A-Za-z0-9 | head -c "$1"; }
#if CLUSTER
say_wait() {
  case $ROLE in
  media) say "This machine waits until whom it relays and its calls have ended, $DRAIN_MINUTES minutes at most; its new rooms begin on others once nobody is relayed. Then calls that still run are cut off, and people come back by themselves on another machine." ;;
  egress) say "Calls go on. This machine takes no new recording and waits for those it has, $DRAIN_MINUTES minutes at most. Then they are ended and saved." ;;
  *) say "Calls go on meanwhile; those that are relayed inside TLS are silent for seconds. Who joins in these seconds tries again by itself." ;;
  esac
}
#end
#if SINGLE
say_wait() { say "Waiting for a quiet moment, $DRAIN_MINUTES minutes at most; new rooms begin meanwhile. Then calls that still run are cut off, and people come back by themselves."; }
#end
words() { printf '%s' "$1" | tr , ' '; }
# names TURN-DOMAIN: every name whose DNS record should point to this machine.
names() {
  {
    printf '%s\n' "$DOMAIN" "$1" "$WHIP_DOMAIN"
    printf '%s\n' "$EXTRA_DOMAINS" | tr , '\n'
  } | grep . | sort -u
}
has_service() { case ",$SERVICES," in *",$1,"*) ;; *) return 1 ;; esac; }
# put FILE MODE: writes its input to the file. After a crash the file has either its old or its whole new content.
put() {
  if cat >"$1.new" && chmod "$2" "$1.new" && sync "$1.new" && mv "$1.new" "$1"; then return 0; fi
  rm -f "$1.new"
  return 1
}
# version_files: what a version puts on the machine beside the configuration in /opt/livekit, by its path from the root.
# Settings that other programs share, such as Docker's, are not among it.
version_files() {
  (
    cd "$ROOT/"
    for path in opt/livekit/version.txt opt/livekit/redis-ca.pem opt/livekit/bin/* usr/bin/livekit-deploy etc/livekit/* \
      etc/systemd/system/livekit*.service etc/systemd/system/livekit*.timer etc/sysctl.d/60-livekit.conf \
      etc/ssh/sshd_config.d/10-livekit.conf etc/apt/apt.conf.d/52livekit etc/audit/rules.d/50-livekit.rules \
      etc/systemd/coredump.conf.d/50-livekit.conf; do
      case $path in *[!A-Za-z0-9._/-]* | *.new) ;; *) [ ! -f "$path" ] || say "$path" ;; esac
    done
  )
}
secret() { sed -n "s/^$1=//p" secrets.env | sed "s/^'\\(.*\\)'\$/\\1/"; }
free_mib() { df -Pk "$1" | awk 'NR == 2 { print int($4 / 1024) }'; }
# alone: takes the lock that keeps updates, backups and restores from running at the same time, or exits.
alone() {
  mkdir -p "$STATE"
  [ -z "${LIVEKIT_DEPLOY_LOCKED:-}" ] || return 0
  exec 9>"$STATE/lock"
  # Each report looks for a moment whether it is free.
  flock -w 1 9 || fail 75 "Another update, backup or restore is running. Nothing was changed."
  export LIVEKIT_DEPLOY_LOCKED=1
}
# condition SERVICE: "running healthy", "running" without a health check, "exited", or "absent".
condition() {
  container=$(docker compose ps -a -q "$1" 2>/dev/null | head -n 1)
  [ -n "$container" ] || { echo absent; return 0; }
  docker inspect -f '{{.State.Status}}{{if .State.Health}} {{.State.Health.Status}}{{end}}' "$container" || echo unknown
}
all_healthy() {
  for service in $(words "$SERVICES"); do
    case $(condition "$service") in running | "running healthy") ;; *) return 1 ;; esac
  done
}
