#!/bin/sh
# Makes a machine ready: tools, folders, secrets, units. By hand it applies changed files to a running one.
# first-boot.sh [--boot] [PACKAGE...] | --secrets | --folders    Exit: 0 ready, 1 something is missing.
# --boot, at every boot, does nothing once it succeeded.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"

# Bytes outside the alphabet are thrown away, so every character is equally likely.
random() { tr -dc A-Za-z0-9 </dev/urandom | head -c "$1"; }
# missing NAME PREFIX LENGTH: prints a line with a new secret, unless secrets.env has one of that name.
missing() {
  ! grep -q "^$1=." secrets.env 2>/dev/null || return 0
  made=$(random "$3")
  [ "${#made}" = "$3" ] || fail 1 "No random bytes: /dev/urandom cannot be read."
  say "$1=$2$made"
}
make_secrets() {
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
  if has_service prometheus; then mkdir -p data/prometheus && chown 65534:65534 data/prometheus; fi
}
tools() {
  docker compose version >/dev/null 2>&1 && command -v nft >/dev/null &&
    { [ -z "$BACKUP_RECIPIENT" ] || command -v age >/dev/null; }
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
  if [ -e state/first-boot-done ] && [ -s secrets.env ]; then
    say "This machine is ready already."
    exit 0
  fi
  again="The next boot tries again."
  wanted=0
fi
# stage CODE: what the first boot has reached. A connected machine reports it meanwhile.
reporting=
stage() { [ -z "$reporting" ] || printf '%s\t%s\n' "$1" "$(date +%s)" >>state/stages; }
if [ ! -e state/first-boot-done ] && { [ -s enrolment-token ] || [ -s server.key ]; }; then
  reporting=yes
  rm -f state/stages
  stage connected
  systemctl daemon-reload
  systemctl enable --now livekit-report.timer || true
  systemctl start --no-block livekit-report.service || true
  # cloud-init installs no packages then.
  wanted=$#
fi
make_folders
make_secrets
stage secrets
if [ "$wanted" -gt 0 ] || ! tools; then
  case $SYSTEM in
  amazon*)
    dnf install -y "$@" || fail 1 "Packages could not be installed. $again"
    "$BIN/install-tools.sh"
    ;;
  *)
    export DEBIAN_FRONTEND=noninteractive
    apt-get -o DPkg::Lock::Timeout=600 update -q || true
    apt-get -o DPkg::Lock::Timeout=600 install -y -q "$@" ||
      fail 1 "Packages could not be installed. $again"
    ;;
  esac
  tools || fail 1 "docker compose, nft or age is missing. $again"
fi
stage packages
sysctl -q --system || true
systemctl daemon-reload
systemctl enable livekit-firewall.service
systemctl reload-or-restart livekit-firewall.service || fail 1 "The firewall could not be loaded, so LiveKit was not started."
systemctl try-reload-or-restart ssh.service sshd.service 2>/dev/null || true
systemctl enable --now docker.service
for unit in "$ROOT"/etc/systemd/system/livekit-*.timer; do
  [ -e "$unit" ] || continue
  systemctl enable --now "$(basename "$unit")"
done
case $SYSTEM in amazon*) systemctl enable --now dnf-automatic.timer || true ;; esac
systemctl enable livekit.service
stage tools
if [ -n "$reporting" ]; then docker compose pull -q --policy missing || true; fi
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
systemctl "$start" livekit.service || fail 1 "LiveKit did not start. 'sudo livekit-deploy doctor' tells why."
stage services
[ -z "$reporting" ] || systemctl start --no-block livekit-health.service || true
say "LiveKit runs. 'sudo livekit-deploy credentials' shows its key."
