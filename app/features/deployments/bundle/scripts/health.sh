#!/bin/sh
# Keeps the doctor's last answer, and tells the alert address when something changes.
# For people in state/health and state/health-report, for programs in state/health-findings (doctor.sh --report).
# Exit: 0 told or nothing to tell, 1 the alert did not get through (the next run tries again).
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
mkdir -p state
exec 9>state/lock
flock -n 9 || { say "An update, backup or restore is running: not looking now."; exit 0; }
# What was here before a restore or a new bundle has secrets too, and nobody goes back to it after a week.
[ -e state/restoring ] || [ -e state/applying ] ||
  find state -maxdepth 1 \( -name before-restore -o -name before-apply -o -name apply-run \) -mtime +6 -exec rm -rf {} +
exec 9>&-
# /run is in memory. Findings and the last alert are kept there too, so that alerts are sent when the disk is full.
full=$ROOT/run/livekit-health
mkdir -p "$full"
keep() { put "$1" 0644 2>/dev/null || { rm -f "$1" && return 1; }; }
status=0
report=$("$BIN/doctor.sh" --quiet --keep "$full/findings") || status=$?
case $status in 0) now=ok ;; 1) now=warning ;; *) now=failure ;; esac
[ ! -e "$full/findings" ] || keep state/health-findings <"$full/findings" || say "The findings cannot be kept." >&2
[ -e "$full/findings" ] || rm -f state/health-findings
for kind in certificates releases; do
  [ ! -s "$full/findings-$kind" ] || keep "state/health-$kind" <"$full/findings-$kind" || true
done
say "$report" | keep state/health-report || say "The report cannot be kept." >&2
say "$now"
[ -z "$report" ] || say "$report"
# A new finding is sent even when the state as a whole is as bad as before.
news=$(say "$now" && cut -f 1,3 "$full/findings" 2>/dev/null | sort) || true
sent=$(cat "$full/told" 2>/dev/null || cat state/health-told 2>/dev/null || cat state/health 2>/dev/null || say unknown)
before=$(say "$sent" | head -n 1)
[ "$news" != "$sent" ] || exit 0
# Nothing is sent when a new machine is well at its first check.
if [ -n "$ALERT_URL" ] && [ "$before:$now" != unknown:ok ]; then
  text=$(say "$report" | sed 's/[\\"]/\\&/g' | tr -d '\000-\011\013-\037' | awk '{ printf "%s%s", end, $0; end = "\\n" }')
  printf '{"deployment":"%s","state":"%s","before":"%s","at":"%s","report":"%s"}' \
    "$DOMAIN" "$now" "$before" "$(date -u +%Y-%m-%dT%H:%M:%SZ)" "$text" |
    curl -fsS --retry 4 --retry-all-errors --max-time 20 -H 'Content-Type: application/json' --data-binary @- "$ALERT_URL" >/dev/null ||
    fail 1 "The alert did not get through. The next run tries again."
fi
say "$now" | keep state/health || true
if say "$news" | keep state/health-told; then rm -f "$full/told"; else say "$news" | put "$full/told" 0644; fi
