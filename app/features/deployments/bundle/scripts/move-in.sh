#!/bin/sh
# Moves in on a machine that runs a LiveKit: takes its API keys and puts this deployment in its place, or goes back. What it
# changes it notes first, so that the way back leads to exactly what was there. Run it in the folder of the unpacked zip:
# sudo sh move-in.sh [--show] [--livekit NAME] [--also NAME]... [--keys NAME[,NAME]] [--new-keys]
#   --show only says what would be done; --also stops a unit or container too that only LiveKit uses
# sudo livekit-deploy move-out [--now]     the way back, at any time
# Exit: 0 done, 1 nothing changed or gone back, 2 theirs does not run after going back, 64 usage, 75 busy, 77 without sudo.
set -eu
umask 077
export LC_ALL=C
ROOT="${LIVEKIT_DEPLOY_ROOT:-}"
HERE=$ROOT/opt/livekit
JOURNAL=$ROOT/var/lib/livekit-move-in
FOLDER=$(cd "$(dirname "$0")" && pwd)
USAGE="Usage: sudo sh move-in.sh [--show] [--livekit NAME] [--also NAME]... [--keys NAME[,NAME]] [--new-keys]"
say() { printf '%s\n' "$*"; }
fail() {
  code=$1
  shift
  say "$*" >&2
  exit "$code"
}
refuse() { fail 1 "$* Nothing was changed."; }
program() { python3 -B "$FOLDER/move-in.py" "$@"; }
# shellcheck source=system.sh
. "./system.sh"
confirmed() {
  printf '%s Type yes: ' "$1" >&2
  IFS= read -r answer || answer=
  [ "$answer" = yes ] || refuse "The answer was not yes."
}
# detached STEP...: the work goes on when the terminal is lost, as it is when the firewall is exchanged.
detached() {
  : >"$JOURNAL/log"
  systemd-run -q --unit=livekit-move-in-run --collect --wait --property=TimeoutStopSec=15min --property=StandardOutput=append:"$JOURNAL/log" \
    --property=StandardError=append:"$JOURNAL/log" /bin/sh "$JOURNAL/bundle/move-in.sh" "$@" &
  tail -s 0.1 -n +1 -f --pid=$! "$JOURNAL/log"
  status=0
  wait $! || status=$?
  exit "$status"
}
alone() {
  exec 9>"$ROOT/run/livekit-move-in.lock"
  flock -n 9 || fail 75 "It runs already: see $JOURNAL/log."
}
# images: those of the deployment, without that of an agent, which may need a login first.
images() { awk '/^  [^ ]/ { service = $1 } /^    image:/ && service != "agent:" { gsub(/"/, "", $2); print $2 }' "$FOLDER/docker-compose.yaml"; }
# go_back REASON: what was changed until here is undone.
go_back() {
  say "$1
Going back." >&2
  [ ! -e "$HERE/deployment.env" ] || (cd "$HERE" && docker compose logs --no-color --tail 100 >"$JOURNAL/containers.log" 2>&1) || true
  program back || exit 2
  exit 1
}
# interrupted: where the machine shuts down, its next boot goes back.
interrupted() {
  trap '' HUP INT TERM
  [ "$(systemctl is-system-running)" != stopping ] || exit 1
  go_back "It was ended from outside."
}
# faults: prints what is wrong with ours. Another firewall that drops what calls need is none of the doctor's critical findings, as
# people may reach LiveKit otherwise; here the proof is that they do. A doctor that does not come to its end has not looked.
faults() {
  looked=0
  report=$(timeout 300 "$HERE/bin/doctor.sh" --report 2>/dev/null) || looked=$?
  case $looked:$report in
  0:* | 1:?* | 2:?*) say "$report" | awk -F '\t' '$2 == "critical" || $1 == "firewall.conflict" { print $1, $3 ": " $4 }' | sort -u ;;
  *) say "the doctor did not come to its end" ;;
  esac
}

[ "$(id -u)" = 0 ] || fail 77 "Run it with sudo. Nothing was changed."
command -v python3 >/dev/null || refuse "python3 is missing: install it first."
case ${1:-} in
--boot)
  # A unit that starts it, at the boot after a power loss.
  alone
  case $(cat "$JOURNAL/side" 2>/dev/null) in theirs) program boot ;; *) program unguard ;; esac
  exit 0
  ;;
move-out)
  case ${2:-} in '' | --now) ;; *) fail 64 "Usage: sudo livekit-deploy move-out [--now]" ;; esac
  [ -s "$JOURNAL/side" ] || fail 1 "This machine was not moved in. Nothing was changed."
  (alone)
  if [ -e "$HERE/state/lock" ]; then flock -n "$HERE/state/lock" true || fail 75 "Another update, backup or restore is running. Nothing was changed."; fi
  made=$(program inventory)
  say "What was here before comes back as it was: files, units, containers, settings. Ours stops${made:+, and its $made go to a folder of their own}.
API keys that were made since end. If this machine is connected, disconnect it in the console too."
  confirmed "Calls of that moment are cut off."
  detached --out "${2:-}"
  ;;
--out)
  alone
  if [ -d "$HERE/state" ]; then
    exec 8>>"$HERE/state/lock"
    flock -w 1 8 || fail 75 "Another update, backup or restore is running. Nothing was changed."
  fi
  program begin-move-out || exit 1
  [ ! -e "$HERE/bin/before-stop.sh" ] || [ ! -e "$HERE/deployment.env" ] || "$HERE/bin/before-stop.sh" ${2:+"$2"} || true
  program back || exit 2
  exit 0
  ;;
--in) ;;
*)
  show=
  [ "${1:-}" != --show ] || { show=yes && shift; }
  left=$#
  while [ "$left" -gt 0 ]; do
    case $1 in
    --livekit | --also | --keys)
      [ "$left" -gt 1 ] || fail 64 "$USAGE"
      set -- "$@" "$1" "$2"
      shift
      left=$((left - 1))
      ;;
    --new-keys) set -- "$@" "$1" ;;
    *) fail 64 "$USAGE" ;;
    esac
    shift
    left=$((left - 1))
  done
  [ -d "$ROOT/run/systemd/system" ] || refuse "There is no systemd, which ours needs."
  (alone)
  case $(cat "$JOURNAL/side" 2>/dev/null) in
  ours) refuse "This machine was moved in: sudo livekit-deploy move-out is the way back." ;;
  theirs) refuse "A move was interrupted. First: sudo sh $JOURNAL/bundle/move-in.sh move-out." ;;
  esac
  SYSTEM=$(sed -n "s/^SYSTEM='\(.*\)'\$/\1/p" "$FOLDER/deployment.env" 2>/dev/null) || true
  release=$(os_release ID)-$(os_release VERSION_ID)
  problem=$(system_problem)
  [ -z "$problem" ] || refuse "$problem"
  free=$(df -Pk "${ROOT:-/}" | awk 'NR == 2 { print int($4 / 1024) }')
  [ "$free" -ge 4096 ] || refuse "Only $free MiB of disk are free, 4096 are needed."
  if command -v nft >/dev/null; then
    output=$(nft -c -f "$FOLDER/firewall.nft" 2>&1) || refuse "The firewall's rules are not right: $output"
  fi
  program check "$@" || exit 1
  [ -z "$show" ] || { say "Nothing was changed." && exit 0; }
  confirmed "Move in?"
  program begin "$@"
  detached --in "$@"
  ;;
esac

shift
alone
trap interrupted HUP INT TERM
say "Fetching what is missing. Everything runs meanwhile."
packages=$(program packages) || go_back "The packages could not be looked at."
if [ -n "$packages" ]; then
  export DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a
  # shellcheck disable=SC2086 # A list of names is meant as words.
  if command -v apt-get >/dev/null; then
    apt-get -o DPkg::Lock::Timeout=600 update -q || true
    apt-get -o DPkg::Lock::Timeout=600 install -y -q --no-remove $packages
  else dnf install -y $packages; fi </dev/null >"$JOURNAL/packages.log" 2>&1 || go_back "Packages could not be installed: $(tail -n 1 "$JOURNAL/packages.log")"
fi
docker image ls -q >/dev/null || go_back "Docker does not answer."
for image in $(images); do
  docker image inspect -f '{{.Id}}' "$image" >/dev/null 2>&1 || docker pull -q "$image" >/dev/null || go_back "The image $image could not be fetched."
done
output=$(nft -c -f "$FOLDER/firewall.nft" 2>&1) || go_back "The firewall's rules are not right: $output"
program record "$@" || go_back "What is here could not be noted."
say "Exchanging. Calls of this moment are cut off."
program stop || go_back "LiveKit could not be stopped."
program exchange || go_back "The files could not be exchanged."
"$HERE/bin/install-tools.sh" || go_back "A tool could not be fetched."
timeout 1800 "$HERE/bin/first-boot.sh" || go_back "The first boot of ours failed."
systemctl is-active -q livekit.service || systemctl start livekit.service || go_back "Ours does not start."
for try in 1 2 3 4 5 6 7 8; do
  found=$(faults)
  [ -n "$found" ] && [ "$try" != 8 ] || break
  sleep 15
done
[ -z "$found" ] || go_back "Ours runs, and does not work: $found"
trap '' HUP INT TERM
program finish || go_back "The proof could not be noted."
say "Moved in. Your apps go on with their keys and the address $(sed -n "s/^DOMAIN='\(.*\)'\$/\1/p" "$HERE/deployment.env").
The way back at any time: sudo livekit-deploy move-out. What is needed for it is in /var/lib/livekit-move-in."
