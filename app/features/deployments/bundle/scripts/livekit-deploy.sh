#!/bin/sh
# One command for what people do on the machine.
USAGE="Usage: sudo livekit-deploy COMMAND
  credentials                  the address, the API keys and their secrets
  doctor [--quiet | --report]  what works, and the next step
  status | version
  logs [SERVICE] [--around TIME]
                               the last lines, or five minutes before and after
  rooms                        how many are in calls
  test-call                    joins a room, and makes tokens for browsers
  token ROOM [IDENTITY]        for ten minutes
  test-token                   for the console's connection test, a day
  rooms-token [ROOM-SID]       for the console's live rooms, five minutes
  insights [check | on | off | show JOB | token JOB | delete JOB | delete all]
                               what agents recorded of their sessions
  drain                        waits until nobody is in a call; stops nothing
  restart [SERVICE] [--now]    in a quiet moment; with --now at once
  update [--to COMPONENT=TAG] [--now]
  apply FILE.zip [--other-domain] [--allow-downgrade] [--now]
                               takes a changed bundle, or goes back
  connect                      to the console, with a token; typed
  disconnect                   from the console
  approvers                    whose passkeys approve versions from the console
  find NAME | ADDRESS          the hashes of a person, a room or a network in the console
  backup | backups             into /var/backups/livekit | a list
  restore FILE | --from-target [NAME] [--identity KEYFILE] [--other-domain] [--now]
  rotate api-key               a second key; the old one works on
  rotate finish                ends the old key
  rotate redis | webhook       a new password, a new secret
  webhook add | remove URL     until the next bundle
  support                      a file for who helps you, without secrets
  set redis-password           typed
  set storage-keys [KEY.json]  typed, or Google's key file
  set backup-keys [KEY.json]   the same, for backups off the machine
  certificate [FULLCHAIN KEY]  takes yours, or asks for one by DNS
  set dns-credentials          typed, for that
  set api-key                  typed: a key that your apps have
#if CLUSTER
  cluster                      this machine's role, and what cluster.sh runs
#end
  move-out [--now]             back to the LiveKit of before move-in.sh"
TOOLS="${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin"
[ "$(id -u)" = 0 ] || { echo "Run it with sudo." >&2; exit 77; }
case ${1:-} in
doctor)
  shift
  exec "$TOOLS/doctor.sh" "$@"
  ;;
backup) exec "$TOOLS/backup.sh" --by-hand ;;
#if CLUSTER
cluster)
  shift
  exec "$TOOLS/cluster-machine.sh" "$@"
  ;;
#end
move-out)
  moved=${LIVEKIT_DEPLOY_ROOT:-}/var/lib/livekit-move-in/bundle/move-in.sh
  [ -e "$moved" ] || { echo "This machine was not moved in. Nothing was changed." >&2; exit 1; }
  exec sh "$moved" "$@"
  ;;
certificate)
  shift
  [ -e "$TOOLS/certificate.sh" ] || { echo "Caddy gets the certificates of this deployment itself. Choose another way in its options. Nothing was changed." >&2; exit 1; }
  exec "$TOOLS/certificate.sh" "$@"
  ;;
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
  # Stores of secrets print them without a line's end, at which read fails with what it has read.
  IFS= read -r line || true
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
#if SINGLE
# takes_new_key: whether LiveKit was started with the present key, and not before the last rotation.
takes_new_key() {
  docker inspect -f '{{.Config.Env}}' "$(docker compose ps -a -q livekit | head -n 1)" | grep -q "LIVEKIT_API_KEY=$(secret LIVEKIT_API_KEY)[] ]"
}
RELOAD="To use it now: sudo livekit-deploy restart"
#end
#if CLUSTER
RELOAD="The others get it by: sh cluster.sh rotate or, for each, sh cluster.sh join NODE, on your computer.$([ "$ROLE" = edge ] || echo " This machine: sudo livekit-deploy restart.")"
#end
# keys: the API key and its secret, a line each.
keys() {
  [ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
  secret LIVEKIT_API_KEY
  secret LIVEKIT_API_SECRET
}
# token ROOM IDENTITY: what a client joins with. Neither key nor secret is an argument, which others could read.
token() { keys | python3 "$BIN/call.py" token "$1" "$2"; }
# forget NAME: takes a secret away, so that a new one is made.
forget() {
  lines=$(grep -v "^$1=" secrets.env)
  say "$lines" | put secrets.env 0600
  "$BIN/first-boot.sh" --secrets
}

#if CLUSTER
whole=$ROLE
! is_whole || whole=edge
case $whole,${1:-} in
,update | ,restart | ,rotate | ,set | ,token | ,test-token | ,rooms-token | ,test-call | ,credentials)
  fail 1 "This machine has no role in its cluster yet: sh cluster.sh join, on your computer. Nothing was changed."
  ;;
media,rotate | media,set | egress,rotate | egress,set)
  fail 1 "This machine has copies of the cluster's secrets. On your computer: sh cluster.sh rotate; after a 'set' on $([ "$TOPOLOGY" = balanced ] && echo 'a machine for calls' || echo 'the edge'), for each machine: sh cluster.sh join NODE. Nothing was changed."
  ;;
*,webhook) fail 1 "The machines of a cluster have the same livekit.yaml. Change the options, and take the new files by: sh cluster.sh apply FILE.zip. Nothing was changed." ;;
# Each can be run again: cluster.sh does so where it stopped before every media machine had what is new.
edge,rotate)
  case ${2:-} in
  api-key)
    if has_secret LIVEKIT_OLD_API_KEY && has_secret LIVEKIT_API_KEY && has_secret LIVEKIT_API_SECRET; then
      say "There is a second API key already: $(secret LIVEKIT_API_KEY). $RELOAD"
      exit 0
    fi
    ;;
  finish) has_secret LIVEKIT_OLD_API_KEY || { say "This machine has one API key: $(secret LIVEKIT_API_KEY). $RELOAD" && exit 0; } ;;
  redis | redis-finish) [ "$ROLE" != edge ] || exec "$TOOLS/cluster-machine.sh" "rotate-$2" ;;
  esac
  ;;
esac
#end
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
#if CLUSTER
    say "A media machine that has both takes both, until: sh cluster.sh rotate finish"
#end
#if SINGLE
    if takes_new_key; then say "LiveKit takes both, until: sudo livekit-deploy rotate finish"
    else say "LiveKit takes the old key only, until: sudo livekit-deploy restart"; fi
#end
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
approvers)
  [ -e "$BIN/approval.py" ] || fail 1 "First take the files of the bundle: sudo livekit-deploy apply FILE.zip. Nothing was changed."
  exec "$BIN/console.sh" approvers
  ;;
find)
  case ${2:-} in '') fail 64 "$USAGE" ;; esac
  python3 "$BIN/sessions.py" find "$2" 2>/dev/null || fail 1 "No name was replaced on this server: the console has no sessions of it, or their names."
  ;;
rooms) exec "$BIN/before-stop.sh" --count ;;
drain) exec "$BIN/before-stop.sh" --wait ;;
version)
  [ ! -s version.txt ] || sed -n '1s/^\([^ ]*\) \([^ ]*\) .*/deployment \1, version \2/p' version.txt
  sed -n 's/^ *image: *//p' docker-compose.yaml
  ;;
token)
  case ${2:-} in '' | -*) fail 64 "$USAGE" ;; esac
  token "$2" "${3:-guest-$(date +%s)}"
  ;;
test-token) keys | python3 "$BIN/call.py" test-token ;;
rooms-token)
  case ${2-RM_} in RM_*) ;; *) fail 64 "$USAGE" ;; esac
#if CLUSTER
  # Any media machine knows every room.
  server=127.0.0.1
  [ "$ROLE" != edge ] || server=$(awk 'NF == 3 { print $1; exit }' state/edge/nodes)
  made=$(keys | python3 "$BIN/call.py" rooms-token "${server:-127.0.0.1}:7880" ${2:+"$2"}) || fail 1 "${made:-No token was made.}"
#end
#if SINGLE
  made=$(keys | python3 "$BIN/call.py" rooms-token 127.0.0.1:7880 ${2:+"$2"}) || fail 1 "${made:-No token was made.}"
#end
  say "$made"
  ;;
insights)
  [ -n "${INSIGHTS_DAYS:-}" ] || fail 1 "This deployment has no agent insights. Choose them in its options, download the files and apply them."
  stored=$ROOT/var/lib/private/livekit-insights
  case "${2:-} ${3:-}" in
  ' ')
    if [ -e insights-off ]; then say "Off: agents are told to record nothing. On again: sudo livekit-deploy insights on"
    elif systemctl is-active -q livekit-insights.service; then say "On, at https://$DOMAIN: agents need LIVEKIT_OBSERVABILITY_URL=https://$DOMAIN"
    else say "The receiver does not run. Next: sudo livekit-deploy doctor"; fi
    say "Stored for $INSIGHTS_DAYS days, at most $INSIGHTS_GIGABYTES GB, in $stored"
    [ ! -s "$stored/status.json" ] || tr -d '{}"' <"$stored/status.json" | tr , '\n' | sed 's/^ */  /'
    say "
Whether a recording comes: sudo livekit-deploy insights check"
    ;;
  'check ')
    [ -e "$BIN/insights-check.sh" ] || fail 1 "First take the files of the bundle: sudo livekit-deploy apply FILE.zip. Nothing was changed."
    exec "$BIN/insights-check.sh"
    ;;
  'off ') : >insights-off && say "From now on nothing is taken. What is stored stays until its days are over: sudo livekit-deploy insights delete all" ;;
  'on ') rm -f insights-off && say "Agents record again, from their next session on." ;;
  'show AJ_'*)
    made=$(keys | python3 "$BIN/call.py" insights-token read "$3")
    printf 'header = "Authorization: Bearer %s"\n' "$made" |
      curl -fsS --noproxy '*' --max-time 30 -K - "http://127.0.0.1:7991/observability/insights/$3" | python3 "$BIN/insights.py" show ||
      fail 1 "There is no such session here, or the receiver does not run: sudo livekit-deploy insights"
    ;;
  'token AJ_'*) keys | python3 "$BIN/call.py" insights-token read "$3" ;;
  'delete AJ_'* | 'delete all')
    made=$(keys | python3 "$BIN/call.py" insights-token delete "$3")
    printf 'header = "Authorization: Bearer %s"\n' "$made" |
      curl -fsS --noproxy '*' --max-time 10 -K - -X DELETE "http://127.0.0.1:7991/observability/insights/$3" >/dev/null ||
      fail 1 "The receiver does not answer: journalctl -u livekit-insights.service. Nothing was deleted."
    say "Deleted."
    ;;
  *) fail 64 "$USAGE" ;;
  esac
  ;;
test-call)
  reason=$(keys | timeout 45 python3 "$BIN/call.py" join "$DOMAIN:443=$DOMAIN" livekit-deploy-test) ||
    fail 1 "A client cannot join: ${reason:-python3 is missing}. Next: sudo livekit-deploy doctor"
  one=$(token livekit-deploy-test one) two=$(token livekit-deploy-test two)
  say "A client can join. It made the room livekit-deploy-test, of which webhooks and agents hear.
To try it in browsers, open https://meet.livekit.io/?tab=custom, a page of LiveKit's, on two devices within ten minutes.
LiveKit URL   wss://$DOMAIN
Token one     $one
Token two     $two
Whether strict networks get through: sudo livekit-deploy doctor"
  ;;
backups)
  say "On this machine, in $ARCHIVE:"
  found=$(ls -lh --time-style=long-iso "$ARCHIVE" 2>/dev/null | awk 'NF > 7 && $8 ~ /^livekit-/ { print "  " $6, $7, $5, $8 }')
  say "${found:-  none}"
  [ -n "$BACKUP_TARGET" ] || exit 0
  names=$("$BIN/backup-target.sh" list) || exit 1
  say "At ${BACKUP_TARGET#target:}:"
  say "${names:-none}" | sed 's/^/  /'
  ;;
support)
  [ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
  file=$STATE/support.txt
  python3 "$BIN/support.py" | put "$file" 0600
  say "It is in $file. Read it before you send it: it has the names of this deployment, its findings, and its logs without secrets."
  ;;
webhook)
  [ "${WEBHOOKS:-no}" = yes ] || fail 1 "This deployment has no webhooks. Add the first one to its options, download the files and apply them. Nothing was changed."
  url=${3:-}
  # It becomes a line of YAML as it stands.
  case $url in *[!A-Za-z0-9:/?\&=._~%@+,-]* | *:) fail 64 "Write the address with https:// and without spaces and quotes." ;; http://?* | https://?*) ;; *) fail 64 "$USAGE" ;; esac
  alone
  urls=$(awk '/^[a-z]/ { inside = /^webhook:/ } inside && /^ *- / { gsub(/^ *- |"/, ""); print }' livekit.yaml)
  listed=$(say "$urls" | grep -cxF -e "$url" || true)
  case ${2:-},$listed in
  add,0) awk -v url="$url" '/^[a-z]/ { inside = /^webhook:/ } { print } inside && /^ *urls:/ { print "    - " url }' livekit.yaml ;;
  remove,1)
    [ "$(say "$urls" | wc -l)" -gt 1 ] || fail 1 "$url is the only one: take it out of the options, download the files and apply them. Nothing was changed."
    awk -v url="$url" '/^[a-z]/ { inside = /^webhook:/ } { line = $0; gsub(/^ *- |"/, "", line) } !(inside && line == url)' livekit.yaml
    ;;
  add,*) fail 1 "$url is there already. Nothing was changed." ;;
  remove,*) fail 1 "$url is not there. There are:
$urls" ;;
  *) fail 64 "$USAGE" ;;
  esac >state/livekit.yaml.changed
  cp -p livekit.yaml state/livekit.yaml.before
  put livekit.yaml 0644 <state/livekit.yaml.changed
  "$BIN/check.sh" || {
    put livekit.yaml 0644 <state/livekit.yaml.before
    fail 1 "Nothing was changed."
  }
  say "Written. Change the options of the deployment too: its next bundle replaces livekit.yaml. $RELOAD"
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
  case ${2:-} in
  '' | --now) ;;
  livekit | -*) fail 64 "$USAGE" ;;
  *)
    has_service "$2" || fail 64 "There is no service $2. There are: $(words "$SERVICES")"
    case ${3:-} in '' | --now) ;; *) fail 64 "$USAGE" ;; esac
    alone
    # Calls need these, and a recording its Egress. The others nobody misses for a moment.
    case $2 in prometheus | node-exporter) ;; *) [ -n "${3:-}" ] || "$BIN/before-stop.sh" --wait || fail 1 "$2 was not restarted. With --now it is restarted at once." ;; esac
    docker compose up -d --no-deps --force-recreate "$2" || fail 1 "$2 did not start: sudo livekit-deploy logs $2"
    say "$2 was restarted."
    exit 0
    ;;
  esac
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
  left=$# at=
  while [ "$left" -gt 0 ]; do
    word=$1 left=$((left - 1))
    shift
    case $word in
    --around)
      at=$(date -d "${1:-never}" +%s 2>/dev/null) || fail 64 "Write the time as 2026-11-28T03:12Z: logs [SERVICE] --around TIME"
      [ "$left" = 0 ] || { shift; left=$((left - 1)); }
      ;;
    *) set -- "$@" "$word" ;;
    esac
  done
  [ -z "$at" ] || exec docker compose logs --no-color --timestamps --since "$((at - 300))" --until "$((at + 300))" "$@"
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
#if CLUSTER
    say "There is a new API key: $(secret LIVEKIT_API_KEY). $RELOAD"
#end
#if SINGLE
    say "There is a new API key, and LiveKit takes both from its next restart on:
1. sudo livekit-deploy restart
2. Give your back end the new key: sudo livekit-deploy credentials
3. When no token of the old key is left: sudo livekit-deploy rotate finish"
#end
    ;;
  finish)
    has_secret LIVEKIT_OLD_API_KEY || fail 1 "No rotation is under way. Nothing was changed."
#if SINGLE
    takes_new_key || fail 1 "LiveKit does not take the new key yet. First: sudo livekit-deploy restart. Nothing was changed."
#end
    lines=$(grep -v '^LIVEKIT_OLD_API_' secrets.env)
    say "$lines" | put secrets.env 0600
#if SINGLE
    say "The old API key ends with the next restart: sudo livekit-deploy restart."
#end
#if CLUSTER
    say "The old API key ends on each machine with its next start. $RELOAD"
#end
    ;;
  redis)
    [ "$REDIS" != external ] || fail 1 "Your Redis is elsewhere: change its password there, then: sudo livekit-deploy set redis-password. Nothing was changed."
    forget REDIS_PASSWORD
    say "There is a new Redis password. $RELOAD"
    ;;
  webhook)
    [ "${WEBHOOKS:-no}" = yes ] || fail 1 "This deployment has no webhooks. Nothing was changed."
    forget WEBHOOK_SECRET
    say "There is a new secret for webhooks, which LiveKit signs with from its next restart on. Give your receivers
both, the old and the new one, which this shows: sudo livekit-deploy credentials. $RELOAD"
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
  api-key)
    key=$(typed "API key")
    value=$(typed "API secret")
    case $key$value in *[!A-Za-z0-9_.+/=-]*) fail 64 "A key has letters, digits and _ . + / = - only. Nothing was changed." ;; esac
    store LIVEKIT_API_KEY "$key" LIVEKIT_API_SECRET "$value"
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
  dns-credentials)
    [ "$CERTIFICATES" = dns ] && [ -n "$DNS_CREDENTIALS" ] || fail 64 "Certificates need no credentials here. Nothing was changed."
    STORE=dns.env
    for name in $(words "$DNS_CREDENTIALS"); do
      value=$(typed "$name")
      set -- "$@" "$name" "$value"
    done
    shift 2
    store "$@"
    say "Stored in $STORE. Asking for a certificate, which takes some minutes."
    exec "$BIN/certificate.sh"
    ;;
  *) fail 64 "$USAGE" ;;
  esac
  say "Stored in secrets.env. $RELOAD"
  ;;
*) fail 64 "$USAGE" ;;
esac
