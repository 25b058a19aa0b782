#!/bin/sh
# build-programs.sh: builds into the folder MEDIA_PROGRAMS what `npm run proof:real media` needs and no package has.
# Needs Go 1.26, or an older one that fetches it. LiveKit's version is the one that bundles pin.
set -eu
cd "$(dirname "$0")"
mkdir -p "$MEDIA_PROGRAMS"
export GOBIN="$MEDIA_PROGRAMS" CGO_ENABLED=0
livekit=$(sed -n '/image: "livekit\/livekit-server"/,/releases:/s|.*pinned: "\([^"]*\)".*|\1|p' ../../../app/features/deployments/bundle/releases.ts)
go install "github.com/livekit/livekit-server/cmd/server@$livekit"
mv "$GOBIN/server" "$GOBIN/livekit-server"
go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1
go install github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.1
go install github.com/caddyserver/xcaddy/cmd/xcaddy@v0.4.5
"$GOBIN/xcaddy" build v2.11.9 --output "$GOBIN/caddy" \
  --with github.com/mholt/caddy-l4@v0.1.2 --with github.com/abiosoft/caddy-yaml
