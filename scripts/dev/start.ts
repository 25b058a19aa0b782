import { join, resolve } from "node:path";
import { serversVariables } from "../lib/servers-variables.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { step } from "../lib/terminal.mjs";
import { writeDevVars, writeEnvFile, writeLocalServers } from "../lib/worker-files.ts";
import { runSession } from "./session.ts";

await runSession({
  command: "npm start",
  defaultPort: 8787,
  async prepare(session) {
    if (isBuildCurrent()) {
      console.log("✓ The build is up to date");
      return;
    }
    await step("Building the site", () => buildSite(session.startProgram));
  },
  startSite(session) {
    const servers = resolve(session.folder, "servers");
    writeLocalServers(servers);
    // --env-file is for the first Worker alone.
    writeDevVars(servers, serversVariables(session.variables));
    return session.startProgram("node_modules/wrangler/bin/wrangler.js", {
      arguments: [
        "dev",
        "--config=build/server/wrangler.json",
        `--config=${join(servers, "wrangler.json")}`,
        `--env-file=${writeEnvFile(session.folder, session.variables)}`,
        `--persist-to=${resolve(session.folder, "wrangler")}`,
        `--port=${session.sitePort}`,
        "--ip=127.0.0.1",
        "--show-interactive-dev-session=false",
      ],
      environment: {
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        CI: "1",
      },
      onLine: session.showLine,
    });
  },
});
