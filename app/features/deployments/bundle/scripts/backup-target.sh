#!/bin/sh
# The place off this machine that backups are copied to.
# backup-target.sh put FILE | list | newest | get NAME FILE | remove NAME    Exit: 0 done, 1 not, with the reason.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
# rclone runs in a container. The keys are in a file of their own, which no other container reads, and reach rclone in its
# environment. What was sent is read back and compared.
[ -n "${BACKUP_TARGET:-}" ] || fail 1 "The backups of this deployment stay on the machine."
typed() {
  found=$(sed -n "s/^$1='\(.*\)'$/\1/p" backup-keys.env 2>/dev/null) || found=
  [ -n "$found" ] || fail 1 "The keys of the backups' place are missing. First: sudo livekit-deploy set backup-keys"
  printf %s "$found"
}
case $BACKUP_KEYS in
s3)
  RCLONE_CONFIG_TARGET_ACCESS_KEY_ID=$(typed BACKUP_ACCESS_KEY)
  RCLONE_CONFIG_TARGET_SECRET_ACCESS_KEY=$(typed BACKUP_SECRET)
  export RCLONE_CONFIG_TARGET_ACCESS_KEY_ID RCLONE_CONFIG_TARGET_SECRET_ACCESS_KEY
  ;;
gcs)
  RCLONE_CONFIG_TARGET_SERVICE_ACCOUNT_CREDENTIALS=$(typed BACKUP_CREDENTIALS)
  RCLONE_CONFIG_TARGET_SERVICE_ACCOUNT_CREDENTIALS=$(say "$RCLONE_CONFIG_TARGET_SERVICE_ACCOUNT_CREDENTIALS" | base64 -d)
  export RCLONE_CONFIG_TARGET_SERVICE_ACCOUNT_CREDENTIALS
  ;;
azure)
  RCLONE_CONFIG_TARGET_KEY=$(typed BACKUP_SECRET)
  export RCLONE_CONFIG_TARGET_KEY
  ;;
esac
docker image inspect -f '{{.Id}}' "$RCLONE_IMAGE" >/dev/null 2>&1 || docker pull -q "$RCLONE_IMAGE" >/dev/null ||
  fail 1 "$RCLONE_IMAGE could not be fetched."
# Docker keeps no log of this container, because the log would hold the whole backup.
remote() {
  docker run --rm -i --network host --log-driver none --env-file backup-target.env \
    -e RCLONE_CONFIG_TARGET_ACCESS_KEY_ID -e RCLONE_CONFIG_TARGET_SECRET_ACCESS_KEY \
    -e RCLONE_CONFIG_TARGET_SERVICE_ACCOUNT_CREDENTIALS -e RCLONE_CONFIG_TARGET_KEY \
    "$RCLONE_IMAGE" -q --contimeout 20s --timeout 2m --low-level-retries 3 --retries 1 "$@"
}
# A bucket has no empty folders: rclone exits with 3 when there is no backup yet.
list() {
  status=0
  names=$(remote lsf --files-only "$BACKUP_TARGET" </dev/null) || status=$?
  case $status in 0 | 3) ;; *) fail 1 "${BACKUP_TARGET#target:} cannot be listed." ;; esac
  say "$names" | grep -E '^livekit-(by-hand-|before-change-)?[0-9]{8}T[0-9]{6}Z\.tar\.gz(\.age)?$' || true
}
sum() { sha256sum | cut -c 1-64; }

case ${1:-} in
put)
  name=${2##*/}
  for try in 1 2 3; do
    ! remote rcat --size "$(stat -c %s "$2")" "$BACKUP_TARGET/$name" <"$2" || break
    [ "$try" != 3 ] || fail 1 "$name could not be copied to ${BACKUP_TARGET#target:}."
  done
  [ "$(remote cat "$BACKUP_TARGET/$name" </dev/null | sum)" = "$(sum <"$2")" ] ||
    fail 1 "What lies at ${BACKUP_TARGET#target:}/$name is not what was sent."
  ;;
list) list ;;
newest)
  names=$(list)
  name=$(say "$names" | sed 's/.*-\([0-9]\{8\}T.*\)/\1 &/' | sort | tail -n 1)
  [ -n "$name" ] || fail 1 "There is no backup at ${BACKUP_TARGET#target:}."
  say "${name#* }"
  ;;
get)
  remote cat "$BACKUP_TARGET/$2" </dev/null >"$3" && [ -s "$3" ] ||
    fail 1 "$2 could not be fetched. There are:
$(list)"
  ;;
remove) remote deletefile "$BACKUP_TARGET/$2" </dev/null ;;
*) fail 64 "Usage: backup-target.sh put FILE | list | newest | get NAME FILE | remove NAME" ;;
esac
