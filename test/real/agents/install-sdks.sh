#!/bin/sh
# install-sdks.sh: LiveKit's Agents SDKs for `npm run proof:real agents`, into the folder that AGENT_SDKS names.
# Needs Python 3.10 or later with venv, and npm.
set -eu
python=1.8.9 javascript=1.9.0
mkdir -p "$AGENT_SDKS/javascript"
python3 -m venv "$AGENT_SDKS/python"
"$AGENT_SDKS/python/bin/pip" install -q "livekit-agents==$python"
cd "$AGENT_SDKS/javascript"
printf '{"private":true,"type":"module"}\n' >package.json
npm install --silent --no-audit --no-fund "@livekit/agents@$javascript"
