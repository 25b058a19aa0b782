/** `before-stop.sh`: Before anything stops: LiveKit, Egress and Ingress end what runs, while Caddy and Redis still serve them. */
export const beforeStopScript = `#!/bin/sh
# Before anything stops: calls, recordings and streams end, while Caddy and Redis still serve them.
# shellcheck source=environment.sh
. "\${LIVEKIT_DEPLOY_ROOT:-}/opt/livekit/bin/environment.sh"
set --
for service in livekit egress ingress; do ! has_service "$service" || set -- "$@" "$service"; done
docker compose stop "$@"
`;
