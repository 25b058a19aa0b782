#!/bin/sh
# Amazon Linux has no package of Docker Compose and age, and Debian 12 none of Docker Compose that reads our files: pinned
# releases, refused unless their checksum is right.
# Exit: 0 installed, 1 not.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT
# fetch URL SHA256: downloads the file to $work/download and compares its checksum.
fetch() {
  curl -fsSL --retry 5 --max-time 600 -o "$work/download" "$1" || fail 1 "$1 could not be fetched."
  echo "$2  $work/download" | sha256sum --check --status || fail 1 "$1 is not the file that was pinned."
}
plugins=$ROOT/usr/local/lib/docker/cli-plugins
if ! docker compose version >/dev/null 2>&1; then
  case $(uname -m) in
  aarch64) sum=@COMPOSE_AARCH64@ ;;
  *) sum=@COMPOSE_X86_64@ ;;
  esac
  fetch "https://github.com/docker/compose/releases/download/@COMPOSE@/docker-compose-linux-$(uname -m)" "$sum"
  mkdir -p "$plugins"
  chmod 0755 "$ROOT/usr/local/lib/docker" "$plugins"
  put "$plugins/docker-compose" 0755 <"$work/download"
fi
if [ -n "$BACKUP_RECIPIENT" ] && ! command -v age >/dev/null; then
  fetch https://github.com/FiloSottile/age/releases/download/@AGE@/age-@AGE@-linux-amd64.tar.gz @AGE_X86_64@
  tar -xzf "$work/download" -C "$work" age/age
  put "$ROOT/usr/bin/age" 0755 <"$work/age/age"
fi
