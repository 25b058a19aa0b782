import { accessSync, constants, existsSync } from "node:fs";
import { join } from "node:path";
import { PlainFailure } from "../../../scripts/lib/terminal.mjs";
import { findLivekitServer } from "../call/requirements.ts";

/** The real programs and SDKs. Throws a sentence that says how to get what is missing. */
export function findAgentSdks(environment = process.env) {
  const livekit = findLivekitServer(environment);
  const caddy = join(environment.MEDIA_PROGRAMS ?? "", "caddy");
  const folder = environment.AGENT_SDKS ?? "";
  const python = join(folder, "python/bin/python");
  const javascript = join(folder, "javascript");
  try {
    for (const program of [caddy, python]) accessSync(program, constants.X_OK);
    if (existsSync(join(javascript, "node_modules/@livekit/agents/package.json")))
      return { livekit, caddy, python, javascript };
  } catch {
    // Said below.
  }
  throw new PlainFailure(
    "Not found: Caddy in the folder that MEDIA_PROGRAMS names, or LiveKit's Agents SDKs in the one that AGENT_SDKS names:\n" +
      "  export AGENT_SDKS=$HOME/agent-sdks && test/real/agents/install-sdks.sh",
  );
}
