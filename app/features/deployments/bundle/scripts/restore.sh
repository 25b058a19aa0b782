#!/bin/sh
# Puts a backup back: read whole and compared first, then exchanged, and exchanged again when it does not start.
# --try reads and compares only.
# Exit: 0 restored, 1 nothing changed or put back, 2 not running after putting back, 64 usage, 75 busy.
FROM=$PWD
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
USAGE="Usage: restore FILE | --from-target [NAME] [--identity KEYFILE] [--other-domain] [--now]"
# systemd does not run ExecStop for a unit that has failed or waits for its next restart, so the containers are stopped here
# too. With --now they are stopped first, and the unit then has nothing to wait for.
stop_all() { { [ -z "$now" ] || "$BIN/before-stop.sh" --now; } && systemctl stop livekit.service && "$BIN/before-stop.sh" && docker compose stop; }
absolute() { case $1 in /*) say "$1" ;; *) say "$FROM/$1" ;; esac; }
refuse() { fail 1 "$* Nothing was changed."; }
put_back() {
  (cd state/before-restore && find . -type f ! -path './data/*' && find data -mindepth 1 -maxdepth 1 2>/dev/null) |
    while read -r name; do
      rm -rf "./$name"
      mv "state/before-restore/$name" "./$name"
    done
}

file=''
identity=''
other_domain=''
now=''
from_target=''
try=''
while [ $# -gt 0 ]; do
  case $1 in
  --recover)
    [ -e state/restoring ] || exit 0
    say "A restore was interrupted: putting the earlier state back."
    [ ! -d state/before-restore ] || put_back
    rm -f state/restoring
    exit 0
    ;;
  --identity)
    [ $# -ge 2 ] || fail 64 "$USAGE"
    identity=$(absolute "$2")
    shift
    ;;
  --other-domain) other_domain=yes ;;
  --now) now=yes ;;
  --try) try=yes other_domain=yes ;;
  --from-target)
    from_target=yes
    case ${2:-} in '' | -*) ;; *) file=$2 && shift ;; esac
    ;;
  -*) fail 64 "$USAGE" ;;
  *) file=$(absolute "$1") ;;
  esac
  shift
done
[ -n "$file$from_target" ] || fail 64 "$USAGE"
alone
if [ -e state/restoring ]; then "$BIN/restore.sh" --recover; fi
stage=$STATE/restore-stage
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$stage/files"
if [ -n "$from_target" ]; then
  name=$file
  [ -n "$name" ] || name=$("$BIN/backup-target.sh" newest) || refuse
  case $name in */*) refuse "A name has no slash: $name." ;; esac
  file=$stage/fetched
  "$BIN/backup-target.sh" get "$name" "$file" || refuse
  say "Fetched $name."
fi
[ -r "$file" ] || refuse "$file cannot be read."

plain=$file
if [ "$(head -c 4 "$file")" = age- ]; then
  [ -n "$identity" ] || refuse "This backup is encrypted. Name your age key with --identity."
  plain=$stage/plain
  age -d -i "$identity" -o "$plain" "$file" || refuse "The backup is damaged, or it was encrypted for another key. A key with a passphrase: open the file with age first."
fi
tar -tvzf "$plain" >"$stage/list" 2>/dev/null || refuse "The backup is damaged or cut off."
! grep -q '^[^-d]' "$stage/list" || refuse "This is not a backup of LiveKit Deploy."
tar -tzf "$plain" >"$stage/names"
if grep -Eqv '^\./($|[A-Za-z0-9._-]+\.(yaml|conf|env)$|manifest\.sha256$|data/($|caddy/|redis/($|dump\.rdb$)))' "$stage/names" ||
  grep -Eq '(^|/)\.\.(/|$)' "$stage/names" || ! grep -q '^./manifest.sha256$' "$stage/names"; then
  refuse "This is not a backup of LiveKit Deploy."
fi
tar -xzf "$plain" -p --numeric-owner -C "$stage/files" || refuse "The backup could not be unpacked."
(cd "$stage/files" && sha256sum --check --strict --quiet manifest.sha256) || refuse "A file in the backup is not what was saved."
for name in deployment.env secrets.env docker-compose.yaml; do
  [ -s "$stage/files/$name" ] || refuse "The backup holds no $name."
done
served=$(sed -n "s/^DOMAIN='\(.*\)'\$/\1/p" "$stage/files/deployment.env")
[ "$served" = "$DOMAIN" ] || [ -n "$other_domain" ] ||
  refuse "The backup is of $served, this machine serves $DOMAIN. Add --other-domain if you mean it."
if [ -n "$try" ]; then
  dump=$stage/files/data/redis/dump.rdb
  [ ! -e "$dump" ] || [ "$(head -c 5 "$dump")" = REDIS ] || refuse "Redis's data is damaged."
  say "The backup is whole."
  exit 0
fi
rm "$stage/files/manifest.sha256"

say "The backup is whole. Stopping LiveKit."
[ -n "$now" ] || say_wait
stop_all || refuse "LiveKit could not be stopped."
rm -rf state/before-restore
mkdir -p state/before-restore/data
put state/restoring 0644 </dev/null
(cd "$stage/files" && find . -type f ! -path './data/*' && find data -mindepth 1 -maxdepth 1) >"$stage/entries"
while read -r name; do
  [ ! -e "$name" ] || mv "./$name" "state/before-restore/$name"
  mv "$stage/files/$name" "./$name"
done <"$stage/entries"
sync
if systemctl start livekit.service; then
  rm -f state/restoring
  say "Restored. What was here before is in state/before-restore."
  exit 0
fi
say "LiveKit does not start with the restored state. Putting the earlier one back." >&2
stop_all || true
put_back
rm -f state/restoring
systemctl start livekit.service || fail 2 "LiveKit does not start with the earlier state either. Run: sudo livekit-deploy doctor"
fail 1 "The backup was not restored. The earlier state runs again."
