/**
 * What a machine with a LiveKit that was made without us does beyond that of a bundle: `docker` has their containers, as
 * files in $MACHINE/theirs, and `systemctl` their units, with the links that enable them. Both refuse what a machine
 * refuses: two programs at one port, a unit that is not there. What changes something counts, and may be where the power
 * goes.
 */
const counted = `
count() {
  n=$(($(cat "$MACHINE/changes" 2>/dev/null || echo 0) + 1))
  echo "$n" >"$MACHINE/changes"
  [ "$n" != "\${CUT_AT:-0}" ] || kill -9 0
}
`;

/** Counts what Python brings to the disk in the same way. */
export const countingPython = `import os, signal, time
time.sleep = lambda seconds: None
real, rename, machine = os.fsync, os.rename, os.environ.get("MACHINE", "")
def fsync(file):
  # A disk that is full once the machine is on our side.
  name = os.readlink("/proc/self/fd/%d" % (file if isinstance(file, int) else file.fileno()))
  if name.endswith("/side.new") and open(name).read() == "ours\\n" and os.path.exists(machine + "/disk-full"): raise OSError(28, "No space left on device")
  real(file)
  path, number = machine + "/changes", 1
  if os.path.exists(path): number = int(open(path).read()) + 1
  with open(path, "w") as changes: changes.write(str(number))
  if str(number) == os.environ.get("CUT_AT"): os.killpg(0, signal.SIGKILL)
os.fsync = fsync
# /opt and /var are on two disks.
def rename_on_disk(source, target):
  disks = {path[len(os.environ["LIVEKIT_DEPLOY_ROOT"]):].split("/")[1] for path in (source, target)}
  if os.path.exists(machine + "/two-disks") and disks == {"opt", "var"}: raise OSError(18, "Invalid cross-device link")
  rename(source, target)
os.rename = rename_on_disk
`;

export const moveInCommands: Readonly<Record<string, string>> = {
  docker: `${counted}
theirs=$MACHINE/theirs
running() { grep -q '^  "Status": "running",$' "$theirs/$1.json"; }
ours_run() { [ -e "$MACHINE/running/livekit" ] && ! grep -q exited "$MACHINE/condition-livekit" 2>/dev/null; }
state() { sed -i "s/^  \\"Status\\": \\".*\\",$/  \\"Status\\": \\"$2\\",/; s/^  \\"Running\\": .*,$/  \\"Running\\": $3,/" "$theirs/$1.json"; }
case "$*" in
"ps -aq --no-trunc") ls "$theirs" | sed 's/.json$//'; exit ;;
"inspect -f"*) ;;
"inspect "*)
  shift
  between=[
  for id; do
    [ -e "$theirs/$id.json" ] || { echo "Error: No such object: $id" >&2; exit 1; }
    echo "$between"
    cat "$theirs/$id.json"
    between=,
  done
  echo ]
  exit ;;
"update --restart="*)
  count
  policy=\${2#*=} times=0
  case $policy in *:*) times=\${policy#*:} policy=\${policy%:*} ;; esac
  sed -i "/^  \\"RestartPolicy\\": {$/,/}/ { s/\\"Name\\": \\".*\\"/\\"Name\\": \\"$policy\\"/; s/\\(Count\\": \\).*/\\1$times/; }" "$theirs/$3.json"
  exit ;;
"stop "*)
  [ ! -e "$MACHINE/stop-fails" ] || exit 1
  count
  state "$2" exited false
  exit ;;
"start "*)
  count
  ! ours_run || { echo "bind: address already in use" >&2; exit 1; }
  state "$2" running true
  exit ;;
"compose up"*)
  count
  for file in "$theirs"/*.json; do
    [ -e "$file" ] || continue
    id=\${file##*/}
    ! running "\${id%.json}" || grep -q '"Image": ".*/app:' "$file" || { echo "bind: address already in use" >&2; exit 1; }
  done
  # Programs that need no port of ours run beside it.
  [ -z "$(ls "$MACHINE/active" | grep -v -e '^livekit-connect' -e '^livekit-sessions')" ] || { echo "bind: address already in use" >&2; exit 1; } ;;
"compose down") count ;;
esac
exec bundle-docker "$@"`,
  systemctl: `${counted}
units=$LIVEKIT_DEPLOY_ROOT/etc/systemd/system
is_theirs() { [ -e "$units/$1" ] && ! grep -q -e /opt/livekit/bin -e livekit-move-in "$units/$1"; }
wanted() { cat "$units/$1" "$LIVEKIT_DEPLOY_ROOT/usr/lib/systemd/system/$1" 2>/dev/null | sed -n "s/^WantedBy=//p"; }
all=$*
verb=$1
shift
now=
block=
while case \${1:-} in -*) ;; *) false ;; esac; do
  case $1 in --now) now=yes ;; esac
  shift
done
case $verb in
is-active)
  [ "$1" != docker.service ] || [ -e "$MACHINE/no-engine" ] || { echo active; exit 0; }
  if ! is_theirs "$1"; then exec bundle-systemctl $all; fi
  [ -e "$MACHINE/active/$1" ] && echo active || { echo inactive; exit 3; } ;;
is-enabled) for link in "$units"/*/"$1"; do [ -h "$link" ] && echo enabled && exit 0; done; echo disabled; exit 1 ;;
enable)
  count
  for target in $(wanted "$1"); do
    mkdir -p "$units/$target.wants"
    ln -sf "/etc/systemd/system/$1" "$units/$target.wants/$1"
  done
  exec bundle-systemctl $all ;;
disable)
  count
  rm -f "$units"/*.wants/"$1"
  [ -z "$now" ] || rm -f "$MACHINE/active/$1"
  exec bundle-systemctl $all ;;
start | stop)
  for unit; do
    if is_theirs "$unit"; then
      count
      if [ "$verb" = start ]; then
        : >"$MACHINE/active/$unit"
        grep -q docker-compose "$units/$unit" && mv "$MACHINE"/removed/*.json "$MACHINE/theirs/"
      else
        rm -f "$MACHINE/active/$unit"
        # Its ExecStop is "down".
        grep -q docker-compose "$units/$unit" && mv "$MACHINE"/theirs/*.json "$MACHINE/removed/"
      fi
      true
    elif [ -e "$units/$unit" ] || [ "$unit" = docker.service ]; then bundle-systemctl "$verb" "$unit"
    else false; fi || failed=yes
  done
  [ -z "\${failed:-}" ] ;;
# Where it waits for people in place of sshd.
show) case $all in *" ssh.socket") cat "$MACHINE/ssh-socket" 2>/dev/null ;; *) exec bundle-systemctl $all ;; esac ;;
reload-or-restart) : >"$MACHINE/firewall"; exec bundle-systemctl $all ;;
*) exec bundle-systemctl $all ;;
esac`,
  // Settings of the kernel are files.
  sysctl: `${counted}
case "$1" in
-n) cat "$MACHINE/kernel/$2" ;;
--system | -q)
  case "$*" in
  *--system)
    sed -n 's/ = /=/p' "$LIVEKIT_DEPLOY_ROOT"/etc/sysctl.d/*.conf | while IFS='=' read -r name value; do echo "$value" >"$MACHINE/kernel/$name"; done ;;
  *) count && echo "\${3#*=}" >"$MACHINE/kernel/\${3%%=*}" ;;
  esac ;;
esac`,
  nft: `${counted}
case "$*" in "delete table inet livekit") count; [ -e "$MACHINE/firewall" ] && rm "$MACHINE/firewall" ;; *) exec bundle-nft "$@" ;; esac`,
  sleep: "",
};
