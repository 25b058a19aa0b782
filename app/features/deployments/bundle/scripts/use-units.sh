# shellcheck shell=sh
# The part of apply.sh and restore.sh that brings changed units, kernel settings and firewall rules into use.
# shellcheck disable=SC2154 # It shares its variables with both.
# A timer that is running takes its changed schedule only when it is restarted.
use_units() {
  systemctl daemon-reload
  for unit in "$ROOT"/etc/systemd/system/livekit-*.timer; do
    [ ! -e "$unit" ] || systemctl enable "${unit##*/}"
    [ ! -e "$unit" ] || systemctl restart "${unit##*/}"
  done
  sysctl -q --system || true
  systemctl try-reload-or-restart ssh.service sshd.service 2>/dev/null || true
  systemctl reload-or-restart livekit-firewall.service
}
# use_former_units: the same while LiveKit's unit starts, which no other unit's job may wait for.
use_former_units() {
  systemctl daemon-reload
  for unit in "$ROOT"/etc/systemd/system/livekit-*.timer; do
    [ ! -e "$unit" ] || systemctl enable --now "${unit##*/}" || true
  done
  sysctl -q --system || true
#if SINGLE
  nft -f "$ROOT/etc/livekit/firewall.nft"
#end
#if CLUSTER
  nft -f "$ROOT/etc/livekit/firewall-${ROLE:-media}.nft"
#end
}
