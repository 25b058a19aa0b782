/** `livekit-deploy`: One command for what people do on the machine. */
export const livekitDeployScript = `#!/bin/sh
# One command for what people do on the machine.
USAGE="Usage: sudo livekit-deploy COMMAND
  credentials                  the address, the API key and its secret
  doctor                       what works, and the next step
  status | logs [SERVICE]
  update [--to COMPONENT=TAG]
  backup                       into /var/backups/livekit
  restore FILE [--identity KEYFILE] [--other-domain]
  rotate api-key               tokens of the old key end
  set redis-password           typed
  set storage-keys [KEY.json]  typed, or Google's key file"
TOOLS="\${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin"
[ "$(id -u)" = 0 ] || { echo "Run it with sudo." >&2; exit 77; }
case \${1:-} in
doctor | update | restore)
  command=$1
  shift
  exec "$TOOLS/$command.sh" "$@"
  ;;
backup) exec "$TOOLS/backup.sh" --by-hand ;;
esac
FROM=$PWD
# shellcheck source=environment.sh
. "$TOOLS/environment.sh"

# typed PROMPT: one line that the terminal does not show.
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
  *[!!-~]* | *[\\'\\\\]*) fail 1 "$1: a space, a quote, a backslash or a letter outside ASCII is not possible. Nothing was changed." ;;
  esac
  printf '%s' "$line"
}
# store NAME VALUE…: in secrets.env, in place of what was there.
store() {
  lines=$(cat secrets.env 2>/dev/null || true)
  while [ $# -gt 0 ]; do
    lines=$(printf '%s\\n' "$lines" | grep -v "^$1=" || true)
    lines="$lines
$1='$2'"
    shift 2
  done
  printf '%s\\n' "$lines" | grep . | put secrets.env 0600
}
RELOAD="To use it now: sudo systemctl restart livekit (running calls end first)."

case \${1:-} in
credentials)
  [ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
  say "URL        wss://$DOMAIN"
  say "API key    $(secret LIVEKIT_API_KEY)"
  say "API secret $(secret LIVEKIT_API_SECRET)"
  ;;
status)
  docker compose ps -a
  sed -n 's/^ *image: */image   /p' docker-compose.yaml
  [ ! -s state/health ] || say "health  $(cat state/health)"
  [ ! -s state/health-report ] || cat state/health-report
  ;;
logs)
  shift
  exec docker compose logs --no-color --tail 200 "$@"
  ;;
rotate)
  [ "\${2:-}" = api-key ] || fail 64 "$USAGE"
  cp -p secrets.env state/secrets-before-rotation
  grep -v '^LIVEKIT_API_' state/secrets-before-rotation | put secrets.env 0600
  "$BIN/first-boot.sh" --secrets
  rm -f state/secrets-before-rotation
  say "There is a new API key. $RELOAD"
  ;;
set)
  case \${2:-} in
  redis-password)
    value=$(typed "Redis password")
    store REDIS_PASSWORD "$value"
    ;;
  storage-keys)
    if [ "$RECORDING" = gcs ]; then
      case \${3:-} in /*) file=$3 ;; *) file=$FROM/\${3:-} ;; esac
      [ -f "$file" ] || fail 64 "Name the service account's key file: set storage-keys /path/KEY.json"
      value=$(base64 -w 0 "$file")
      store GCS_CREDENTIALS "$value"
      say "Stored in secrets.env. $RELOAD"
      exit 0
    fi
    key=$(typed "Access key")
    value=$(typed "Secret")
    store S3_ACCESS_KEY "$key" S3_SECRET "$value"
    ;;
  *) fail 64 "$USAGE" ;;
  esac
  say "Stored in secrets.env. $RELOAD"
  ;;
*) fail 64 "$USAGE" ;;
esac
`;
