import { fileURLToPath } from "node:url";
import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { commandLine } from "./scripts/vite/command-line.ts";
import { markdown } from "./scripts/vite/markdown/plugin.ts";
import { pageScript } from "./scripts/vite/page-script.ts";

export default defineConfig({
  plugins: [
    cloudflare({
      viteEnvironment: { name: "ssr" },
      auxiliaryWorkers: [
        {
          configPath: process.env.SERVERS_CONFIG ?? "workers/servers/wrangler.toml",
          viteEnvironment: { name: "servers" },
        },
      ],
      // `npm run dev` names a configuration that has the variables of its run.
      ...(process.env.WORKER_CONFIG ? { configPath: process.env.WORKER_CONFIG } : {}),
      persistState: { path: ".local/wrangler" },
    }),
    tailwindcss(),
    markdown(),
    pageScript(),
    commandLine(),
    reactRouter(),
  ],
  resolve: {
    tsconfigPaths: true,
    // The one alias: a deploy without it would be above its budget (docs/decisions/0016).
    alias: [
      {
        find: /^@supabase\/(realtime|storage|functions)-js$/,
        replacement: fileURLToPath(
          new URL("./workers/unused-supabase-clients.ts", import.meta.url),
        ),
      },
    ],
  },
  environments: {
    ssr: {
      build: {
        // Server output is not minified by default; the upload budget counts it.
        minify: true,
      },
    },
    servers: { build: { minify: true, outDir: "build/servers" } },
    // Nearly every page needs all of these, and they compress better together.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  name: "every-page",
                  test: /node_modules\/(react|react-dom|react-router|scheduler|cookie-es|@remix-run)\/|\/app\/(root|ui\/(primitives\/(button|icons|fields|message|page-intro|text-link)|chrome\/[\w.-]+|reading\/(trusted-types|reading-scripts))|seo\/page-meta)\.tsx?$/,
                },
                // One small file instead of two, for pages that show tables.
                { name: "table", test: /\/app\/ui\/primitives\/(table|scroll-region)\.tsx$/ },
              ],
            },
          },
        },
      },
    },
  },
});
