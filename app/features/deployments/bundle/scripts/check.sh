#!/bin/sh
# Whether Compose and LiveKit take their files, LiveKit in the version that will run. It ends no call.
# check.sh [FOLDER]   Exit: 0 yes, 1 no, with the reason.
# shellcheck source=environment.sh
. "${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
cd "${1:-$HERE}" || exit 1
output=$(docker compose config -q 2>&1) || fail 1 "docker-compose.yaml is not right: $output"
#if CLUSTER
# The edge has no LiveKit.
has_service livekit || exit 0
#end
image=$(awk '/^  [^ ]/ { inside = ($0 == "  livekit:") } inside && $1 == "image:" { gsub(/"/, "", $2); print $2; exit }' docker-compose.yaml)
# The command always exits with 0, so its output decides: a line begins with the port of the file, whatever else the
# version says. With use_external_ip it would ask STUN.
output=$(sed 's/use_external_ip: true/use_external_ip: false/' livekit.yaml |
  docker run --rm -i --network none -e NODE_IP=127.0.0.1 --entrypoint /bin/sh "$image" -c '/livekit-server --config-body "$(cat)" ports' 2>&1) || true
port=$(sed -n 's/^port: *\([0-9]*\).*/\1/p' livekit.yaml | head -n 1)
printf '%s\n' "$output" | grep -Eq "^[^0-9a-z]*${port:-7880}([^0-9]|\$)" || fail 1 "LiveKit does not take livekit.yaml: $output"
