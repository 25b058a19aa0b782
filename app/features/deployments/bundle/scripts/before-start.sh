#!/bin/sh
# Before every start: finishes what a reboot interrupted, makes missing secrets, finds the public address.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
# shellcheck source=public-address/hetzner.sh
. "./public-address/$PROVIDER.sh"

nft list table inet livekit >/dev/null || fail 1 "Without its firewall LiveKit does not start."
mkdir -p state
#if CLUSTER
# A drain that was interrupted goes on with its own time, and LiveKit gets no second signal.
case $(condition livekit) in
running*) ;;
*)
  rm -f state/draining state/balancer/draining
  nft delete table inet livekit_drain 2>/dev/null || true
  ;;
esac
#end
# Where another script holds the lock, it has started this one and finishes its own work. Each report looks for a moment
# whether the lock is free, so it is waited for.
(
  flock -w 1 9 || exit 0
  export LIVEKIT_DEPLOY_LOCKED=1
  rm -rf state/restore-stage state/apply-stage state/backup-scratch "$ARCHIVE/.partial"
  # LiveKit's unit may not write into /etc, so a unit of its own puts the files back. A restore exchanges restore.sh too, so
  # after a power cut the one here is that of the former version or of the backup's: both put back what state/restoring lists.
  if [ -e state/applying ]; then
    systemd-run -q --collect --wait --pipe /bin/sh "$STATE/apply-run/apply.sh" --recover
    rm -rf state/apply-run
  fi
  [ ! -e state/restoring ] || systemd-run -q --collect --wait --pipe "$BIN/restore.sh" --recover
  "$BIN/update.sh" --recover
) 9>state/lock
"$BIN/first-boot.sh" --secrets
#if CLUSTER
[ "$ROLE" != edge ] || "$BIN/cluster-machine.sh" render
#end
address=$(public_address 2>/dev/null) || address=
if printf '%s\n' "$address" | grep -Eq '@ADDRESS_PATTERN@'; then
  lines="NODE_IP=$address
LIVEKIT_RTC_USE_EXTERNAL_IP=false"
  [ "$lines" = "$(cat state/address.env)" ] || say "$lines" | put state/address.env 0644 ||
    say "The public address could not be stored. Is the disk full?" >&2
else
  say "@WITHOUT_ADDRESS@" >&2
fi
