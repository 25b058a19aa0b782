#!/bin/sh
# Takes up a version that people approved with their passkeys: checks all of it, waits for a quiet moment, exchanges the files
# and proves it by the doctor, or goes back by itself. Each step is told to the console.
# rollout.sh [--step NAME | --drain]     The options are for apply.sh, which the version brings.
# Exit: 0 nothing to do, or it ended and said how; 1 it is tried again with the next report.
# It runs as a copy in state/rollout/run, because the scripts themselves are exchanged.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
room=$STATE/rollout
run=$room/run
id=$(sed -n 's/^rollout \([0-9a-f-]\{36\}\)$/\1/p' "$room/order" 2>/dev/null | head -n 1)
[ -n "$id" ] || exit 0
# tell STEP [REASON]: says how far it is. Prints yes where somebody asked to abort it; a console that is away asks for nothing.
tell() {
  {
    say "rollout $id"
    say "step $1"
    [ -z "${2:-}" ] || say "reason $2"
  } | sh "$run/console.sh" rollout-step 2>/dev/null || true
}
note() { say "$id $1" | put "$room/progress" 0600; }
reached() { [ "$(cat "$room/progress" 2>/dev/null)" = "$id $1" ]; }
# end STEP [REASON]: an end is kept until the console has it, and so is that this rollout was here: it is never begun again.
end() {
  reason=$(printf %s "${2:-}" | tr '\n\t' '  ' | tr -cd '\040-\176' | tail -c 300)
  { tail -n 99 "$room/ended" 2>/dev/null || true; say "$id $1 $reason"; } | put "$room/ended" 0600 || exit 1
  rm -rf "$room/order" "$room/progress" "$room/work" "$room/aborted"
  tell "$1" "$reason" >/dev/null
  say "$1. $reason"
  exit 0
}
abort_if_asked() { [ "$1" != yes ] || end aborted "Aborted before anything was changed."; }

case ${1:-} in
--step)
  note "$2"
  tell "$2" >/dev/null
  exit 0
  ;;
--drain)
  note draining
  answer=$(tell draining)
  "$BIN/before-stop.sh" --wait &
  waiting=$!
  while [ "$answer" != yes ] && kill -0 "$waiting" 2>/dev/null; do
    sleep 5
    answer=$(tell draining)
  done
  [ "$answer" = yes ] || answer=$(tell draining)
  if [ "$answer" = yes ]; then
    kill "$waiting" 2>/dev/null || true
    : >"$room/aborted"
    exit 1
  fi
  wait "$waiting" || true
  note applying
  tell applying >/dev/null
  exit 0
  ;;
esac

exec 8>"$room/lock"
flock -n 8 || exit 0
# What was here once is not done again: its end is told again.
former=$(grep "^$id " "$room/ended" 2>/dev/null | tail -n 1 || true)
if [ -n "$former" ]; then
  former=${former#* }
  rm -f "$room/order"
  tell "${former%% *}" "${former#* }" >/dev/null
  exit 0
fi
# After a restart in the middle of the exchange LiveKit's unit puts the old files back, unless all was done.
if reached applying || reached applied; then
  [ ! -e state/applying ] || exit 1
  if python3 "$run/approval.py" installed "$room/work/manifest" "$ROOT" >/dev/null 2>&1; then
    end proved "The machine restarted when it was done."
  fi
  end rolled-back "The machine restarted in the middle. The files from before are in use."
fi
rm -rf "$room/work" "$room/aborted"
mkdir -p "$room/work"
lower=$(python3 "$run/approval.py" verify "$room/order" "$room/work/manifest" 2>&1) || end refused "$lower Nothing was changed."
# What says nothing has not looked: only these words let it go on.
case $lower in "approved, lower yes" | "approved, lower no") ;; *) end refused "It could not be verified. Nothing was changed." ;; esac
status=0
say "$id" | sh "$run/console.sh" rollout-files "$room/work/new.zip" || status=$?
[ "$status" != 4 ] || end refused "The console does not make the files any more that were approved. Ask for the version again. Nothing was changed."
[ "$status" = 0 ] || exit 1
output=$(python3 "$run/approval.py" files "$room/work/manifest" "$room/work/new.zip" 2>&1) || {
  # A download that broke off is no other file: it is fetched again until the end of its time.
  case $output in *"It cannot be read"*) exit 1 ;; esac
  end refused "$output Nothing was changed."
}
[ "$output" = "all files are approved" ] || end refused "Its files could not be verified. Nothing was changed."
note fetched
abort_if_asked "$(tell fetched)"
mkdir -p state/apply-run
python3 -c 'import sys, zipfile
bundle = zipfile.ZipFile(sys.argv[1])
for name, path in ("apply.sh", sys.argv[2]), ("files.txt", sys.argv[3]):
    with open(path, "wb") as file: file.write(bundle.read("livekit/" + name))' "$room/work/new.zip" "$STATE/apply-run/apply.sh" "$room/work/files.txt"
set -- "$room/work/new.zip"
[ "$lower" != "approved, lower yes" ] || set -- "$@" --allow-downgrade
status=0
ROLLOUT=$run/rollout.sh sh "$STATE/apply-run/apply.sh" --inside "$@" >state/apply.log 2>&1 || status=$?
words=$(grep -v '^Waiting\|^Fetching\|^In calls' state/apply.log | tail -n 3)
case $status in
0) end proved ;;
# Something else holds the lock. It is tried again with the next report.
75) exit 1 ;;
esac
[ ! -e "$room/aborted" ] || end aborted "Aborted before anything was changed."
if reached applying || reached applied; then end rolled-back "$words"; fi
end refused "$words"
