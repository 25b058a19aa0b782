import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const resolve = { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } };

export default defineConfig({
  resolve,
  test: {
    globalSetup: "test/fixtures/everything.ts",
    reporters: ["default", "./test/fixtures/closing-line.ts"],
    env: { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    projects: [
      {
        resolve,
        test: { name: "unit", include: ["test/unit/**/*.test.ts"], sequence: { groupOrder: 0 } },
      },
      {
        resolve,
        // One site and one set of stand-ins serve all of these files: they take turns.
        test: {
          name: "integration",
          include: ["test/integration/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 1 },
        },
      },
      {
        resolve,
        test: {
          name: "e2e",
          include: ["test/e2e/**/*.test.ts"],
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 120_000,
          sequence: { groupOrder: 2 },
        },
      },
    ],
  },
});
