#!/bin/sh
# Connects a LiveKit server that runs already to the console:   sudo sh livekit-connect.sh CONSOLE
# It finds LiveKit, asks for the token, and writes a folder and two units. Later, as sudo /opt/livekit-connect/livekit-connect:
#   status | report | print | domain NAME     print: what a report would say; domain: where people reach LiveKit
#   remove                                    takes all of this away again
# Of LiveKit it changes nothing. No key and no name of a person or a room leaves the machine; of your configuration the
# paths, and which features are on. Root alone may read that and ask Docker.
set -eu
umask 077
export LC_ALL=C
ROOT=${LIVEKIT_CONNECT_ROOT:-}
HERE=$ROOT/opt/livekit-connect
RUN=$ROOT/run/livekit-connect
UNITS=$ROOT/etc/systemd/system
UNIT=$UNITS/livekit-connect
SESSIONS=$ROOT/opt/livekit-sessions/livekit-sessions
COMMAND=/opt/livekit-connect/livekit-connect
fail() { echo "$*" >&2; exit 1; }
refuse() { fail "${*:+$* }Nothing was changed."; }
# folder PATH: made where it is missing, which is noted in the order in which it is taken away again.
folder() {
  [ -d "$1" ] || { mkdir -m 0755 "$1" && made="$1 $made"; }
}
# uninstall: everything goes that this script has written.
uninstall() {
  if [ -e "$UNIT.timer" ]; then
    systemctl disable --now livekit-connect.timer >/dev/null 2>&1 || true
    rm -f "$UNIT.service" "$UNIT.timer" "$UNITS/timers.target.wants/livekit-connect.timer"
    systemctl daemon-reload || true
  fi
  made=$(cat "$HERE/made")
  [ ! -e "$SESSIONS" ] || "$SESSIONS" remove
  rm -rf "$HERE" "$RUN"
  for each in $made; do rmdir "$each" 2>/dev/null || true; done
}
python() {
  python3 - "$ROOT" "$1" <<'PYTHON'
@PYTHON@
PYTHON
}

[ "$(id -u)" = 0 ] || refuse "Run this with sudo."
command -v python3 >/dev/null || refuse "python3 is missing."
made=
case ${1:-} in
https://* | http://127.0.0.1:* | http://localhost:*)
  [ -f "$0" ] || refuse "Run this from a file."
  [ ! -s "$HERE/server.key" ] || fail "This machine is connected already: sudo $COMMAND status"
  [ -d "$ROOT/run/systemd/system" ] || refuse "There is no systemd."
  python probe || refuse
  printf 'Token: ' >&2
  [ ! -t 0 ] || stty -echo
  IFS= read -r token || true
  [ ! -t 0 ] || { stty echo && echo >&2; }
  echo "$token" | grep -qx 'lkd_e_[A-Za-z0-9_]*' || refuse "This is no token of the console."
  folder "$ROOT/opt"
  [ -d "$HERE" ] || { mkdir -p "$HERE" "$RUN" && echo "$made" >"$HERE/made"; }
  cp "$0" "$HERE/livekit-connect" && chmod 0700 "$HERE/livekit-connect"
  echo "$1" >"$HERE/console-url"
  echo "$token" >"$HERE/token"
  status=0 && python enrol || status=$?
  # Only a refusal is final: otherwise the same token is answered again.
  [ "$status" != 3 ] || { uninstall && refuse; }
  [ "$status" = 0 ] || fail "Run it again with the same token, or take it back: sudo $COMMAND remove"
  folder "$UNITS/timers.target.wants"
  echo "$made" >"$HERE/made"
  cat >"$UNIT.service" <<END
[Unit]
Description=Reports LiveKit to the console
[Service]
Type=oneshot
ExecStart=$COMMAND report
TimeoutStartSec=120
END
  cat >"$UNIT.timer" <<END
[Timer]
OnCalendar=*:*:00
AccuracySec=1s
RandomizedDelaySec=45
FixedRandomDelay=true
[Install]
WantedBy=timers.target
END
  chmod 0644 "$UNIT.service" "$UNIT.timer"
  systemctl daemon-reload
  systemctl enable --now livekit-connect.timer >/dev/null 2>&1
  python report || true
  echo "Connected. To take it away: sudo $COMMAND remove"
  ;;
status | report | print) mkdir -p "$RUN" && python "$1" ;;
domain)
  case ${2:-} in '' | *[!A-Za-z0-9.-]*) fail "Usage: domain NAME" ;; esac
  echo "$2" >"$HERE/domain"
  ;;
remove)
  [ -d "$HERE" ] || fail "Nothing is here."
  [ ! -s "$HERE/server.key" ] || python disconnect || echo "No answer: disconnect the server in the console as well." >&2
  uninstall
  echo "Removed. This machine is as it was before."
  ;;
*) fail "Usage: livekit-connect.sh CONSOLE | status | report | print | domain NAME | remove" ;;
esac
