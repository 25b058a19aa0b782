import { join } from "node:path";
import { serversVariables } from "../lib/servers-variables.ts";
import { writeDevelopmentConfig } from "../lib/worker-files.ts";
import { runSession } from "./session.ts";

await runSession({
  command: "npm run dev",
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
