#!/bin/sh
# Introduces this machine to the console, reports to it each minute, and takes leave of it.
# console.sh connect | disconnect | report | going | approvers | rollout-step | rollout-files FILE     A token is read from the input, so that no list of processes shows it.
# disconnect left: this machine leaves its cluster, and the console retires it without a message.
# going, while the machine shuts down, tells whether it comes back, and again each minute until LiveKit has stopped.
# Exit: 0 done or nothing to do, 1 not (a report is tried again by its timer). Whatever happens, LiveKit goes on as before.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
# /run is in memory: the count of reports begins anew with each boot, and no backup can lower it.
run=$ROOT/run/livekit-console
mkdir -p "$run"
work=$(mktemp -d -p "$run")
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
: "${CONSOLE_URL:=}"
# The files of an old backup may know no console.
[ -n "$CONSOLE_URL" ] || CONSOLE_URL=$(cat console-url 2>/dev/null || true)
connecting=10 longest=20

# call PATH CREDENTIAL FILE [OPTION]: posts the file. $code has the status, 000 where the console did not answer.
call() {
  path=$1 credential=$2 file=$3
  shift 3
  : >"$work/answer"
  code=$(
    printf 'header = "Authorization: Bearer %s"\n' "$credential" |
      curl -sS -K - -X POST --connect-timeout "$connecting" --max-time "$longest" --max-filesize 65536 \
        -H 'Content-Type: text/plain' "$@" --data-binary "@$file" \
        -o "$work/answer" -w '%{http_code}' "$CONSOLE_URL$path" 2>"$work/error"
  ) || code=000
  # A proxy or a login page of a network may answer instead.
  [ "$(head -n 1 "$work/answer")" = "livekit-deploy 1" ] || code=000
}
# answered NAME: the value of a line of the answer. Nothing of it is evaluated.
answered() { sed -n "s/^$1 //p" "$work/answer" | head -n 1 | tr -cd '\040-\176' | head -c 200; }
# why: what the console says of a refusal, or what went wrong on the way to it.
why() {
  if [ "$code" = 000 ]; then say "The console did not answer. $(head -c 200 "$work/error" 2>/dev/null)"
  else answered say; fi
}
machine_id() { printf 'livekit-deploy:%s' "$(cat "$ROOT/etc/machine-id")" | sha256sum | cut -c 1-64; }
# The provider's name of this machine, which a copy of its disk does not have.
instance_id() {
  id=$(head -c 128 "$ROOT/var/lib/cloud/data/instance-id" 2>/dev/null | tr -cd 'A-Za-z0-9._:/-')
  say "${id:--}"
}
# A container has the id of its host's boot, also after a boot of its own. The start of its first process tells them apart.
boot_id() {
  if [ -e "$ROOT/run/systemd/container" ]; then
    { cat "$ROOT/proc/sys/kernel/random/boot_id"; sed 's/.*) //' "$ROOT/proc/1/stat" | cut -d ' ' -f 20; } | sha256sum |
      sed 's/^\(.\{8\}\)\(.\{4\}\)\(.\{4\}\)\(.\{4\}\)\(.\{12\}\).*/\1-\2-\3-\4-\5/'
  else cat "$ROOT/proc/sys/kernel/random/boot_id"; fi
}
# installed_version: one hash of the files that version.txt lists, which its first line has as they were made. Without it,
# of all files of the bundle but those with secrets.
installed_version() {
  if [ -s version.txt ]; then (cd "$ROOT/" && sed 1d "$HERE/version.txt" | xargs sha256sum) 2>/dev/null
  else for file in bin/* *.yaml *.conf deployment.env; do [ ! -f "$file" ] || sha256sum "$file"; done; fi |
    sha256sum | cut -c 1-64
}

# Which machine this is, also to a console that knows the key: a copy of the disk has the key too.
identity() {
  say "machine $(machine_id)"
  say "instance $(instance_id)"
}
# introduce TOKEN: makes the machine's own secret, of which the console gets the hash. The secret is kept before it is
# sent: after a lost answer the same token with the same secret is answered as the first time.
introduce() {
  pending=$(cat server.key.pending 2>/dev/null || true)
  if [ "${#pending}" != 43 ]; then
    pending=$(random 43)
    # Whoever calls this function looks at its status, so nothing in it ends the script by itself.
    say "$pending" | put server.key.pending 0600 ||
      fail 1 "Nothing can be written to $HERE. Is the disk full? Nothing was changed."
  fi
  name=$(uname -n | tr -cd 'A-Za-z0-9.-' | head -c 63)
  {
    say "key-hash $(printf %s "$pending" | sha256sum | cut -c 1-64)"
    identity
    say "name ${name:-livekit}"
  } >"$work/body"
  call /v1/enrol "$1" "$work/body"
  [ "$code" = 200 ] || return 1
  prefix=$(answered key-prefix)
  tag=$(answered key-tag)
  case $prefix$tag in lkd_s_*) ;; *) code=000 && return 1 ;; esac
  case $prefix$tag in *[!a-z0-9_]*) code=000 && return 1 ;; esac
  { say "$CONSOLE_URL" | put console-url 0644 && say "$prefix${pending}_$tag" | put server.key 0600; } ||
    fail 1 "The key could not be stored. Is the disk full? The same token can be used again."
  [ ! -e "$BIN/approval.py" ] || python3 "$BIN/approval.py" enrol "$work/answer" || true
  rm -f server.key.pending enrolment-token "$run/not-before"
}
# enrol: introduces this machine with the token that came with its files.
enrol() {
  introduce "$(cat enrolment-token)" || {
    # A token that ended never works again; anything else may.
    case $code in 401 | 410) rm -f enrolment-token ;; esac
    fail 1 "Not connected. $(why)"
  }
}
# What the doctor found when it last looked, which each look of health.sh writes anew: in memory, also when the disk is
# full, and on the disk, for the time after a boot.
looked=$ROOT/run/livekit-health/findings
[ -e "$looked" ] || looked=state/health-findings
# record NAME FIELD…: a line of a report, its fields separated by tabs.
tab=$(printf '\t')
record() {
  printf %s "$1"
  shift
  [ $# = 0 ] || printf '\t%s' "$@"
  echo
}
records() {
  record livekit-deploy-report 1
  record seq "$seq"
  record boot "$(boot_id)"
  record machine "$(machine_id)"
  record instance "$(instance_id)"
  record at "$(date +%s)"
  record version "$(installed_version)"
  record domain "$DOMAIN"
#if CLUSTER
  [ -z "$ROLE" ] || record role "$ROLE"
#end
  case $TURN_TLS$TURN_UDP in *yes*) record turn yes ;; *) record turn no ;; esac
  record turn-name "$TURN_DOMAIN"
  sed -n "1s/^\([0-9a-f-]\{36\}\) \([1-9][0-9]\{0,8\}\) \([0-9a-f]\{64\}\)\$/made-from$tab\1$tab\2$tab\3/p" version.txt 2>/dev/null || true
  [ ! -s state/stages ] || sed "s/^/stage$tab/" state/stages
  # The first boot's own problem is newer than what the doctor may have found of it.
  cat state/first-boot-problem "$looked" 2>/dev/null | awk -F '\t' '!seen[$1, $3]++ { print "finding\t" $0 }'
  if [ -e "$looked" ]; then
    record doctor "$(stat -c %Y "$looked")"
    [ ! -s state/health-certificates ] || sed "s/^/certificate$tab/" state/health-certificates
    [ ! -s state/health-releases ] || sed "s/^/release$tab/" state/health-releases
  fi
  timeout 20 docker compose ps -a --format 'service{{"\t"}}{{.Service}}{{"\t"}}{{.Image}}{{"\t"}}{{.State}}{{"\t"}}{{.Health}}' 2>/dev/null || true
  sed -n -e "s/^NODE_IP=\(.*:.*\)/address${tab}6$tab\1/p" -e "s/^NODE_IP=\([0-9.]*\)\$/address${tab}4$tab\1/p" state/address.env 2>/dev/null || true
  record load "$(cut -d ' ' -f 1 "$ROOT/proc/loadavg")"
  record cpus "$(getconf _NPROCESSORS_ONLN)"
  # What waits is idle. What runs for guests is in the first figure already.
  awk '/^cpu / { for (i = 2; i < 10; i++) total += $i; printf "cpu\t%.0f\t%.0f\n", total - $5 - $6, total }' "$ROOT/proc/stat" 2>/dev/null || true
  awk '/^MemTotal:/ { total = $2 } /^MemAvailable:/ { free = $2 }
    END { printf "memory\t%d\t%d\n", total - free, total }' "$ROOT/proc/meminfo"
  df -Pk . | awk 'NR == 2 { printf "disk\t%d\t%d\n", $3, $2 }'
  # What containers send to each other is not counted twice.
  sed 's/:/ /' "$ROOT/proc/net/dev" |
    awk 'NR > 2 && $1 !~ /^(lo|docker|br-|veth)/ { received += $2; sent += $10 }
      END { printf "network\t%.0f\t%.0f\n", received, sent }'
  metrics
  ! has_service egress || record metric egress "$(timeout 10 docker compose top egress 2>/dev/null | grep -c run-handler || true)"
  ! has_service ingress || record metric ingress "$(timeout 10 docker compose top ingress 2>/dev/null | grep -c run-handler || true)"
  # By their time: the names of those made by hand are sorted after all others.
  newest=$(stat -c %Y "$ARCHIVE"/livekit-* 2>/dev/null | sort -n | tail -n 1)
  [ -z "$newest" ] || record backup "$newest"
  [ ! -e "$ROOT/run/reboot-required" ] || record reboot-pending
  ! has_sessions || timeout 30 python3 "$BIN/sessions.py" report "$SESSIONS" 2>/dev/null || true
  ! has_insights || timeout 30 python3 "$BIN/insights.py" report "$INSIGHTS" state/insights-acknowledged 2>/dev/null || true
  # Who approves versions that this machine takes up by itself. A rollout is under way here or nowhere: its unit is its own.
  [ ! -e "$BIN/rollout.sh" ] || {
    needed=$(sed -n 's/^needed \([12]\)$/\1/p' approvers 2>/dev/null || true)
    record approvals "${needed:-1}"
    record update-windows
    sed -n "s/^key \([0-9a-f]*\) .*/approver$tab\1/p" approvers 2>/dev/null || true
  }
  # One that was interrupted leaves its file, and nobody holds the lock.
  [ ! -e state/lock ] || flock -n state/lock true || {
    # The doctor does not look then, also while calls are waited for and nothing is exchanged yet.
    record busy
    [ ! -e state/updating ] && [ ! -e state/applying ] && [ ! -e state/restoring ] || record going update
  }
}
# has_sessions: whether this machine sends session events.
has_sessions() { case ${SESSIONS:-off} in hashed | named) [ -e "$BIN/sessions.py" ] ;; *) return 1 ;; esac; }
# has_insights: whether this machine takes what agents record, of which the console gets no speech. Without sessions it gets nothing.
INSIGHTS=$ROOT/var/lib/private/livekit-insights
has_insights() { has_sessions && [ -n "${INSIGHTS_DAYS:-}" ] && [ -e "$INSIGHTS/outbox" ]; }
# metrics: LiveKit's own figures, which it has on loopback, and which of its processes says so.
metrics() {
  curl -fsS --noproxy '*' --max-time 5 http://127.0.0.1:6789/metrics 2>/dev/null | awk '
    BEGIN {
      names["livekit_room_total"] = "rooms"
      names["livekit_participant_total"] = "participants"
      names["livekit_track_published_total"] = "tracks-published"
      names["livekit_track_subscribed_total"] = "tracks-subscribed"
      names["livekit_packet_loss_percent_sum"] = "loss-sum"
      names["livekit_packet_loss_percent_count"] = "loss-count"
      names["livekit_jitter_us_sum"] = "jitter-sum"
      names["livekit_jitter_us_count"] = "jitter-count"
    }
    /node_id="/ && node == "" { node = $0; sub(/.*node_id="/, "", node); sub(/".*/, "", node) }
    /^process_start_time_seconds / { since = $2 }
    # A refused token counts for nothing: those who try ports make such joins too.
    /^livekit_participant_join_total[{]/ && /state="(signal_failed|signal_upgrade_failed|signal_write_initial_response_failed|rtc_failure)"/ { failed += $2 }
    /^livekit_/ { sub(/[{].*[}]/, "", $1); if ($1 in names) sum[names[$1]] += $2 }
    END {
      for (name in sum) printf "metric\t%s\t" (name ~ /^loss/ ? "%.2f" : "%.0f") "\n", name, sum[name]
      if (node != "") printf "metric\tjoins-failed\t%.0f\n", failed
      if (node != "" && since) printf "node\t%s\t%.0f\n", node, since
    }' || true
}
# The first boot has ended well once the doctor has found nothing that does not work. Then the services run too, also where
# they did not at their first start, or where a person had to start them.
note_ready() {
#if CLUSTER
  # A machine that waits for its role has nothing that could run.
  [ -n "$ROLE" ] || return 0
#end
  [ -s state/stages ] && [ -e state/first-boot-done ] || return 0
  [ -e "$looked" ] || return 0
  ! grep -q "^[^$tab]*${tab}critical$tab" "$looked" || return 0
  for stage in services ready; do
    grep -q "^$stage" state/stages || record "$stage" "$(date +%s)" >>state/stages
  done
}

# store_recommended: stores for the doctor which versions the console calls affected, and which it recommends instead.
store_recommended() {
  recommended=$(sed -n 's/^recommended \([A-Za-z0-9._:=,-]*\)$/\1/p' "$work/answer" | head -n 1 | head -c 2000)
  if [ -z "$recommended" ]; then rm -f state/recommended
  elif [ "$recommended" != "$(cat state/recommended 2>/dev/null)" ]; then say "$recommended" | put state/recommended 0644 || true; fi
}
# take_order: keeps what people approved for this machine, and begins it in a unit of its own, which runs copies of the scripts.
# A rollout that was interrupted goes on so too; one that was interrupted in the exchange ends before another is looked at.
take_order() {
  [ -e "$BIN/rollout.sh" ] || return 0
  gone=$(answered approvers-removed)
  case $gone in '' | *[!0-9a-f,]*) ;; *) python3 "$BIN/approval.py" remove "$gone" || true ;; esac
  mkdir -p state/rollout/run
  # While one is carried out, nothing of it is replaced.
  : >>state/rollout/lock
  flock -n state/rollout/lock true || return 0
  if grep -q '^rollout ' "$work/answer" && { [ ! -s state/rollout/order ] || ! grep -qs ' appl' state/rollout/progress; }; then
    awk '/^rollout(-manifest|-assertion-[0-9]+)? / && !seen[$1]++' "$work/answer" | put state/rollout/order 0600 || return 0
  fi
  [ -s state/rollout/order ] || return 0
  cp -p "$BIN/rollout.sh" "$BIN/approval.py" "$BIN/console.sh" state/rollout/run/
  systemctl start --no-block livekit-rollout.service || true
}
# acknowledge_events: what the console has of the session events, and of what apps said, is not sent again.
acknowledge_events() {
  for log in events evidence; do
    taken=$(answered "$log")
    case $taken in *[!0-9a-f\ ]*) ;; *\ *) python3 "$BIN/sessions.py" acknowledge "${taken% *}" "${taken#* }" || true ;; esac
  done
}
# acknowledge_insights: nor are the agents' sessions that it has.
acknowledge_insights() {
  taken=$(answered agents)
  case $taken in '' | *[!0-9]*) ;; *) say "$taken" | put state/insights-acknowledged 0600 || true ;; esac
}
# send FILE: posts the text of a report, of which a copy stays for the last one of this boot.
send() {
  # Older consoles take no field of more than 200 characters, and skip the names.
  tr -c '\011\012\040-\176' '?' <"$1" | sed -E "/^(domain|turn-name)$tab/!s/([^$tab]{200})[^$tab]*/\1/g" | gzip -c >"$work/body"
  call /v1/report "$(cat server.key)" "$work/body" -H 'Content-Encoding: gzip'
}
# send_shutdown_report: the last report once more, since nothing may delay a shutdown by more than a few seconds. It says for how many
# minutes calls may still be waited for.
send_shutdown_report() (
  flock -w 2 9 || exit 0
  ! waits || exit 0
  next_seq
  left=0
  [ -z "$stopping" ] || left=$(((begun + DRAIN_MINUTES * 60 - now + 59) / 60))
  {
    grep -Ev "^(seq|at|going|drain|events?)$tab" "$run/last"
    record seq "$seq"
    record at "$now"
    record going "$shutdown"
    [ "$left" -le 0 ] || record drain "$left"
  } >"$work/report"
  send "$work/report"
) 9>"$run/lock"
next_seq() {
  seq=$(($(cat "$run/seq" 2>/dev/null || echo 0) + 1))
  say "$seq" | put "$run/seq" 0600
}
# waits: whether the console asked for no report yet. It is counted in seconds since the boot, since a clock may be set back.
# More than a day is never asked for: that is a time of day, which earlier versions of this script kept.
waits() {
  up=$(cut -d . -f 1 "$ROOT/proc/uptime")
  left=$(($(cat "$run/not-before" 2>/dev/null || echo 0) - up))
  [ "$left" -gt 0 ] && [ "$left" -le 86400 ]
}

# between_reports: waits for a report under way, whose answer is about the key and the wait of before.
between_reports() {
  exec 9>"$run/lock"
  flock -w 60 9 || fail 1 "A report is under way. Nothing was changed: try again in a minute."
}

case ${1:-} in
connect)
  [ -n "$CONSOLE_URL" ] || fail 1 "This bundle knows no console: download it again, and apply it. Nothing was changed."
  IFS= read -r token || true
  case $token in
  lkd_e_*[!A-Za-z0-9_]* | '') fail 1 "This is no token of the console. Nothing was changed." ;;
  lkd_e_*) ;;
  *) fail 1 "This is no token of the console: one begins with lkd_e_. Nothing was changed." ;;
  esac
  between_reports
  introduce "$token" || fail 1 "Not connected. $(why)"
  say "Connected. The console shows this server within a minute."
  ;;
disconnect)
  between_reports
  if [ ! -s server.key ] && [ -s enrolment-token ]; then
    rm -f enrolment-token server.key.pending
    say "The token that came with the files is removed: this machine was not connected yet, and stays so."
    exit 0
  fi
  [ -s server.key ] || fail 1 "This machine is not connected."
  {
    identity
    [ "${2:-}" != left ] || say "left yes"
  } >"$work/body"
  call /v1/disconnect "$(cat server.key)" "$work/body"
  case $code in
  200 | 401 | 410) ;;
  *) fail 1 "Not disconnected. $(why)" ;;
  esac
  # The first boot was not that of the server that this machine may become later.
  rm -f server.key server.key.pending enrolment-token console-url state/stages
  [ -z "$(answered kept)" ] || say "The server stays connected: its key belongs to another machine, of which this is a copy."
  say "Disconnected: this machine makes no more requests to the console. What it reported stays there."
  ;;
report)
  [ -n "$CONSOLE_URL" ] || exit 0
  [ -s server.key ] || [ -s enrolment-token ] || exit 0
  exec 9>"$run/lock"
  flock -n 9 || exit 0
  # A token that came meanwhile, with a bundle, may end the wait.
  ! waits || [ -n "$(find enrolment-token -newer "$run/not-before" 2>/dev/null)" ] || {
    # What rolls away meanwhile is counted.
    ! has_sessions || python3 "$BIN/sessions.py" count 2>/dev/null || true
    exit 0
  }
  [ -s server.key ] || enrol
  note_ready
  next_seq
  records >"$work/report"
  put "$run/last" 0600 <"$work/report"
  send "$work/report"
  wait=$(answered not-before)
  case $code in
  # Nobody needs a token where the key holds.
  200)
    rm -f enrolment-token
    store_recommended
    take_order
    ! has_sessions || acknowledge_events
    ! has_insights || acknowledge_insights
    ;;
  401 | 410)
    # The wait ends with a new key, or with a newer token.
    [ ! -s enrolment-token ] || { say $((up + 600)) | put "$run/not-before" 0600 && enrol && exit 0; }
    wait=3600
    ;;
  409) wait=300 ;;
  esac
  case $wait in
  '' | 0* | *[!0-9]*) ;;
  *)
    [ "$wait" -le 86400 ] 2>/dev/null || wait=86400
    say $((up + wait)) | put "$run/not-before" 0600
    ;;
  esac
  [ "$code" = 200 ] || fail 1 "Not reported. $(why)"
  ;;
approvers)
  [ -s server.key ] || fail 1 "This machine is not connected."
  : >"$work/body"
  call /v1/approvers "$(cat server.key)" "$work/body"
  [ "$code" = 200 ] || fail 1 "The approvers were not read. $(why) Nothing was changed."
  python3 "$BIN/approval.py" compare "$work/answer"
  ;;
rollout-step)
  cat >"$work/body"
  longest=10
  call /v1/rollout "$(cat server.key)" "$work/body"
  [ "$code" = 200 ] || exit 1
  answered abort
  ;;
rollout-files)
  cat >"$work/body"
  printf 'header = "Authorization: Bearer %s"\n' "$(cat server.key)" |
    curl -sS -K - -X POST --connect-timeout 10 --max-time 300 --max-filesize 20000000 -H 'Content-Type: text/plain' \
      --data-binary "@$work/body" -o "$2" -w '%{http_code}' "$CONSOLE_URL/v1/rollout-files" >"$work/code" || exit 1
  [ "$(cat "$work/code")" != 200 ] || exit 0
  # The console itself has no such files; a proxy may answer anything.
  [ "$(head -n 1 "$2")" != "livekit-deploy 1" ] || ! grep -q '^refused no-rollout$' "$2" || exit 4
  exit 1
  ;;
going)
  [ -s server.key ] && [ -s "$run/last" ] || exit 0
  [ "$(systemctl is-system-running 2>/dev/null)" = stopping ] || exit 0
  shutdown=stop
  ! systemctl list-jobs --no-legend 2>/dev/null | grep -Eq ' (soft-)?(reboot|kexec)\.target +start' || shutdown=reboot
  connecting=2 longest=4
  begun=$(date +%s)
  sent=0
  while
    stopping=yes
    case $(systemctl show -p ActiveState --value livekit.service 2>/dev/null) in active | reloading | deactivating) ;; *) stopping= ;; esac
    now=$(date +%s)
    # The last one, when LiveKit has stopped, is sent in any case: from then on the boot is waited for.
    [ -n "$stopping" ] && [ "$((now - sent))" -lt 60 ] || { send_shutdown_report || true; sent=$now; }
    [ -n "$stopping" ]
  do sleep 2; done
  ;;
*) fail 64 "Usage: console.sh connect | disconnect | report | going | approvers" ;;
esac
