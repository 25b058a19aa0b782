#!/bin/sh
# Tries the newest backup: it is fetched, restored into a scratch folder and compared. No service is touched.
# Exit: 0 it can be restored, or as far as that can be seen without its key; 1 it cannot, 75 busy.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
report() {
  say "$1 $(date -u +%Y-%m-%dT%H:%M:%SZ) $2" | put state/backup-test 0644
  say "$2"
  [ "$1" = ok ] || exit 1
}
alone
scratch=$STATE/backup-scratch
rm -rf "$scratch"
trap 'rm -rf "$scratch"' EXIT
trap 'exit 1' HUP INT TERM
mkdir "$scratch"
if [ -n "$BACKUP_TARGET" ]; then
  name=$("$BIN/backup-target.sh" newest 2>"$scratch/output") || report failed "$(cat "$scratch/output")"
  file=$scratch/fetched
  "$BIN/backup-target.sh" get "$name" "$file" 2>"$scratch/output" || report failed "$(cat "$scratch/output")"
else
  file=$(find "$ARCHIVE" -maxdepth 1 -type f -name 'livekit-*' | sed 's/.*-\([0-9]\{8\}T.*\)/\1 &/' | sort | tail -n 1)
  file=${file#* }
  [ -n "$file" ] || report failed "There is no backup in $ARCHIVE."
  name=${file##*/}
fi
if [ "$(head -c 4 "$file")" = age- ]; then
  saved=$(sed -n "s/  $name$//p" state/backup-sums 2>/dev/null | tail -n 1) || saved=
  found=$(sha256sum <"$file" | cut -c 1-64)
  open="It is encrypted and its key is not here: try yourself whether it opens."
  [ -n "$saved" ] || report ok "$name can be fetched; its checksum is not known here. $open"
  [ -z "$saved" ] || [ "$saved" = "$found" ] || report failed "$name is not what was saved: its checksum differs."
  [ "$saved" != "$found" ] || report ok "$name can be fetched and is what was saved. $open"
elif output=$("$BIN/restore.sh" --try "$file" 2>&1); then report ok "$name can be restored."
else report failed "$name: $output"; fi
