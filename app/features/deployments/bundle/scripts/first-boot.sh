#!/bin/sh
# Makes a machine ready: tools, folders, secrets, units. By hand it applies changed files to a running one.
# first-boot.sh [--boot] [PACKAGE...] | --secrets | --folders    Exit: 0 ready, 1 something is missing.
# --boot, at every boot, does nothing once it succeeded. What comes from the network is tried for an hour.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"

# missing NAME PREFIX LENGTH: prints a line with a new secret, unless secrets.env has one of that name.
missing() {
  ! grep -q "^$1=." secrets.env 2>/dev/null || return 0
  made=$(random "$3")
  [ "${#made}" = "$3" ] || fail 1 "No random bytes: /dev/urandom cannot be read."
  say "$1=$2$made"
}
make_secrets() {
#if CLUSTER
  # The edge makes the secrets of a cluster, or the first machine. The others get them when they join.
  is_whole || { [ ! -e secrets.env ] || chmod 0600 secrets.env; return 0; }
#end
  lines=$(
    missing LIVEKIT_API_KEY API 12
    missing LIVEKIT_API_SECRET '' 43
    [ "$REDIS" = external ] || missing REDIS_PASSWORD '' 43
    [ "${WEBHOOKS:-no}" = no ] || missing WEBHOOK_SECRET '' 43
  )
  if [ -n "$lines" ]; then
    { [ ! -f secrets.env ] || awk 1 secrets.env; say "$lines"; } | put secrets.env 0600
  fi
  chmod 0600 secrets.env
  has_service agent || return 0
  # An agent worker gets only the API key of these secrets. The customer writes agent.env.
  lines=$(grep '^LIVEKIT_API_' secrets.env)
  [ "$lines" = "$(cat state/agent-key.env 2>/dev/null)" ] || say "$lines" | put state/agent-key.env 0600
  [ -e agent.env ] || put agent.env 0600 </dev/null
}
make_folders() {
  mkdir -p state out data/redis data/caddy
  chmod 0755 data
  chmod 0700 state data/redis data/caddy
  chown 999:1000 data/redis
  chown 0:0 out
  chmod 0770 out
  [ "${SESSIONS:-off}" = off ] || { mkdir -p data/sessions && chmod 0700 data/sessions; }
#if CLUSTER
  if [ "$TOPOLOGY" = balanced ]; then mkdir -p state/balancer && chmod 0755 state/balancer
  else
    mkdir -p state/edge && chmod 0755 state/edge
    : >>state/edge/nodes
  fi
#end
  [ "$CERTIFICATES" = automatic ] || "$BIN/certificate.sh" --keep
  if has_service prometheus; then mkdir -p data/prometheus && chown 65534:65534 data/prometheus; fi
}
tools() {
  docker compose version >/dev/null 2>&1 && command -v nft >/dev/null &&
    { [ -z "$BACKUP_RECIPIENT" ] || command -v age >/dev/null; }
}

# stage CODE: what the first boot has reached. A connected machine reports it meanwhile.
reporting=
stage() { [ -z "$reporting" ] || printf '%s\t%s\n' "$1" "$(date +%s)" >>state/stages; }
# report_now [--no-block]: a report that fails is made again by its timer.
report_now() { [ -z "$reporting" ] || systemctl start "$@" livekit-report.service || say "The console is informed a minute later." >&2; }
# problem CODE SEVERITY SUBJECT FOUND: for the doctor and the console, until it is over.
problem() {
  printf '%s\t%s\t%s\t%.200s\t\n' "$@" | put state/first-boot-problem 0644 || say "Nothing can be written to $HERE. Is the disk full?" >&2
  report_now --no-block
}
# give_up SUBJECT SENTENCE
# A machine that was ready before goes on: what is not done by hand there is only said.
give_up() {
  [ -n "$was_ready" ] || problem boot.failed critical "$1" "$2"
  fail 1 "$2"
}
# shellcheck source=system.sh
. "./system.sh"
# packages_here: the packages by their names in this system. Debian 12 has only the first Docker Compose, which cannot read our
# files, so install-tools.sh fetches the second. Debian 13 has docker's command in a package of its own.
packages_here() {
  case $release in
  debian-12) say "$packages" | sed 's/ docker-compose-v2//' ;;
  debian-*) say "$packages" | sed 's/docker-compose-v2/docker-cli docker-compose/' ;;
  *) say "$packages" ;;
  esac
}
log=state/first-boot.log
# logged COMMAND…: runs it with its output here and in the log.
logged() {
  rm -f state/first-boot-failed
  { "$@" </dev/null 2>&1 || : >state/first-boot-failed; } | tee -a "$log"
  [ ! -e state/first-boot-failed ]
}
# Names and sizes of packages are no reasons.
logs() { grep -Ei '^(E:|Err|W:)|error|fail|denied|limit|lock|toomany' "$log" | grep -Eiq "$1"; }
# set_reason SENTENCE: sets $reason to what a person understands of the log, or to the sentence. It fails, as what it explains did.
set_reason() {
  if logs 'could not get lock|unable to (acquire|lock)'; then reason="Another program holds apt's lock."
  elif logs 'toomanyrequests|too many requests|rate limit'; then reason="The registry of the images limits what this address may download."
  elif logs 'resolve|resolving|unreachable|could not connect|unable to connect|connection refused|timed? ?out|no such host'; then
    reason="Nothing answers: there is no network yet, or the other side is down."
  elif logs 'failed to fetch|hash sum mismatch|unexpected size|cannot download|50[0-9] '; then reason="A mirror of the system's packages fails."
  else reason=$1; fi
  return 1
}
# The steps that need the network. What failed is in $reason.
# shellcheck disable=SC2086 # Lists of names are meant as words.
packages() {
  # Nobody answers a dialog, and it would hold apt's lock.
  export DEBIAN_FRONTEND=noninteractive NEEDRESTART_MODE=a
  : >"$log"
  case $SYSTEM in
  amazon*) logged dnf install -y $packages || set_reason "Packages could not be installed." || return 1 ;;
  *)
    # Old lists may be good enough, but not while another program makes new ones.
    logged apt-get -o DPkg::Lock::Timeout=60 update -q || ! logs 'could not get lock|unable to (acquire|lock)' || set_reason "" || return 1
    names=$(packages_here)
    logged apt-get -o DPkg::Lock::Timeout=60 install -y -q $names || set_reason "Packages could not be installed." || return 1
    ;;
  esac
  logged "$BIN/install-tools.sh" || set_reason "$(tail -n 1 "$log")" || return 1
  reason="docker compose, nft or age is missing."
  tools
}
# The agent worker's image may need a login first, and LiveKit's unit fetches it.
# shellcheck disable=SC2086
images() {
  : >"$log"
  names=$(docker compose config --services | grep -vx agent)
  logged docker compose pull -q --policy missing $names || set_reason "The images could not be fetched."
}
# persist STEP: repeats the step until it succeeds, for an hour in all. The time since the boot is no clock that somebody sets.
seconds() { cut -d . -f 1 "$ROOT/proc/uptime"; }
persist() {
  number=1 pause=10
  until "$1"; do
    left=$((begun + 3600 - $(seconds)))
    if [ "$left" -le 0 ]; then
      # A registry may limit for longer. LiveKit's unit starts again by itself until it has its images.
      [ "$1" != images ] || return 0
      give_up "$1" "$reason It was tried for an hour. $again"
    fi
    [ "$pause" -lt "$left" ] || pause=$left
    say "$reason Try $((number + 1)) follows in $pause seconds." >&2
    [ -n "$was_ready" ] || problem boot.retrying warning "$1" "Try $number: $reason"
    sleep "$pause"
    [ -n "$was_ready" ] || [ ! -e state/first-boot-done ] || { rm -f state/first-boot-problem && say "This machine was made ready meanwhile." && exit 0; }
    number=$((number + 1))
    [ "$pause" -ge 300 ] || pause=$((pause * 2))
  done
  [ "$number" = 1 ] || {
    # Without a network none of these tries could be reported.
    report_now
    rm -f state/first-boot-problem
  }
}

mkdir -p state
# Compose needs the file to exist. before-start.sh writes the public address into it.
: >>state/address.env
if [ "${1:-}" = --secrets ]; then
  make_secrets
  exit 0
fi
if [ "${1:-}" = --folders ]; then
  make_folders
  exit 0
fi
again="Run it again."
wanted=$#
if [ "${1:-}" = --boot ]; then
  shift
#if CLUSTER
  if [ -e state/first-boot-done ] && [ -z "$ROLE" ]; then
    rm -f state/first-boot-problem
    say "This machine is ready already, and waits for its role in the cluster."
    exit 0
  fi
#end
  if [ -e state/first-boot-done ] && [ -s secrets.env ]; then
    rm -f state/first-boot-problem
    say "This machine is ready already."
    exit 0
  fi
  again="The next boot tries again."
fi
was_ready=$(cat state/first-boot-done 2>/dev/null || true)
begun=$(seconds)
packages=$*
release=$(os_release ID)-$(os_release VERSION_ID)
rm -f state/first-boot-problem
if [ -z "$was_ready" ] && { [ -s enrolment-token ] || [ -s server.key ]; }; then
  reporting=yes
  rm -f state/stages
  stage connected
  systemctl daemon-reload
  systemctl enable --now livekit-report.timer || say "The console is not informed of this first boot." >&2
fi
other=$(system_problem)
[ -z "$other" ] || give_up system "$other"
report_now --no-block
make_folders
make_secrets
stage secrets
if [ "$wanted" -gt 0 ] || ! tools; then persist packages; fi
stage packages
sysctl -q --system || say "Some settings of the kernel were refused." >&2
systemctl daemon-reload
systemctl enable livekit-firewall.service
systemctl reload-or-restart livekit-firewall.service || give_up firewall "The firewall could not be loaded, so LiveKit was not started."
for unit in ssh sshd; do
  ! systemctl is-active -q "$unit.service" || systemctl try-reload-or-restart "$unit.service" || say "SSH has its new settings after the next boot." >&2
done
systemctl enable --now docker.service || give_up docker "Docker does not start."
for unit in "$ROOT"/etc/systemd/system/livekit-*.timer; do
  [ -e "$unit" ] || continue
  systemctl enable --now "$(basename "$unit")"
done
case $SYSTEM in amazon*) systemctl enable --now dnf-automatic.timer || say "Security updates are not switched on." >&2 ;; esac
systemctl enable livekit.service
stage tools
#if CLUSTER
# What runs here depends on the role, which a person gives this machine by SSH.
if [ -z "$ROLE" ]; then
  [ -e state/first-boot-done ] || date -u +%Y-%m-%dT%H:%M:%SZ | put state/first-boot-done 0644
  rm -f state/first-boot-problem
  [ -z "$reporting" ] || systemctl start --no-block livekit-health.service || say "The doctor looks within five minutes." >&2
  say "This machine is ready, and waits for its role in the cluster. On your computer, in the folder of the files:
sh cluster.sh make $([ "$TOPOLOGY" = balanced ] && echo FIRST || echo EDGE) NODE...   for a new cluster
sh cluster.sh join NODE         where this machine joins one; --egress before NODE where it is to record alone"
  exit 0
fi
#end
[ -n "$was_ready" ] || persist images
stage images
date -u +%Y-%m-%dT%H:%M:%SZ | put state/first-boot-done 0644
# A unit that waits for its next restart cannot be reloaded, only restarted.
if systemctl is-active -q livekit.service; then
  say_wait
  start=reload
elif [ "$REDIS" = external ] && ! grep -q '^REDIS_PASSWORD=.' secrets.env; then
  say "If your Redis has a password: sudo livekit-deploy set redis-password. Then: sudo livekit-deploy restart"
  exit 0
else
  start=restart
fi
# From here on LiveKit's unit tries by itself, and the doctor says what it lacks.
rm -f state/first-boot-problem
systemctl "$start" livekit.service || fail 1 "LiveKit did not start. 'sudo livekit-deploy doctor' tells why."
stage services
[ -z "$reporting" ] || systemctl start --no-block livekit-health.service || say "The doctor looks within five minutes." >&2
say "LiveKit runs. 'sudo livekit-deploy credentials' shows its key."
