import { join } from "node:path";
import { readCommandLine } from "../lib/command-line.ts";
import { serversVariables } from "../lib/servers-variables.ts";
import { writeDevelopmentConfig } from "../lib/worker-files.ts";
import { runSession } from "./session.ts";

const { values } = readCommandLine({
  usage: "npm run dev [-- --verbose]",
  about: `Serves the site at http://localhost:5173 as npm start does, from the source: what you save is there at once.
It stays until Ctrl-C. PORT moves the site, LOCAL_PORT_BASE the fakes.`,
  options: {
    verbose: { type: "boolean", default: false, help: "shows everything that the site prints" },
  },
});

await runSession({
  command: "npm run dev",
  isVerbose: values.verbose,
  defaultPort: 5173,
  startSite: (session) =>
    session.startProgram("node_modules/@react-router/dev/bin.cjs", {
      arguments: ["dev", `--port=${session.sitePort}`, "--strictPort", "--host=localhost"],
      environment: {
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        WORKER_CONFIG: writeDevelopmentConfig(join(session.folder, "dev"), session.variables),
        SERVERS_CONFIG: writeDevelopmentConfig(
          join(session.folder, "dev-servers"),
          serversVariables(session.variables),
          "workers/servers/wrangler.toml",
        ),
      },
      onLine: session.showLine,
    }),
});
