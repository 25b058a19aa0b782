# shellcheck shell=sh
# shellcheck disable=SC2154 # It shares its variables with create-vm.sh.
if [ -n "$by_ssh" ]; then
  # On the machine this puts each file where it belongs and makes the first boot. A machine that is ready keeps what it has.
  cat >"$work/install.sh" <<'SCRIPT'
set -eu
trap 'rm -rf "$PWD"' EXIT
trap 'exit 1' HUP INT TERM
if [ -e /opt/livekit/state/first-boot-done ]; then
  echo "The machine is ready already: nothing was copied."
  exit 0
fi
cloud-init status --wait >/dev/null || true
@INSTALL@
/opt/livekit/bin/first-boot.sh @PACKAGES@
SCRIPT
  on_machine() {
    ssh -o ConnectTimeout=10 -o PasswordAuthentication=no -o StrictHostKeyChecking=accept-new "@USER@@@ADDRESS@" "$@"
  }
  echo "The files are too large for user data of @PROVIDER@, so SSH brings them to the machine. This takes some minutes."
  tries=1
  until on_machine true 2>"$work/refused" </dev/null; do
    [ "$tries" -lt 60 ] || {
      cat "$work/refused" >&2
      echo "SSH does not reach the machine as @USER@. Once it does, run this again." >&2
      exit 69
    }
    tries=$((tries + 1))
    sleep 5
  done
  COPYFILE_DISABLE=1 tar -cf - -C "$work" install.sh -C "$folder" @FILES@ |
    on_machine 'd=$(mktemp -d) && trap "rm -rf $d" EXIT && trap "exit 1" HUP INT TERM && cd "$d" && tar -xf - && exec sudo sh ./install.sh'
fi
