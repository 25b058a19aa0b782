#!/bin/sh
# Fetches new images, starts them, and goes back to the last good ones when a service is not healthy.
# Exit: 0 updated or up to date, 1 the old versions run, 2 not healthy after going back, 64 usage, 75 busy.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
USAGE="Usage: update [--to COMPONENT=TAG] [--now], for example --to livekit=v1.13.11"
# shellcheck source=redis-data.sh
. "./redis-data.sh"

running_images() {
  for service in $(words "$SERVICES"); do
    container=$(docker compose ps -a -q "$service" | head -n 1)
    [ -z "$container" ] || docker inspect -f '{{.Config.Image}} {{.Image}}' "$container"
  done
}
remember() {
  rm -rf state/last-good.new
  mkdir state/last-good.new
  cp -p docker-compose.yaml state/last-good.new/
  # Half a list on a full disk would say that nothing is new.
  images=$(running_images)
  say "$images" | put state/last-good.new/images 0600 || fail 1 "Nothing can be written to $HERE. Is the disk full? Nothing was changed."
  sync state/last-good.new/*
  rm -rf state/last-good
  mv state/last-good.new state/last-good
  put state/updating 0644 </dev/null
}
# put_back: puts back the last good Compose file, and points its tags to the images that they meant then.
put_back() {
  put docker-compose.yaml 0644 <state/last-good/docker-compose.yaml
  while read -r name id; do docker tag "$id" "$name" || true; done <state/last-good/images
}
# changes_redis: whether the update changes Redis, by its tag or by the image behind it.
changes_redis() {
  image=$(awk '/^  [^ ]/ { inside = ($0 == "  redis:") } inside && $1 == "image:" { gsub(/"/, "", $2); print $2 }' state/last-good/docker-compose.yaml)
  case "$changed " in *" redis="* | *" ${image:-redis=} "*) ;; *) return 1 ;; esac
}
# ends_calls: whether the update ends calls. An update of the metrics alone does not.
ends_calls() {
  for name in $changed; do
    case $name in prom/* | prometheus=* | node-exporter=*) ;; *) return 0 ;; esac
  done
  return 1
}
# start [back]: Redis serves LiveKit until that has stopped.
start() {
  ! ends_calls || "$BIN/before-stop.sh" $now
  if [ "${1:-}" = back ]; then put_redis_data_back state/last-good/redis
  elif changes_redis; then keep_redis_data state/last-good/redis || return 1; fi
  docker compose up -d --remove-orphans --wait --wait-timeout 600 $only && all_healthy
}

target=
now=
[ "${1:-}" != --now ] || { now=--now; shift; }
[ "${3:-}" != --now ] || now=--now
case ${1:-} in
'') ;;
--recover)
  [ -e state/updating ] && [ -d state/last-good ] || exit 0
  say "An update was interrupted: going back to the last good versions."
  put_back
  put_redis_data_back state/last-good/redis
  rm -f state/updating
  exit 0
  ;;
--to)
  target=${2:-}
  case $target in *[!A-Za-z0-9._=-]*) fail 64 "$USAGE" ;; esac
  printf '%s\n' "$target" | grep -Eq '^([a-z-]+=(latest|v?[0-9]+(\.[0-9]+)*(-[a-z0-9.]+)?)|agent=[A-Za-z0-9_][A-Za-z0-9_.-]*)$' || fail 64 "$USAGE"
  has_service "${target%%=*}" || fail 64 "This deployment has no ${target%%=*}. It has: $(words "$SERVICES")."
  case ",$KNOWN_BAD," in *",${target%%=*}:${target#*=},"*) fail 64 "${target#*=} of ${target%%=*} is known to be bad. Nothing was changed." ;; esac
  ;;
*) fail 64 "$USAGE" ;;
esac

#if CLUSTER
[ -n "$ROLE" ] || { say "This machine has no role in its cluster yet: nothing runs here that could be updated." && exit 0; }
#end
alone
if [ -e state/updating ]; then "$BIN/update.sh" --recover; fi
free=$(free_mib /)
[ "$free" -ge 2048 ] || fail 1 "Only $free MiB of disk are free, 2048 are needed. Nothing was changed."
if [ "$BACKUPS" != none ]; then
  status=0
  "$BIN/backup.sh" --before-change || status=$?
  case $status in 0 | 3) ;; *) fail 1 "The backup before the update failed. Nothing was changed." ;; esac
fi
remember
if [ -n "$target" ]; then
  awk -v header="  ${target%%=*}:" -v tag="${target#*=}" '
    /^  [^ ]/ { inside = ($0 == header) }
    inside && /^    image:/ { gsub(/"|@sha256:[0-9a-f]+/, ""); sub(/:[^:\/ ]+$/, ""); $0 = $0 ":" tag }
    { print }' docker-compose.yaml | put docker-compose.yaml 0644
fi
# The agent worker is the last service. The update fails on its image only where its version was asked for.
others=
if has_service agent && [ "${target%%=*}" != agent ]; then others=$(words "${SERVICES%,agent}"); fi
if ! docker compose config -q || ! docker compose pull -q $others; then
  put_back
  rm -f state/updating
  fail 1 "The new images could not be fetched. Nothing was changed."
fi
if ! output=$("$BIN/check.sh" 2>&1); then
  put_back
  rm -f state/updating
  fail 1 "$output
Nothing was changed."
fi
only=
if [ -n "$others" ] && ! docker compose pull -q agent; then
  say "The agent's image could not be fetched. The rest is updated without it." >&2
  [ "$(condition agent)" != absent ] || { SERVICES=${SERVICES%,agent} only=$others; }
fi
changed=
while read -r name id; do
  [ "$(docker image inspect -f '{{.Id}}' "$name" 2>/dev/null)" != "$id" ] || continue
  changed="$changed $name"
  case ${name##*:} in *.*.*) say "Its publisher moved the tag of $name to another image." ;; esac
done <state/last-good/images
cmp -s docker-compose.yaml state/last-good/docker-compose.yaml || changed="$changed $target"
if [ -z "$changed" ]; then
  rm -f state/updating
  say "Everything is up to date."
  exit 0
fi
say "New:$changed."
[ -n "$now" ] || ! ends_calls || say_wait
if start; then
  rm -f state/updating
  docker image prune -f >/dev/null || true
  say "Updated. All services are healthy."
  exit 0
fi
docker compose logs --no-color --tail 100 >state/failed-update.log 2>&1 || true
say "A service is not healthy (its log: state/failed-update.log). Going back." >&2
put_back
if start back; then
  rm -f state/updating
#if CLUSTER
  "$BIN/cluster-machine.sh" renew || true
#end
  fail 1 "The update failed. The versions from before run again."
fi
rm -f state/updating
fail 2 "The update failed, and the versions from before are not healthy either. Run: sudo livekit-deploy doctor"
