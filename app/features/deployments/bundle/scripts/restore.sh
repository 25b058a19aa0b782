#!/bin/sh
# Puts a backup back: read whole and compared first, then exchanged with every file of its version, and exchanged again
# when it does not start. --try restores into a folder and compares.
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
# room MIB: refuses unless as much disk is free.
room() {
  free=$(free_mib "$HERE")
  [ "$free" -ge "$1" ] || refuse "Only $free MiB of disk are free, $1 are needed."
}
SAVED=$STATE/before-restore
# shellcheck source=use-units.sh
. "./use-units.sh"
# exchange FROM TO: puts each path of its input from below one folder to its place below the other, where it is whole at any
# moment, old or new.
exchange() {
  while read -r path; do
    [ -d "$2${path%/*}" ] || mkdir -p "$2${path%/*}"
    [ ! -e "$2$path.new" ] || rm -rf "$2$path.new"
    cp -a "$1$path" "$2$path.new"
    [ ! -d "$2$path" ] || rm -rf "$2$path"
    mv "$2$path.new" "$2$path"
  done
}
# What is in both lists was exchanged or removed, and comes back; what is in the first alone was not here before.
put_back() {
  grep -vxFf "$SAVED/list" state/restoring | while read -r path; do rm -rf "$ROOT$path" "$ROOT$path.new"; done
  exchange "$SAVED/files" "$ROOT" <"$SAVED/list"
  sync
}
# number FILE: of the version that a version.txt is of.
number() { sed -n '1s/^[0-9a-f-]\{36\} \([0-9]\{1,9\}\) .*/\1/p' "$1" 2>/dev/null || true; }

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
    # Docker may have started containers again, which have these folders open.
    docker compose stop || true
    put_back
    rm -f state/restoring
    use_former_units
    rm -rf "$SAVED"
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
#if CLUSTER
is_whole || [ -n "$try" ] ||
  refuse "Only the edge of a cluster has something to restore. A media machine gets all of it when it joins again: sh cluster.sh join, on your computer."
#end
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
  room $(($(wc -c <"$file") / 1048576 + 32))
  age -d -i "$identity" -o "$plain" "$file" || refuse "The backup is damaged, or it was encrypted for another key. A key with a passphrase: open the file with age first."
fi
tar --numeric-owner -tvzf "$plain" >"$stage/list" 2>/dev/null || refuse "The backup is damaged or cut off."
! grep -q '^[^-d]' "$stage/list" || refuse "This is not a backup of LiveKit Deploy."
tar -tzf "$plain" >"$stage/names"
if grep -Eqv '^\./($|[A-Za-z0-9._-]+\.(yaml|conf|env)$|version\.txt$|redis-ca\.pem$|manifest\.sha256$|bin/[A-Za-z0-9._-]*$|data/($|caddy/|redis/($|dump\.rdb$))|system/([a-z_.]+/)*$|system/(usr/bin/livekit-deploy|etc/(livekit/[A-Za-z0-9._-]+|systemd/system/livekit[A-Za-z0-9._-]*\.(service|timer)|([a-z]+/)*[a-z_.]+\.d/[0-9]+-?livekit(\.[a-z]+)?))$)' "$stage/names" ||
  grep -Eq '(^|/)\.\.(/|$)' "$stage/names" || ! grep -q '^./manifest.sha256$' "$stage/names"; then
  refuse "This is not a backup of LiveKit Deploy."
fi
# A trial has all of it twice. Later a restore needs more: what is here now is kept beside it.
room "$(awk '{ size += $3 } END { print int(size * 2 / 1048576) + 32 }' "$stage/list")"
tar -xzf "$plain" -p --numeric-owner -C "$stage/files" || refuse "The backup could not be unpacked."
(cd "$stage/files" && sha256sum --check --strict --quiet manifest.sha256) || refuse "A file in the backup is not what was saved."
[ "$(find "$stage/files" -type f | wc -l)" -eq $(($(wc -l <"$stage/files/manifest.sha256") + 1)) ] ||
  refuse "The backup holds a file that was not saved."
# whole: it holds every file of its version, with firewall, units and scripts. Those of before November 2026 do not.
whole=
[ ! -d "$stage/files/system" ] || whole=yes
#if SINGLE
for name in deployment.env secrets.env docker-compose.yaml ${whole:+bin/restore.sh system/etc/livekit/firewall.nft system/etc/systemd/system/livekit.service}; do
  [ -s "$stage/files/$name" ] || refuse "The backup holds no $name."
done
#end
#if CLUSTER
for name in deployment.env secrets.env docker-compose.yaml ${whole:+bin/restore.sh system/etc/livekit/firewall-media.nft system/etc/systemd/system/livekit.service}; do
  [ -s "$stage/files/$name" ] || refuse "The backup holds no $name."
done
#end
served=$(sed -n "s/^DOMAIN='\(.*\)'\$/\1/p" "$stage/files/deployment.env")
[ "$served" = "$DOMAIN" ] || [ -n "$other_domain" ] ||
  refuse "The backup is of $served, this machine serves $DOMAIN. Add --other-domain if you mean it."
dump=$stage/files/data/redis/dump.rdb
[ ! -e "$dump" ] || [ -z "$try" ] || [ "$(head -c 5 "$dump")" = REDIS ] || refuse "Redis's data is damaged."

# As it belongs on the machine: /opt/livekit, /etc and /usr.
new=$stage/new
sed 's|  \./system/|  ./|; t
  s|  \./|  ./opt/livekit/|' "$stage/files/manifest.sha256" >"$stage/hashes"
rm "$stage/files/manifest.sha256"
mkdir "$new"
[ -z "$whole" ] || mv "$stage/files/system"/* "$new/"
mkdir "$new/opt"
mv "$stage/files" "$new/opt/livekit"
(cd "$new" && find . -type f ! -path './opt/livekit/data/*' && find opt/livekit/data -mindepth 1 -maxdepth 1) | sed 's|^\./||; s|^|/|' | sort >"$stage/entries"
if [ -n "$try" ]; then
  # A folder takes the place of the machine, and what is there then is compared.
  mkdir "$stage/trial"
  exchange "$new" "$stage/trial" <"$stage/entries"
  (cd "$stage/trial" && sha256sum --check --strict --quiet "$stage/hashes") || refuse "What was restored in a folder is not what was saved."
  say "The backup is whole."
  exit 0
fi
# What the backup's version does not have goes. What reports to the console stays, because a backup from before the machine
# was connected has nothing of it.
: >"$stage/obsolete"
[ -z "$whole" ] || version_files | grep -Ev '/(console\.sh|livekit-(report|going)\.[a-z]+)$' | sed 's|^|/|' | grep -vxFf "$stage/entries" >"$stage/obsolete" || true
if [ -n "$whole" ]; then
  different=$(
    (cd "$ROOT/" && sha256sum --check --quiet "$stage/hashes" 2>/dev/null || true) | sed -n 's/^\.\(.*\): FAILED.*/\1/p' |
      grep -E '^/(etc|usr)/|^/opt/livekit/(bin/.*|version\.txt|deployment\.env)$'
    cat "$stage/obsolete"
  ) || true
  backup_number=$(number "$new/opt/livekit/version.txt")
  installed_number=$(number version.txt)
  if [ -z "$different" ]; then :
  elif [ -n "$backup_number" ] && [ -n "$installed_number" ] && [ "$backup_number" != "$installed_number" ]; then
    say "The backup is of version $backup_number, this machine has version $installed_number. All of version $backup_number is put back: firewall, units, settings and scripts too. On a machine at another provider take its own bundle afterwards: sudo livekit-deploy apply FILE.zip"
  else
    say "The backup is of other files than this machine has, such as $(say "$different" | sed -n 1p). They are put back too: firewall, units, settings and scripts. On a machine at another provider take its own bundle afterwards: sudo livekit-deploy apply FILE.zip"
  fi
elif ! cmp -s "$new/opt/livekit/deployment.env" deployment.env; then
  say "The backup is of another version and older than backups that hold firewall, units and scripts: those stay as they are. Afterwards take the files of its version: sudo livekit-deploy apply FILE.zip"
fi

room "$(du -sck "$new" data/redis data/caddy | awk 'END { print int($1 * 2 / 1024) + 32 }')"

say "The backup is whole. Stopping LiveKit."
[ -n "$now" ] || say_wait
stop_all || refuse "LiveKit could not be stopped."
rm -rf "$SAVED"
mkdir -p "$SAVED/files"
cat "$stage/entries" "$stage/obsolete" >"$stage/list"
while read -r path; do if [ -e "$ROOT$path" ] || [ -L "$ROOT$path" ]; then say "$path"; fi; done <"$stage/list" >"$SAVED/list"
(cd "$ROOT/" && sed 's|^/||' "$SAVED/list" | xargs cp -a --parents -t "$SAVED/files")
sync
put state/restoring 0644 <"$stage/list"
exchange "$new" "$ROOT" <"$stage/entries"
while read -r path; do
  case $path in *.timer) systemctl disable --now "${path##*/}" || true ;; esac
  rm -f "$ROOT$path"
done <"$stage/obsolete"
sync
start_all() { { [ -z "$whole" ] || { use_units && "$BIN/first-boot.sh" --folders; }; } && systemctl start livekit.service; }
if start_all; then
  rm -f state/restoring
#if CLUSTER
  [ "$TOPOLOGY" = balanced ] || {
    : >state/edge/redis-went-back
    "$BIN/cluster-machine.sh" renew || true
  }
  say "The other machines have the secrets of before. On your computer, for each: sh cluster.sh join NODE"
#end
  say "Restored. What was here before is in state/before-restore for seven days."
  exit 0
fi
say "LiveKit does not start with the restored state. Putting the earlier one back." >&2
stop_all || true
put_back
rm -f state/restoring
start_all || fail 2 "LiveKit does not start with the earlier state either. Run: sudo livekit-deploy doctor"
rm -rf "$SAVED"
fail 1 "The backup was not restored. The earlier state runs again."
