#!/bin/sh
# Takes up a version that people approved with their passkeys: checks all of it, waits for a quiet moment, exchanges the files
# and proves it by the doctor, or goes back by itself. Each step is told to the console.
# rollout.sh [--step NAME | --drain]     The options are for apply.sh, which the version brings.
# Exit: 0 nothing to do, or it ended and said how; 1 it is tried again with the next report.
# It runs as a copy in state/rollout/run, because the scripts themselves are exchanged.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
folder=$STATE/rollout
run=$folder/run
id=$(sed -n 's/^rollout \([0-9a-f-]\{36\}\)$/\1/p' "$folder/order" 2>/dev/null | head -n 1)
[ -n "$id" ] || exit 0
# report_step STEP [REASON]: says how far it is. Prints yes where somebody asked to abort it; a console that is away asks for nothing.
report_step() {
  {
    say "rollout $id"
    say "step $1"
    [ -z "${2:-}" ] || say "reason $2"
  } | sh "$run/console.sh" rollout-step 2>/dev/null || true
}
save_progress() { say "$id $1" | put "$folder/progress" 0600; }
progress_is() { [ "$(cat "$folder/progress" 2>/dev/null)" = "$id $1" ]; }
# end STEP [REASON]: what people approved is listed with its end, so that it is never begun again, until its approval is over
# (a day more, since a clock may be set back). Nothing else gets into the list: whoever has the console could fill it.
end() {
  reason=$(printf %s "${2:-}" | tr '\n\t' '  ' | tr -cd '\040-\176' | tail -c 300)
  if [ -s "$folder/work/manifest" ]; then
    {
      awk -v since="$(($(date +%s) - 86400))" '$2 > since' "$folder/ended" 2>/dev/null || true
      say "$id $(sed -n 's/^ends //p' "$folder/work/manifest") $1 $reason"
    } | put "$folder/ended" 0600 || exit 1
  fi
  rm -rf "$folder/order" "$folder/progress" "$folder/work" "$folder/stopped"
  report_step "$1" "$reason" >/dev/null
  say "$1. $reason"
  exit 0
}
# window_is_over: in the window that people approved files are exchanged, or not at all.
window_is_over() {
  grep -q '^begins ' "$folder/work/manifest" && [ "$(date +%s)" -ge "$(sed -n 's/^ends //p' "$folder/work/manifest")" ]
}
# stop_drain WORDS: ends it with them, with nothing changed.
stop_drain() {
  kill "$waiting" 2>/dev/null || true
  say "$1" >"$folder/stopped"
  exit 1
}
end_if_aborted() { [ "$1" != yes ] || end aborted "Aborted before anything was changed."; }

case ${1:-} in
--step)
  save_progress "$2"
  report_step "$2" >/dev/null
  exit 0
  ;;
--drain)
  save_progress draining
  answer=$(report_step draining)
#if SINGLE
  "$BIN/before-stop.sh" --wait &
#end
#if CLUSTER
  # A machine of a cluster gets quiet only once LiveKit knows that it ends. apply.sh begins that, and nobody aborts it then.
  : &
#end
  waiting=$!
  while [ "$answer" != yes ] && ! window_is_over && kill -0 "$waiting" 2>/dev/null; do
    sleep 5
    answer=$(report_step draining)
  done
  [ "$answer" = yes ] || ! window_is_over || stop_drain "expired Its window was over before nobody was in a call. Nothing was changed."
  # From this step on the console takes no abort: its answer is the last that can have one.
  [ "$answer" = yes ] || answer=$(report_step applying)
  [ "$answer" != yes ] || stop_drain "aborted Aborted before anything was changed."
  wait "$waiting" || true
  save_progress applying
  exit 0
  ;;
esac

exec 8>"$folder/lock"
flock -n 8 || exit 0
# What was here once is not done again: its end is told again.
former=$(grep "^$id " "$folder/ended" 2>/dev/null | tail -n 1 || true)
if [ -n "$former" ]; then
  former=${former#* * }
  rm -f "$folder/order" "$folder/progress"
  report_step "${former%% *}" "${former#* }" >/dev/null
  exit 0
fi
# After a restart in the middle of the exchange LiveKit's unit puts the old files back, unless all was done.
if progress_is applying || progress_is applied; then
  [ ! -e state/applying ] || exit 1
  if python3 "$run/approval.py" installed "$folder/work/manifest" "$ROOT" >/dev/null 2>&1; then
    end proved "The machine restarted when it was done."
  fi
  end rolled-back "The machine restarted in the middle. The files from before are in use."
fi
rm -rf "$folder/work" "$folder/stopped"
mkdir -p "$folder/work"
lower=$(python3 "$run/approval.py" verify "$folder/order" "$folder/work/manifest" "$id" 2>&1) || end refused "$lower Nothing was changed."
# What says nothing has not looked: only these words let it go on.
case $lower in
"approved, lower yes" | "approved, lower no") ;;
# The order stays, and is verified anew with each report.
"approved, waits for its window") exit 0 ;;
*) end refused "It could not be verified. Nothing was changed." ;;
esac
# While something else works here it is tried again with the next report.
(alone) || exit 1
status=0
say "$id" | sh "$run/console.sh" rollout-files "$folder/work/new.zip" || status=$?
[ "$status" != 4 ] || end refused "The console has no files for it now: it was aborted or has ended there, or our later files are others. Ask for the version again. Nothing was changed."
[ "$status" = 0 ] || exit 1
output=$(python3 "$run/approval.py" files "$folder/work/manifest" "$folder/work/new.zip" 2>&1) || {
  # A download that broke off is no other file: it is fetched again until the end of its time.
  case $output in *"It cannot be read"*) exit 1 ;; esac
  end refused "$output Nothing was changed."
}
[ "$output" = "all files are approved" ] || end refused "Its files could not be verified. Nothing was changed."
save_progress fetched
end_if_aborted "$(report_step fetched)"
python3 -c 'import sys, zipfile
bundle = zipfile.ZipFile(sys.argv[1])
for name, path in ("apply.sh", sys.argv[2]), ("files.txt", sys.argv[3]):
    with open(path, "wb") as file: file.write(bundle.read("livekit/" + name))' "$folder/work/new.zip" "$folder/work/apply.sh" "$folder/work/files.txt"
# A shell reads on in the file that it runs: it is exchanged under the lock, and by its name.
(alone && mkdir -p state/apply-run && put state/apply-run/apply.sh 0700 <"$folder/work/apply.sh") || exit 1
set -- "$folder/work/new.zip"
[ "$lower" != "approved, lower yes" ] || set -- "$@" --allow-downgrade
status=0
ROLLOUT=$run/rollout.sh sh "$STATE/apply-run/apply.sh" --inside "$@" >state/apply.log 2>&1 || status=$?
words=$(grep -v '^Waiting\|^Fetching\|^In calls' state/apply.log | tail -n 3)
case $status in
0) end proved ;;
# Something else holds the lock. It is tried again with the next report.
75) exit 1 ;;
esac
if [ -e "$folder/stopped" ]; then
  stopped=$(cat "$folder/stopped")
  end "${stopped%% *}" "${stopped#* }"
fi
if progress_is applying || progress_is applied; then end rolled-back "$words"; fi
end refused "$words"
