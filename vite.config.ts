import { cloudflare } from "@cloudflare/vite-plugin";
import { reactRouter } from "@react-router/dev/vite";
import tailwindcss from "@tailwindcss/vite";
import { defineConfig } from "vite";
import { markdown } from "./scripts/vite/markdown/plugin.ts";
import { fflateAtFirstUse } from "./workers/at-first-use.ts";
import { leaveOutUnusedParts } from "./workers/leave-out.ts";
import { reactAsModules } from "./workers/react-as-modules.ts";

export default defineConfig({
  plugins: [
    leaveOutUnusedParts(),
    reactAsModules(),
    fflateAtFirstUse(),
    cloudflare({
      viteEnvironment: { name: "ssr" },
      // `npm run dev` names a configuration that has the variables of its run.
      ...(process.env.WORKER_CONFIG ? { configPath: process.env.WORKER_CONFIG } : {}),
      persistState: { path: ".local/wrangler" },
    }),
    tailwindcss(),
    markdown(),
    reactRouter(),
  ],
  resolve: { tsconfigPaths: true },
  environments: {
    ssr: {
      // Libraries ask for these at load, and carry code for them. workerd's `process` alone costs 5 ms.
      define: {
        "typeof window": `"undefined"`,
        "typeof document": `"undefined"`,
        "typeof process": `"undefined"`,
        "globalThis.process": "undefined",
      },
      build: {
        // Server output is not minified by default; the upload budget counts it.
        minify: true,
        rolldownOptions: {
          // It says that its modules have none, where the bundler does not look.
          treeshake: {
            moduleSideEffects: [{ test: /\/node_modules\/diff\//, sideEffects: false }],
          },
        },
      },
    },
    // Every page needs all of these, and they compress better together.
    client: {
      build: {
        rolldownOptions: {
          output: {
            codeSplitting: {
              groups: [
                {
                  name: "framework",
                  test: /node_modules\/(react|react-dom|react-router|scheduler)\//,
                },
                {
                  name: "chrome",
                  test: /\/app\/(ui\/(primitives\/(button|icons)|chrome\/[\w-]+|reading\/trusted-types)|seo\/page-meta)\.tsx?$/,
                },
              ],
            },
          },
        },
      },
    },
  },
});
