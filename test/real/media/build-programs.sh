#!/bin/sh
# build-programs.sh: builds into the folder MEDIA_PROGRAMS what `npm run proof:real media` needs and no package has.
# LiveKit, Caddy, lego and Redis are built in the versions that bundles pin. Needs Node, git, Go 1.26 or an older one that
# fetches it, and for Redis a C and C++ compiler and make. What no Go proxy serves is cloned.
set -eu
cd "$(dirname "$0")"
here=$PWD
mkdir -p "$MEDIA_PROGRAMS"
export GOBIN="$MEDIA_PROGRAMS" CGO_ENABLED=0 GOFLAGS=-buildvcs=false
work=$(mktemp -d)
trap 'chmod -R u+w "$work" && rm -rf "$work"' EXIT

# pinned COMPONENT: the tag that bundles pin.
pinned() {
  node --input-type=module -e "import { pinned } from '../../../app/features/deployments/bundle/versions.ts'; console.log(pinned.$1.tag)"
}
# listed PROGRAM: the tag of a program that is no component.
listed() {
  node --input-type=module -e "import { catalogue } from '../../../app/features/deployments/bundle/releases.ts'; console.log(catalogue.$1.pinned)"
}
# cloned OWNER/NAME REF: that commit in the folder of that name.
cloned() {
  git clone -q --no-checkout "https://github.com/$1" "$work/${1#*/}" && git -C "$work/${1#*/}" -c advice.detachedHead=false checkout -q "$2"
}
# program MODULE@VERSION PACKAGE NAME: built where its source lies. A module with replacements is no target of `go install`.
program() {
  go mod download "$1" && cp -R "$(go env GOMODCACHE)/$1" "$work/$3" && chmod -R u+w "$work/$3" &&
    go build -C "$work/$3" -o "$GOBIN/$3" "./$2"
}

# From v1.13.6 on LiveKit replaces three modules of pion by forks of its own, for a setting that is off by default.
livekit="github.com/livekit/livekit-server@$(pinned livekit)"
if ! program "$livekit" cmd/server livekit-server; then
  echo "LiveKit is built with pion's own modules, because no proxy here has its forks of them." >&2
  cd "$work/livekit-server"
  for module in webrtc/v4 ice/v4 dtls/v3; do go mod edit -dropreplace "github.com/pion/$module"; done
  sed -i '/\.EnableSped(/d' pkg/rtc/transport.go
  GOFLAGS='-buildvcs=false -mod=mod' go build -o "$GOBIN/livekit-server" ./cmd/server
  cd "$here"
fi
# A version in which a relay of TURN reached every port of its own machine, for relay-to-self.test.ts.
program github.com/livekit/livekit-server@v1.13.5 cmd/server livekit-server-relaying
go install github.com/letsencrypt/pebble/v2/cmd/pebble@v2.10.1
go install github.com/letsencrypt/pebble/v2/cmd/pebble-challtestsrv@v2.10.1

# Caddy as LiveKit's image has it: with layer 4, and with the adapter for YAML, which has no releases.
yaml=github.com/abiosoft/caddy-yaml@v0.0.0-20210522210701-64fbdd07cf02
mkdir "$work/caddy"
cat >"$work/caddy/main.go" <<'END'
package main

import (
	_ "github.com/abiosoft/caddy-yaml"
	caddycmd "github.com/caddyserver/caddy/v2/cmd"
	_ "github.com/caddyserver/caddy/v2/modules/standard"
	_ "github.com/mholt/caddy-l4"
)

func main() { caddycmd.Main() }
END
cd "$work/caddy"
go mod init caddy
go mod edit -require "$yaml"
if ! go mod download "$yaml" 2>/dev/null; then
  cloned abiosoft/caddy-yaml "${yaml##*-}"
  go mod edit -replace "${yaml%@*}=$work/caddy-yaml"
fi
go get "github.com/caddyserver/caddy/v2@$(cd "$here" && pinned caddy)" github.com/mholt/caddy-l4@v0.1.2
GOFLAGS='-buildvcs=false -mod=mod' go build -o "$GOBIN/caddy" .
cd "$here"

# lego with the DNS providers of our options; the others' modules are many, and not every proxy has all of them.
lego=$(listed lego)
tags=lego_dnslight,lego_dns_cloudflare,lego_dns_digitalocean,lego_dns_hetzner,lego_dns_route53
export GOFLAGS="-buildvcs=false -mod=mod -tags=$tags -ldflags=-X=main.version=${lego#v}"
if ! program "github.com/go-acme/lego/v5@$lego" . lego; then
  echo "lego is built with Go's own log, because no proxy here has the module of its usual one." >&2
  sed -i '/greyxor/d; /go-isatty/d; /^const rfc3339NanoNatural/d; /opts := \[\]slogor/,/NewHandler/c\
		logger = slog.New(slog.NewTextHandler(os.Stdout, \&slog.HandlerOptions{Level: level}))' "$work/lego/cmd/logger.go"
  go build -C "$work/lego" -o "$GOBIN/lego" .
fi
export GOFLAGS=-buildvcs=false

/usr/bin/docker compose version >/dev/null 2>&1 || program "github.com/docker/compose/v2@$(listed compose)" cmd docker-compose

# Redis in the pinned version; where its source cannot be cloned, the one of Debian 13, which a mirror of Debian serves.
redis=$(pinned redis)
redis=${redis%-alpine}
if ! cloned redis/redis "$redis"; then
  echo "Redis $redis could not be cloned: that of Debian 13 is built." >&2
  cd "$work"
  mkdir -p lists/partial redis
  # shellcheck disable=SC2016 # apt-get fills in the address.
  apt-get indextargets --format 'deb-src $(REPO_URI) trixie main' 'Created-By: Packages' 'Origin: Debian' |
    head -n 1 >sources.list
  set -- -o Dir::Etc::SourceList="$work/sources.list" -o Dir::Etc::SourceParts=- -o Dir::State::Lists="$work/lists"
  apt-get "$@" -q update && apt-get "$@" -q source --download-only --tar-only redis
  tar -xzf redis_*.orig.tar.gz -C redis --strip-components 1
  cd "$here"
fi
make -s -C "$work/redis" MALLOC=libc redis-server redis-cli >/dev/null
cp "$work/redis/src/redis-server" "$work/redis/src/redis-cli" "$GOBIN/"
