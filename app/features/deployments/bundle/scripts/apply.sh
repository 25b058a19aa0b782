#!/bin/sh
# Takes a changed bundle: checks everything first, exchanges the files in a quiet moment, and goes back when a service is
# not healthy or the doctor finds a new fault.
# apply.sh FILE.zip [--other-domain] [--allow-downgrade] [--now] | --recover
# Exit: 0 applied, 1 nothing changed or gone back, 2 not healthy after going back, 64 usage, 75 busy.
FROM=$PWD
# livekit-deploy copies this script from the zip to state/apply-run and runs the copy. So the script fits the bundle that it
# takes, user data stays smaller without it, and it can put the old files back after a power cut.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
USAGE="Usage: apply FILE.zip [--other-domain] [--allow-downgrade] [--now]"
SAVED=$STATE/before-apply
stage=$STATE/apply-stage
refuse() { fail 1 "$* Nothing was changed."; }
put_back() {
  while read -r path; do
    if [ -e "$SAVED/files$path" ]; then
      cp -p "$SAVED/files$path" "$ROOT$path.new"
      mv "$ROOT$path.new" "$ROOT$path"
    else rm -f "$ROOT$path"; fi
  done <"$SAVED/list"
  sync
  put_redis_data_back "$SAVED/redis"
}
# shellcheck source=use-units.sh
. "./use-units.sh"
# shellcheck source=redis-data.sh
. "./redis-data.sh"
start_all() {
  # shellcheck source=/dev/null
  . "$HERE/deployment.env"
#if CLUSTER
  use_role
  # Egress may have moved to machines of its own. What it recorded here ended before the files changed.
  [ "$ROLE" != media ] || [ -z "${EGRESS_SERVICES:-}" ] || docker compose --profile egress rm -sf egress || true
#end
  use_units && "$BIN/first-boot.sh" --folders || return 1
  case $SYSTEM in amazon*) "$BIN/install-tools.sh" || return 1 ;; esac
#if CLUSTER
  [ -n "$ROLE" ] || return 0
  [ "$ROLE,$TOPOLOGY" != media,cluster ] || systemctl restart livekit-cluster.service || return 1
#end
  "$BIN/before-start.sh" || return 1
  if systemctl is-active -q livekit.service; then
    docker compose up -d --remove-orphans --wait --wait-timeout 600 && all_healthy
  else systemctl restart livekit.service; fi
}
names() { printf '%s\n' "$DOMAIN" "$TURN_DOMAIN" "$WHIP_DOMAIN" "$EXTRA_DOMAINS" | tr , '\n' | grep .; }
faults() { "$BIN/doctor.sh" --report 2>/dev/null | awk -F '\t' '$2 == "critical" { print $1 "\t" $3 }' | sort -u; }
# new_faults: critical findings that were not there before. Those about a name that is new are left out, because it has no
# DNS record and no certificate yet, and those of a kind that the doctor from before does not know, so that nobody can say
# since when they are there.
new_faults() {
  faults | grep -vxFf "$stage/faults" |
    while IFS=$(printf '\t') read -r code subject; do ! grep -qF "$code)" "$SAVED/files/opt/livekit/bin/doctor.sh" || printf '%s\t%s\n' "$code" "$subject"; done |
    awk -F '\t' 'NR == FNR { old[$1]; next } $1 ~ /^(dns|cert|turn)[.]/ && $2 ~ /[.]/ && !($2 in old) { next } { print }' "$stage/names" - || true
}
images() { awk '/^  [^ ]/ { service = $1; sub(":", "", service) } /^    image:/ { gsub(/"/, "", $2); sub(/@.*/, "", $2); print service, $2 }' "$1"; }
redis_image() { images "$1" | sed -n 's/^redis //p'; }
# lower NEW OLD: whether version NEW is lower than OLD. 1.13 is not lower than 1.13.5: it may be any patch.
lower() {
  case $2. in "$1".*) return 1 ;; esac
  [ "$(printf '%s\n%s\n' "$1" "$2" | sort -V | head -n 1)" = "$1" ]
}
version() { say "${1##*:}" | sed 's/^v//; s/-alpine$//'; }
downgrades() {
  images docker-compose.yaml >"$stage/images"
  images "$stage/files/docker-compose.yaml" | while read -r service image; do
    before=$(sed -n "s/^$service //p" "$stage/images")
    [ "${before%:*}" = "${image%:*}" ] && [ "$before" != "$image" ] || continue
    new=$(version "$image")
    old=$(version "$before")
    case $new$old in *latest*) continue ;; esac
    # The old tag moves with each patch. A label of the image says which version runs.
    case $new in
    "$old".*)
      runs=$(docker inspect -f '{{index .Config.Labels "org.opencontainers.image.version"}}' "$(docker compose ps -a -q "$service" | head -n 1)" 2>/dev/null) || runs=
      old=$(version "$runs")
      case $old in [0-9]*.*.*) ;; *) say "$service runs some version of ${before##*:}, which may be newer than ${image##*:}." && continue ;; esac
      ;;
    esac
    ! lower "$new" "$old" || say "$service would go from $old down to $new."
  done
}

# A rollout that people approved hears how far it is, and waits itself, so that it can be aborted meanwhile.
step() { [ -z "${ROLLOUT:-}" ] || sh "$ROLLOUT" --step "$1" || true; }

file=''
inside=''
other_domain=''
downgrade=''
now=''
all=$*
while [ $# -gt 0 ]; do
  case $1 in
  --recover)
    [ -e state/applying ] || exit 0
    say "Taking a bundle was interrupted: the files from before are put back."
    put_back
    rm -f state/applying
    use_former_units
    rm -rf "$SAVED"
    exit 0
    ;;
  --inside) inside=yes ;;
  --other-domain) other_domain=yes ;;
  --allow-downgrade) downgrade=yes ;;
  --now) now=--now ;;
  -*) fail 64 "$USAGE" ;;
  *) case $1 in /*) file=$1 ;; *) file=$FROM/$1 ;; esac ;;
  esac
  shift
done
[ -n "$file" ] || fail 64 "$USAGE"
[ -r "$file" ] || refuse "$file cannot be read."

# The work is done in a systemd unit, which goes on when the terminal is lost. It runs a copy of this script, because the
# scripts themselves are exchanged.
if [ -z "$inside" ]; then
  (alone)
  set -- "$file"
  case " $all " in *" --other-domain "*) set -- "$@" --other-domain ;; esac
  case " $all " in *" --allow-downgrade "*) set -- "$@" --allow-downgrade ;; esac
  case " $all " in *" --now "*) set -- "$@" --now ;; esac
  : >state/apply.log
  systemd-run -q --unit=livekit-apply --collect --wait --property=StandardOutput=append:"$STATE/apply.log" \
    --property=StandardError=append:"$STATE/apply.log" /bin/sh "$STATE/apply-run/apply.sh" --inside "$@" &
  tail -s 0.1 -n +1 -f --pid=$! state/apply.log
  status=0
  wait $! || status=$?
  exit "$status"
fi

alone
if [ -e state/applying ]; then sh "$STATE/apply-run/apply.sh" --recover; fi
rm -rf "$stage"
trap 'rm -rf "$stage"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$stage/files/state"
output=$(python3 - "$file" "$stage/files" 2>&1 <<'IN'
@UNPACK_BUNDLE@
IN
) || refuse "This is not a bundle. $output"
#if SINGLE
for name in deployment.env docker-compose.yaml livekit.yaml firewall.nft before-start.sh; do
  [ -s "$stage/files/$name" ] || refuse "The bundle has no $name."
done
#end
#if CLUSTER
for name in deployment.env docker-compose.yaml livekit.yaml firewall-media.nft before-start.sh; do
  [ -s "$stage/files/$name" ] || refuse "The bundle has no $name."
done
#end
for script in "$stage"/files/*.sh; do sh -n "$script" || refuse "${script##*/} is damaged."; done
served=$(sed -n "s/^DOMAIN='\(.*\)'\$/\1/p" "$stage/files/deployment.env")
[ "$served" = "$DOMAIN" ] || [ -n "$other_domain" ] ||
  refuse "The bundle is for $served, this machine serves $DOMAIN. Add --other-domain if you mean it."
#if CLUSTER
[ "TOPOLOGY='${TOPOLOGY:-}'" = "$(grep '^TOPOLOGY=' "$stage/files/deployment.env")" ] ||
  refuse "The bundle is for a cluster, and this machine is a server of its own, or of a cluster of another form. Its calls move by: sh cluster.sh make --from, on your computer, or by new machines beside it."
#end
#if SINGLE
[ -z "${TOPOLOGY:-}" ] || [ -z "${ROLE:-}" ] ||
  refuse "The bundle is for a server of its own, and this machine is one of a cluster. First: sh cluster.sh leave, on your computer."
#end
# The secrets of the machine are kept, and so is an existing configuration of Docker.
while read -r mode name path; do
  case $mode:$path in
  package:* | *:/opt/livekit/secrets.env) continue ;;
  *:/etc/docker/daemon.json) [ ! -e "$ROOT$path" ] || continue ;;
  esac
  say "$mode $name $path"
done <"$stage/files.txt" >"$stage/take"
cut -d ' ' -f 3 "$stage/take" >"$stage/paths"
(cd "$ROOT/" && ls etc/systemd/system/livekit-*.timer etc/systemd/system/livekit-*.service opt/livekit/bin/*.sh 2>/dev/null || true) |
  sed 's|^|/|' | grep -vxFf "$stage/paths" >"$stage/stale" || true
#if CLUSTER
# Those for calls record by these files, so it may go once all have them.
if [ "$ROLE" = egress ] && [ ! -e "$stage/files/firewall-egress.nft" ]; then
  say "These files have no machines for recording, so this one stays as it is. Next: sh cluster.sh leave, on your computer."
  exit 0
fi
# A rolling apply that stopped half-way begins again: the machines that have the files already are left alone.
different=$(while read -r mode name path; do cmp -s "$stage/files/$name" "$ROOT$path" || say "$path"; done <"$stage/take")
if [ -z "$different" ] && [ ! -s "$stage/stale" ] && all_healthy; then
  say "This machine has these files already."
  exit 0
fi
#end
lowered=$(downgrades)
[ -z "$lowered" ] || [ -n "$downgrade" ] || refuse "$lowered Add --allow-downgrade if you mean it."

#if CLUSTER
[ ! -e .env ] || cp -p .env "$stage/files/"
#end
for name in *.env state/address.env state/agent-key.env; do
  [ ! -e "$name" ] || [ -e "$stage/files/$name" ] || cp -p "$name" "$stage/files/$name"
done
: >>"$stage/files/agent.env"
: >>"$stage/files/state/agent-key.env"
free=$(free_mib /)
[ "$free" -ge 2048 ] || refuse "Only $free MiB of disk are free, 2048 are needed."
#if SINGLE
output=$(nft -c -f "$stage/files/firewall.nft" 2>&1) || refuse "The firewall's rules are not right: $output"
#end
#if CLUSTER
output=$(nft -c -f "$stage/files/firewall-${ROLE:-media}.nft" 2>&1) || refuse "The firewall's rules are not right: $output"
#end
say "Fetching what is missing. Everything runs meanwhile."
(cd "$stage/files" && docker compose config -q && docker compose pull -q --policy missing) || refuse "An image could not be fetched, or docker-compose.yaml is not right."
"$BIN/check.sh" "$stage/files" || refuse
missing=$(sed -n 's/^package //p' "$stage/files.txt" | while read -r package; do
  # Docker Compose has another name on each system, and there is one.
  if [ "$package" = docker-compose-v2 ]; then continue
  elif command -v dpkg >/dev/null; then dpkg -s "$package" >/dev/null 2>&1 || say "$package"
  else rpm -q "$package" >/dev/null 2>&1 || say "$package"; fi
done)
if [ -n "$missing" ]; then
  # shellcheck disable=SC2086
  case $SYSTEM in
  amazon*) dnf install -y $missing ;;
  *) DEBIAN_FRONTEND=noninteractive apt-get -o DPkg::Lock::Timeout=600 install -y -q $missing ;;
  esac >state/apply-packages.log 2>&1 || refuse "Packages could not be installed: state/apply-packages.log."
fi
if [ "$BACKUPS" != none ]; then
  status=0 how=--before-change
  # Scripts from before take every argument for "by hand", which is never removed.
  grep -qe "$how" "$BIN/backup.sh" || how=
  "$BIN/backup.sh" $how || status=$?
  case $status in 0 | 3) ;; *) refuse "The backup before it failed." ;; esac
fi
faults >"$stage/faults"
names >"$stage/names"
step checked
if [ -n "${ROLLOUT:-}" ]; then
  sh "$ROLLOUT" --drain || refuse "It was aborted."
#if SINGLE
  now=--now
#end
fi
[ -n "$now" ] || say_wait
"$BIN/before-stop.sh" $now || refuse "LiveKit could not be stopped."

rm -rf "$SAVED"
mkdir -p "$SAVED/files"
sort -u "$stage/paths" "$stage/stale" >"$SAVED/list"
while read -r path; do
  [ -e "$ROOT$path" ] || continue
  mkdir -p "$SAVED/files${path%/*}"
  cp -p "$ROOT$path" "$SAVED/files$path"
done <"$SAVED/list"
if has_service redis && [ "$(redis_image docker-compose.yaml)" != "$(redis_image "$stage/files/docker-compose.yaml")" ]; then
  keep_redis_data "$SAVED/redis" || { docker compose up -d || true; refuse "Redis could not be stopped."; }
fi
sync
put state/applying 0644 </dev/null
while read -r mode name path; do
  mkdir -p "$ROOT${path%/*}"
  put "$ROOT$path" "$mode" <"$stage/files/$name"
done <"$stage/take"
while read -r path; do
  case $path in *.timer) systemctl disable --now "${path##*/}" || true ;; esac
  rm -f "$ROOT$path"
done <"$stage/stale"
if start_all; then
  step applied
  for try in 1 2 3 4 5; do
    found=$(new_faults)
    [ -n "$found" ] && [ "$try" != 5 ] || break
    sleep 15
  done
else found="a service is not healthy"; fi
if [ -z "$found" ]; then
  rm -f state/applying
  say "The bundle is in use. What was here before is in state/before-apply for seven days."
  exit 0
fi
say "It does not work: $found
Going back." >&2
docker compose logs --no-color --tail 100 >state/failed-apply.log 2>&1 || true
"$BIN/before-stop.sh" --now || true
put_back
if start_all; then
  rm -f state/applying
#if CLUSTER
  "$BIN/cluster-machine.sh" renew || true
#end
  fail 1 "The bundle was not taken. The files from before are in use again."
fi
rm -f state/applying
fail 2 "The bundle was not taken, and what was here before is not healthy either. Run: sudo livekit-deploy doctor"
