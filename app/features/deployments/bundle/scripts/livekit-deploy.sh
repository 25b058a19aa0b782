#!/bin/sh
# One command for what people do on the machine.
USAGE="Usage: sudo livekit-deploy COMMAND
  credentials                  the address, the API keys and their secrets
  doctor [--quiet | --report]  what works, and the next step
  status | logs [SERVICE]
  restart [--now]              in a quiet moment; with --now at once
  update [--to COMPONENT=TAG] [--now]
  apply FILE.zip [--other-domain] [--allow-downgrade] [--now]
                               takes a changed bundle, or goes back
  connect                      to the console, with a token; typed
  disconnect                   from the console
  backup                       into /var/backups/livekit
  restore FILE | --from-target [NAME] [--identity KEYFILE] [--other-domain] [--now]
  rotate api-key               a second key; the old one works on
  rotate finish                ends the old key
  set redis-password           typed
  set storage-keys [KEY.json]  typed, or Google's key file
  set backup-keys [KEY.json]   the same, for backups off the machine"
TOOLS="${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin"
[ "$(id -u)" = 0 ] || { echo "Run it with sudo." >&2; exit 77; }
case ${1:-} in
doctor)
  shift
  exec "$TOOLS/doctor.sh" "$@"
  ;;
backup) exec "$TOOLS/backup.sh" --by-hand ;;
esac
FROM=$PWD
# shellcheck source=environment.sh
. "$TOOLS/environment.sh"

# typed PROMPT: reads a line, which a terminal does not show.
typed() {
  if [ -t 0 ]; then
    trap 'stty echo' EXIT
    trap 'exit 1' HUP INT TERM
    stty -echo
    printf '%s: ' "$1" >&2
  fi
  IFS= read -r line || line=
  [ ! -t 0 ] || { stty echo && echo >&2; }
  case $line in
  '') fail 1 "$1: nothing was typed. Nothing was changed." ;;
  *[!!-~]* | *[\'\\]*) fail 1 "$1: a space, a quote, a backslash or a letter outside ASCII is not possible. Nothing was changed." ;;
  esac
  printf '%s' "$line"
}
# store NAME VALUE…: writes these values into $STORE and replaces old values of the same names.
STORE=secrets.env
store() {
  lines=$(cat "$STORE" 2>/dev/null || true)
  while [ $# -gt 0 ]; do
    lines=$(printf '%s\n' "$lines" | grep -v "^$1=" || true)
    lines="$lines
$1='$2'"
    shift 2
  done
  printf '%s\n' "$lines" | grep . | put "$STORE" 0600
}
key_file() {
  case $1 in /*) file=$1 ;; *) file=$FROM/$1 ;; esac
  [ -f "$file" ] || fail 64 "Name the service account's key file: set $2 /path/KEY.json"
  base64 -w 0 "$file"
}
has_secret() { grep -q "^$1=." secrets.env; }
# takes_new_key: whether LiveKit was started with the present key, and not before the last rotation.
takes_new_key() {
  docker inspect -f '{{.Config.Env}}' "$(docker compose ps -a -q livekit | head -n 1)" | grep -q "LIVEKIT_API_KEY=$(secret LIVEKIT_API_KEY)[] ]"
}
RELOAD="To use it now: sudo livekit-deploy restart"

case ${1:-} in
update | restore)
  # The script runs in a systemd unit, which goes on when the terminal is lost.
  name=$1
  shift
  (alone)
  log=$STATE/$name.log
  : >"$log"
  trap 'say "It goes on: /opt/livekit/state/$name.log"; exit 130' INT
  systemd-run -q --unit="livekit-$name-by-hand" --collect --wait --property=WorkingDirectory="$FROM" \
    --property=StandardOutput=append:"$log" --property=StandardError=append:"$log" "$BIN/$name.sh" "$@" &
  tail -s 0.1 -n +1 -f --pid=$! "$log"
  wait $!
  ;;
credentials)
  [ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
  say "URL        wss://$DOMAIN"
  say "API key    $(secret LIVEKIT_API_KEY)"
  say "API secret $(secret LIVEKIT_API_SECRET)"
  if has_secret LIVEKIT_OLD_API_KEY; then
    say "Old key    $(secret LIVEKIT_OLD_API_KEY)"
    say "Old secret $(secret LIVEKIT_OLD_API_SECRET)"
    if takes_new_key; then say "LiveKit takes both, until: sudo livekit-deploy rotate finish"
    else say "LiveKit takes the old key only, until: sudo livekit-deploy restart"; fi
  fi
  [ "${WEBHOOKS:-no}" = no ] || say "Webhooks are signed with the key webhooks
Its secret $(secret WEBHOOK_SECRET)"
  ;;
connect)
  [ -e "$BIN/console.sh" ] || fail 1 "First take the files of the bundle: sudo livekit-deploy apply FILE.zip. Nothing was changed."
  token=$(typed "Token from the console")
  say "$token" | "$BIN/console.sh" connect
  systemctl start --no-block livekit-report.service || true
  ;;
disconnect) exec "$BIN/console.sh" disconnect ;;
status)
  docker compose ps -a
  sed -n 's/^ *image: */image   /p' docker-compose.yaml
  [ ! -s state/health ] || say "health  $(cat state/health)"
  [ ! -s state/health-report ] || cat state/health-report
  ;;
apply)
  shift
  case ${1:-} in '' | -*) fail 64 "$USAGE" ;; /*) file=$1 ;; *) file=$FROM/$1 ;; esac
  shift
  (alone)
  mkdir -p state/apply-run
  # Each bundle has its own apply.sh, which fits it.
  python3 -c 'import sys, zipfile
bundle = zipfile.ZipFile(sys.argv[1])
[name] = [name for name in bundle.namelist() if name.endswith("/apply.sh") and name.count("/") == 1]
sys.stdout.buffer.write(bundle.read(name))' "$file" 2>/dev/null | put state/apply-run/apply.sh 0700
  [ -s state/apply-run/apply.sh ] || fail 1 "$file is not a bundle with apply.sh. Nothing was changed."
  exec sh "$STATE/apply-run/apply.sh" "$file" "$@"
  ;;
restart)
  case ${2:-} in '' | --now) ;; *) fail 64 "$USAGE" ;; esac
  alone
  services=$(words "$SERVICES")
  # The agent worker is the last service. The others are restarted even when its image cannot be fetched.
  docker compose pull -q --policy missing ${services% agent} || fail 1 "An image could not be fetched. Nothing was stopped."
  ! has_service agent || docker compose pull -q --policy missing agent ||
    say "The agent's image could not be fetched. LiveKit is restarted all the same." >&2
  "$BIN/check.sh" || fail 1 "Nothing was stopped."
  verb=restart
  ! systemctl is-active -q livekit.service || verb=reload
  if [ -z "${2:-}" ]; then say_wait
  elif [ "$verb" = reload ]; then
    # LiveKit is stopped here without waiting. The reload then finds it stopped and does not wait either.
    "$BIN/before-start.sh" || fail 1 "Nothing was stopped."
    "$BIN/before-stop.sh" --now
  fi
  systemctl "$verb" livekit.service || fail 1 "LiveKit did not start. 'sudo livekit-deploy doctor' tells why."
  say "LiveKit was restarted."
  ;;
logs)
  shift
  exec docker compose logs --no-color --tail 200 "$@"
  ;;
rotate)
  [ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
  alone
  case ${2:-} in
  api-key)
    # One write turns the present pair of key and secret into the old one. After a crash this command can be run again and
    # makes the new pair.
    if ! has_secret LIVEKIT_OLD_API_KEY; then
      lines=$(sed 's/^LIVEKIT_API_/LIVEKIT_OLD_API_/' secrets.env)
      say "$lines" | put secrets.env 0600
    elif has_secret LIVEKIT_API_KEY && has_secret LIVEKIT_API_SECRET; then
      fail 1 "A rotation is not finished: the old key is $(secret LIVEKIT_OLD_API_KEY). First: sudo livekit-deploy rotate finish. Nothing was changed."
    fi
    "$BIN/first-boot.sh" --secrets
    say "There is a new API key, and LiveKit takes both from its next restart on:
1. sudo livekit-deploy restart
2. Give your back end the new key: sudo livekit-deploy credentials
3. When no token of the old key is left: sudo livekit-deploy rotate finish"
    ;;
  finish)
    has_secret LIVEKIT_OLD_API_KEY || fail 1 "No rotation is under way. Nothing was changed."
    takes_new_key || fail 1 "LiveKit does not take the new key yet. First: sudo livekit-deploy restart. Nothing was changed."
    lines=$(grep -v '^LIVEKIT_OLD_API_' secrets.env)
    say "$lines" | put secrets.env 0600
    say "The old API key ends with the next restart: sudo livekit-deploy restart."
    ;;
  *) fail 64 "$USAGE" ;;
  esac
  ;;
set)
  case ${2:-} in
  redis-password)
    value=$(typed "Redis password")
    store REDIS_PASSWORD "$value"
    ;;
  storage-keys)
    if [ "$RECORDING" = gcs ]; then
      value=$(key_file "${3:-}" storage-keys)
      store GCS_CREDENTIALS "$value"
      say "Stored in secrets.env. $RELOAD"
      exit 0
    fi
    key=$(typed "Access key")
    value=$(typed "Secret")
    store S3_ACCESS_KEY "$key" S3_SECRET "$value"
    ;;
  backup-keys)
    STORE=backup-keys.env
    case $BACKUP_KEYS in
    s3)
      key=$(typed "Access key")
      value=$(typed "Secret")
      store BACKUP_ACCESS_KEY "$key" BACKUP_SECRET "$value"
      ;;
    gcs)
      value=$(key_file "${3:-}" backup-keys)
      store BACKUP_CREDENTIALS "$value"
      ;;
    azure)
      value=$(typed "Key of the storage account")
      store BACKUP_SECRET "$value"
      ;;
    *) fail 64 "Backups need no keys here. Nothing was changed." ;;
    esac
    say "Stored in $STORE, for the next backup: sudo livekit-deploy backup"
    exit 0
    ;;
  *) fail 64 "$USAGE" ;;
  esac
  say "Stored in secrets.env. $RELOAD"
  ;;
*) fail 64 "$USAGE" ;;
esac
