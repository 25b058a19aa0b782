#!/bin/sh
# One archive of every file of the version, secrets, certificates and Redis; encrypted when a recipient is set.
# backup.sh [--by-hand | --before-change]: kept for good, or for seven days whatever else is made. Exit: 0 made, 1 not made and nothing left behind, 3 made and not copied
# off the machine, 75 busy.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"

# surplus: prints those names of its input that may be removed. The newest of a day, of a week and of a month are kept, as
# many of each as BACKUP_KEEP says; what was made before a change, for seven days.
surplus() {
  names=$(cat)
  say "$names" | awk -v since="$(date -u -d '-7 days' +%Y%m%dT%H%M%SZ)" '
    /^livekit-before-change-[0-9]+T[0-9]+Z\.tar\.gz(\.age)?$/ && substr($0, 23, 16) < since'
  say "$names" | grep -E '^livekit-[0-9]{8}T[0-9]{6}Z\.tar\.gz(\.age)?$' | sort -r |
    awk -v keep="$BACKUP_KEEP" '
      BEGIN { split(keep, limit, ",") }
      {
        y = substr($0, 9, 4); m = substr($0, 13, 2) + 0; d = substr($0, 15, 2)
        if (m < 3) { y--; m += 12 }
        n = 365 * y + int(y / 4) - int(y / 100) + int(y / 400) + int((153 * m - 457) / 5) + d - 307
        tier[1] = n; tier[2] = int(n / 7); tier[3] = substr($0, 9, 6); kept = NR == 1
        for (i = 1; i <= 3; i++)
          if (!((i, tier[i]) in seen) && count[i] < limit[i] + 0) { seen[i, tier[i]]; count[i]++; kept = 1 }
        if (!kept) print
      }'
}

#if CLUSTER
# A media machine has nothing that joining again does not bring back.
is_whole || fail "$([ "${1:-}" = --by-hand ] && echo 1 || echo 0)" "Backups of a cluster are made on its $([ "$TOPOLOGY" = balanced ] && echo 'machines for calls' || echo edge). Nothing was backed up here."
#end
[ -s secrets.env ] || fail 1 "There are no secrets yet: the first boot has not finished."
alone
case $(date -u +%Y) in 20[0-1]? | 202[0-4] | 19??) fail 1 "The clock is wrong ($(date -u)). Nothing was backed up." ;; esac
mkdir -p "$ARCHIVE"
chmod 0700 "$ARCHIVE"
work=$ARCHIVE/.partial
rm -rf "$work"
trap 'rm -rf "$work"' EXIT
trap 'exit 1' HUP INT TERM
mkdir -p "$work/files/data/redis"
version_files >"$work/version-files"
need=$(du -sck data/redis data/caddy | awk 'END { print int($1 * 3 / 1024) + 32 }')
free=$(free_mib "$ARCHIVE")
[ "$free" -ge "$need" ] || fail 1 "Only $free MiB of disk are free, $need are needed. Nothing was backed up."

if [ "$REDIS" = bundled ]; then
  case $(condition redis) in
  running*)
    answer=$(
      docker compose exec -T redis sh <<'IN'
REDISCLI_AUTH=$REDIS_PASSWORD redis-cli save
IN
    ) || answer=failed
    [ "$answer" = OK ] || fail 1 "Redis did not save its data: $answer. Nothing was backed up."
    ;;
  *) say "Redis does not run: its last snapshot is taken." ;;
  esac
  [ ! -f data/redis/dump.rdb ] || cp -aL data/redis/dump.rdb "$work/files/data/redis/"
  chown --reference=data/redis "$work/files/data/redis"
else
  say "Redis runs elsewhere ($REDIS_ADDRESS): its data is not in this backup."
fi
for file in *.yaml *.conf *.env; do
  case $file in
  *[!A-Za-z0-9._-]*) say "Not in the backup, because of its name: $file" ;;
  *) [ ! -f "$file" ] || cp -aL "./$file" "$work/files/" ;;
  esac
done
# Its path in the archive is that in /opt/livekit, or begins with system/.
mkdir "$work/files/system"
sed -n 's|^opt/livekit/||p' "$work/version-files" | xargs cp -aL --parents -t "$work/files"
(cd "$ROOT/" && grep -v '^opt/livekit/' "$work/version-files" | xargs cp -aL --parents -t "$work/files/system")
cp -aL data/caddy "$work/files/data/"
(cd "$work/files" && find . -type f -print0 | sort -z | xargs -0 sha256sum) >"$work/manifest.sha256"
mv "$work/manifest.sha256" "$work/files/"
tar --numeric-owner --sort=name --hard-dereference -C "$work/files" -czf "$work/backup" .
tar -tzf "$work/backup" >/dev/null
end=tar.gz
case ${1:-} in --by-hand) kind=-by-hand ;; --before-change) kind=-before-change ;; *) kind= ;; esac
if [ -n "$BACKUP_RECIPIENT" ]; then
  age -r "$BACKUP_RECIPIENT" -o "$work/encrypted" "$work/backup"
  mv "$work/encrypted" "$work/backup"
  end=tar.gz.age
fi
sync "$work/backup"
until
  made=$ARCHIVE/livekit$kind-$(date -u +%Y%m%dT%H%M%SZ).$end
  [ ! -e "$made" ]
do sleep 1; done
mv "$work/backup" "$made"
say "Backup made: $made"
name=${made##*/}
say "$(sha256sum <"$made" | cut -c 1-64)  $name" >>state/backup-sums
tail -n 200 state/backup-sums | put state/backup-sums 0600
[ -z "$BACKUP_KEEP" ] || for old in $(find "$ARCHIVE" -maxdepth 1 -type f -name 'livekit-*' | sed 's|.*/||' | surplus); do
  rm -f "$ARCHIVE/$old" && say "Removed: $old"
done
[ -n "$BACKUP_TARGET" ] || exit 0
copied() { say "$1 $(date -u +%Y-%m-%dT%H:%M:%SZ) $2" | put state/backup-copied 0644; }
if ! output=$("$BIN/backup-target.sh" put "$made" 2>&1); then
  copied failed "$output"
  fail 3 "$output The backup is on this machine only."
fi
copied ok "$name"
say "Copied to ${BACKUP_TARGET#target:} and read back."
[ -n "$BACKUP_KEEP" ] || exit 0
there=$("$BIN/backup-target.sh" list) || exit 0
for old in $(say "$there" | surplus); do
  if "$BIN/backup-target.sh" remove "$old" >/dev/null 2>&1; then say "Removed there: $old"
  else say "Not removed there, which needs the right to delete: $old"; fi
done
