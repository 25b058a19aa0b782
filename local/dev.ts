import { join } from "node:path";
import { startNodeProgram } from "./child.ts";
import { localFolder, runSession } from "./session.ts";
import { writeDevelopmentConfig } from "./worker-files.ts";

await runSession({
  command: "npm run dev",
  defaultPort: 5173,
  startSite: (session) =>
    startNodeProgram("node_modules/@react-router/dev/bin.cjs", {
      arguments: ["dev", `--port=${session.sitePort}`, "--strictPort", "--host=localhost"],
      environment: {
        WRANGLER_SEND_METRICS: "false",
        CLOUDFLARE_CF_FETCH_ENABLED: "false",
        WORKER_CONFIG: writeDevelopmentConfig(join(localFolder, "dev"), session.variables),
      },
      onLine: session.showLine,
    }),
});
