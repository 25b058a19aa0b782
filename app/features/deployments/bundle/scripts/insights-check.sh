#!/bin/sh
# Whether agents record: looks at the way to the receiver, and waits for the recording of a call that somebody makes.
# insights-check.sh   Exit: 0 one came, 1 none did, with what to look at.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
stored=$ROOT/var/lib/private/livekit-insights
# count NAME: how many of it the receiver has taken.
count() { cat "$stored/status.json" 2>/dev/null | tr -d '{}" ' | tr , '\n' | sed -n "s/^$1://p"; }
begun=$(date +%s) recorded=$(count recorded) others=$(count traces)/$(count logs)
[ ! -e insights-off ] || fail 1 "Agent insights are off. First: sudo livekit-deploy insights on"
# Without a token the receiver refuses, in words of its own. Where it is away Caddy says others.
for place in http://127.0.0.1:7991 "https://$DOMAIN"; do
  curl -s --noproxy '*' --max-time 15 -X POST "$place/observability/recordings/v0" | grep -q 'token is not valid' ||
    fail 1 "The receiver of agent insights does not answer at $place. Next: sudo livekit-deploy doctor"
done
# ended: of each job that ended since then, by LiveKit's log, the version of its SDK and what that version knows. A job ends
# after its recording was sent.
ended() {
  docker compose logs --no-color --since "$begun" livekit 2>/dev/null |
    sed -n 's/.*"msg": *"job ended".*"agentName": *"\([^"]*\)".*"version": *"\([0-9][0-9A-Za-z.+-]*\)".*/\2 \1/p' | sort -u |
    awk '{
      split($1, part, ".")
      number = part[1] * 10000 + part[2] * 100 + part[3]
      verdict = number < 10501 ? "which is too old" : number < 10800 ? "which is too old if it is JavaScript" : "which is new enough"
      sub(/^[^ ]* /, "")
      printf "The job of %s has ended. Its Agents SDK is %s, %s.\n", ($0 == "" ? "an agent" : "agent " $0), part[1] "." part[2] "." part[3], verdict
    }'
}
none() {
  came=''
  [ -n "$jobs" ] || jobs=$(ended)
  [ -n "$jobs" ] || jobs="No job of an agent has ended since then, by LiveKit's log. Was an agent in the call, and has the call ended?"
  [ "$others" = "$(count traces)/$(count logs)" ] ||
    came="Traces or logs of an agent came, so its SDK and its address are right. Its call goes on, or its job was killed before it sent the recording.
"
  fail 1 "No recording came.
$jobs
${came}Look at the agent, in this order:
  Its SDK is livekit-agents 1.5.1 or later for Python, @livekit/agents 1.8.0 or later for JavaScript. Older ones do not know LIVEKIT_OBSERVABILITY_URL.
  It was started with LIVEKIT_OBSERVABILITY_URL=https://$DOMAIN and nothing behind that.
  Its code does not say record=False.
  Its log says why the server refused it, where its API key is not one of this server."
}
say "The receiver answers at https://$DOMAIN. Now talk one turn with an agent, and end the call.
Waiting for its recording, ten minutes at most."
jobs='' left=300
while [ "$(count recorded)" = "$recorded" ]; do
  left=$((left - 1))
  [ "$left" -gt 0 ] || none
  if [ $((left % 5)) = 0 ]; then
    [ -z "$jobs" ] || none
    jobs=$(ended)
  fi
  sleep 2
done
awk -F '\t' '$1 == "agent" { job = $3; sdk = ""; for (i = 5; i <= NF; i++) if ($i ~ /^sdk=/) sdk = ", by Agents SDK " substr($i, 5) }
  END { printf "It is on: %s was recorded%s.\nsudo livekit-deploy insights show %s\n", job, sdk, job }' "$stored/outbox"
