import { join, resolve } from "node:path";
import { readCommandLine } from "../lib/command-line.ts";
import { serversVariables } from "../lib/servers-variables.ts";
import { buildSite, isBuildCurrent } from "../lib/site-build.ts";
import { step } from "../lib/terminal.mjs";
import { writeDevVars, writeEnvFile, writeLocalServers } from "../lib/worker-files.ts";
import { runSession } from "./session.ts";

const { values } = readCommandLine({
  usage: "npm start [-- --verbose]",
  about: `Installs, builds and serves the site at http://localhost:8787, with a fake of each service that it needs.
It stays until Ctrl-C. The first time takes a minute, later ones some seconds. Data is kept in .local between runs.
PORT moves the site, LOCAL_PORT_BASE the fakes.`,
  options: {
    verbose: { type: "boolean", default: false, help: "shows everything that the site prints" },
  },
});

await runSession({
  command: "npm start",
  isVerbose: values.verbose,
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
