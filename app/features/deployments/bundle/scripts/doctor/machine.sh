# shellcheck shell=sh
# The part of doctor.sh that looks at what is stored and runs on the machine itself.
# shellcheck disable=SC2034,SC2154 # It shares its variables with doctor.sh.
ask_machine() {
  # A line for each container: service, image, the version in the image's label, condition.
  {
    containers=$(timeout 5 docker compose ps -a -q) || containers=
    [ -z "$containers" ] || printf '%s\n' "$containers" | xargs timeout 4 docker inspect -f '{{index .Config.Labels "com.docker.compose.service"}} {{.Config.Image}} v{{index .Config.Labels "org.opencontainers.image.version"}} {{.State.Status}}{{if .State.Health}} {{.State.Health.Status}}{{end}}'
  } >"$work/containers" 2>/dev/null &
  # Who says it when something is wrong with Redis.
  redis_user=redis
  [ "$REDIS" = bundled ] || redis_user=livekit
  timeout 5 docker compose logs --no-color --tail 100 "$redis_user" >"$work/redis-log" 2>/dev/null &
  curl -fsS --max-time 5 http://127.0.0.1:7880/ >"$work/livekit" 2>/dev/null &
  if [ "$MONITORING" = 24/7 ]; then
    curl -fsSG --max-time 5 --data-urlencode 'query=ALERTS{alertstate="firing"}' http://127.0.0.1:9095/api/v1/query >"$work/alerts" 2>/dev/null &
  fi
  # Without a token the receiver refuses: that is an answer.
  if [ -n "${INSIGHTS_DAYS:-}" ]; then
    curl -s --noproxy '*' --max-time 5 -X POST http://127.0.0.1:7991/observability/recordings/v0 >"$work/insights" 2>/dev/null &
  fi
  synchronized=$(timeout 3 timedatectl show -p NTPSynchronized --value 2>/dev/null) || synchronized=
  # A clock that is not synchronized is compared with that of the certificate authority. It may be so wrong that no
  # certificate is valid, so none is checked: only the Date header of the answer is used.
  [ "$synchronized" = yes ] ||
    curl -skI --max-time 5 https://acme-v02.api.letsencrypt.org/directory >"$work/time" 2>/dev/null &
}
configuration() {
  what="first boot"
  case $(cut -f 1 state/first-boot-problem 2>/dev/null) in
  boot.retrying) finding boot.retrying "$(cut -f 3 state/first-boot-problem)" "$(cut -f 4 state/first-boot-problem)" ;;
  boot.failed) finding boot.failed "$(cut -f 3 state/first-boot-problem)" "$(cut -f 4 state/first-boot-problem)" ;;
  esac
#if CLUSTER
  # They come with the role.
  [ -n "$ROLE" ] || return 0
#end
  what=secrets.env
  if [ ! -s secrets.env ]; then finding secrets.missing secrets.env missing
  elif [ "$(stat -c %a secrets.env)" != 600 ]; then finding secrets.readable secrets.env "others may read it"
  else good "only root reads it"; fi
  what=update
  [ ! -e state/updating ] || finding update.interrupted update.sh "one was interrupted"
  what=restore
  [ ! -e state/restoring ] || finding restore.interrupted restore.sh "one was interrupted"
  what=reboot
  [ ! -e "$ROOT/run/reboot-required" ] || finding reboot.waiting system "a system update waits for one"
}
# A unit that waits for its next restart has failed too, although systemd does not report it as failed.
units() {
  failed=
  for unit in livekit livekit-firewall docker; do
    case $(timeout 3 systemctl show -p ActiveState,SubState --value "$unit.service" 2>/dev/null | paste -sd ' ' -) in
    failed*) state=failed ;;
    *auto-restart*) state="failed, and waits for its next try" ;;
    *) continue ;;
    esac
    failed=yes what="unit $unit"
    finding unit.failed "$unit.service" "$state"
  done
  for unit in "$ROOT"/etc/systemd/system/livekit-*.timer; do
    unit=$(basename "$unit" .timer)
    # A report fails where the console is away, which is no fault of this machine. Any other silence the console sees. The
    # receiver of agent insights is looked at below.
    case $unit in livekit-report | livekit-insights) continue ;; esac
    [ "$(timeout 3 systemctl show -p ActiveState --value "$unit.service" 2>/dev/null)" = failed ] || continue
    failed=yes what="job $unit"
    finding job.failed "$unit.service" "its last run failed"
  done
  what=units
  [ -n "$failed" ] || good "none failed"
}
# recommended_tag SERVICE VERSION: the tag to run instead of a version with a known fault, which the console or these files
# name; TAG where they know of none; nothing for a version that is fine.
recommended_tag() {
  [ -s state/recommended ] && tr , '\n' <state/recommended | awk -F= -v name="$1:$2" '$1 == name { print $2; found = 1; exit } END { exit !found }' && return 0
  case ",$KNOWN_BAD," in *",$1:$2,"*) echo TAG ;; esac
}
# Why Redis does not start, where that is its data: saved by a newer version, or damaged. In its own words.
redis_data() {
  what="data of Redis"
  file=dump.rdb
#if CLUSTER
  # It reads no snapshot where it has an append-only file. With the snapshot alone it would begin in the past, unnoticed: the
  # key by which the machines for calls notice a loss is in it.
  [ ! -d data/redis/appendonlydir ] || file="appendonlydir$([ ! -e data/redis/dump.rdb ] || echo " and $HERE/data/redis/dump.rdb")"
#end
  reason=$(grep -Eo "Can't handle RDB format version [0-9]+|Wrong signature trying to load DB from file|Short read or OOM loading DB|Fatal error loading the DB|Bad file format reading the append only file|Unexpected end of file reading the append only file" "$work/redis-log" | sed -n 1p) || reason=
  [ -z "$reason" ] || finding redis.data "$HERE/data/redis/$file" "$reason"
}
# Why LiveKit does not reach a Redis elsewhere. It ends then, and is started again and again.
redis_elsewhere() {
  what="Redis elsewhere"
  [ "$(cat "$work/livekit")" != OK ] || return 0
  reason=$(sed -n 's/.*unable to connect to redis: \([^"]*\).*/\1/p' "$work/redis-log" | tail -n 1) || reason=
  [ -z "$reason" ] || finding redis.unreachable "$REDIS_ADDRESS" "$reason"
}
services() {
  for service in $(words "$SERVICES"); do
    what="service $service"
    now=$(sed -n "s/^$service [^ ]* [^ ]* //p" "$work/containers" | head -n 1)
    case $now in
    running | "running healthy") good "$now" ;;
    "running starting") finding service.starting "$service" starting ;;
    *)
      finding service.down "$service" "${now:-absent}"
      [ "$service" != redis ] || redis_data
      what="service $service"
      ;;
    esac
    running=
    tag=$(sed -n "s/^$service [^ ]*:\([^ :@]*\)[^ ]* v*\([^ ]*\) .*/\1 v\2/p" "$work/containers" | head -n 1)
    for version in $tag; do
      case $running$version in v*[0-9].*[0-9].*[0-9]* | [0-9]*.*[0-9].*[0-9]*) running=${running:-$version} ;; esac
      wanted_tag=$(recommended_tag "$service" "$version")
      [ -n "$wanted_tag" ] || continue
      finding version.affected "$service" "$version runs, which has a known fault" "$service=$wanted_tag"
      break
    done
    [ -z "$running" ] || printf '%s\t%s\n' "$service" "$running" >>"$work/releases"
  done
  # They run for each backup and renewal, and no container of them stays.
  for image in ${RCLONE_IMAGE:-} ${LEGO_IMAGE:-}; do
    version=${image##*:} program=${image%:*}
    program=${program#*/}
    what="program $program"
    printf '%s\t%s\n' "$program" "$version" >>"$work/releases"
    wanted_tag=$(recommended_tag "$program" "$version")
    [ -z "$wanted_tag" ] || finding files.affected "$program" "$version, which has a known fault"
  done
  [ "$REDIS" = bundled ] || redis_elsewhere
#if CLUSTER
  has_service livekit || return 0
#end
  what="LiveKit answers"
  if [ "$(cat "$work/livekit")" = OK ]; then good OK; else finding livekit.silent livekit "not on port 7880"; fi
}
# What the receiver of agent insights could not store, it notes for a day.
insights() {
  [ -n "${INSIGHTS_DAYS:-}" ] || return 0
  what="agent insights" unit=livekit-insights.service
  if ! grep -q message "$work/insights"; then
    finding insights.silent "$unit" "the receiver does not answer"
    return 0
  fi
  stored=$ROOT/var/lib/private/livekit-insights
  reason=$(find "$stored/failure" -mtime -1 -exec head -c 60 {} + 2>/dev/null | tr -cd 'A-Za-z0-9 ')
  if [ -n "$reason" ]; then finding insights.failing "$unit" "$reason"; else good "the receiver answers"; fi
}
disk() {
  what=disk
  used=$(df -Pk "$HERE" | awk 'NR == 2 { print int($5) }')
  if [ "$used" -ge 95 ]; then finding disk.full "$HERE" "$used % used"
  elif [ "$used" -ge 85 ]; then finding disk.filling "$HERE" "$used % used"
  else good "$used % used"; fi
}
clock() {
  what=clock
  [ "$synchronized" != yes ] || { good synchronized; return 0; }
  theirs=$(sed -n 's/^[Dd]ate: *\([A-Za-z0-9:, ]*\).*/\1/p' "$work/time" | head -n 1)
  if [ -n "$theirs" ] && theirs=$(date -d "$theirs" +%s 2>/dev/null); then
    off=$(($(date +%s) - theirs))
    if [ "${off#-}" -gt 30 ]; then
      finding clock.wrong "$SYSTEM" "$off seconds from the time of others"
      return 0
    fi
  fi
  finding clock.unsynchronized "$SYSTEM" "not synchronized: tokens and certificates need the right time"
}
alerts() {
  [ "$MONITORING" = 24/7 ] || return 0
  what=alerts
  if [ ! -s "$work/alerts" ]; then
    finding alerts.silent prometheus "Prometheus does not answer"
    return 0
  fi
  firing=$(grep -o '"alertname":"[^"]*"' "$work/alerts" | cut -d '"' -f 4 | tr ' ' _ | sort -u) || firing=
  for alert in $firing; do finding alert.firing "$alert" "$alert is firing"; done
  [ -n "$firing" ] || good "none is firing"
}
backups() {
  what="backup copy"
  case $(cat state/backup-copied 2>/dev/null) in
  ok*) good "$(cut -d ' ' -f 2- state/backup-copied)" ;;
  failed*) finding backup.remote.failed "${BACKUP_TARGET#target:}" "failed at $(cut -d ' ' -f 2 state/backup-copied)" ;;
  esac
  what="backup trial"
  case $(cat state/backup-test 2>/dev/null) in
  ok*) good "$(cut -d ' ' -f 2- state/backup-test)" ;;
  failed*) finding backup.test.failed "$ARCHIVE" "failed at $(cut -d ' ' -f 2 state/backup-test)" ;;
  esac
  case $BACKUPS in daily) most=2 ;; weekly) most=9 ;; monthly) most=33 ;; *) return 0 ;; esac
  what=backup
  # A machine that was set up a short time ago has no backup yet.
  if [ -n "$(find "$ARCHIVE" -maxdepth 1 -name 'livekit-*' -mtime "-$most" 2>/dev/null)" ]; then
    good "the newest is younger than $most days"
  elif [ -n "$(find state/first-boot-done -mtime "-$most" 2>/dev/null)" ]; then good "the first one comes by the timer"
  else finding backup.old "$ARCHIVE" "none in the last $most days"; fi
}
