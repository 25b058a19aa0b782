import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";

const resolve = { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } };

// These files need a site. One file at a time has a site and its stand-ins to itself; there are as many
// sites as workers. Work and waiting alternate, so three workers keep two cores busy.
const sited = {
  maxWorkers: process.env.TEST_SITE_URL ? 1 : 3,
  isolate: false,
  testTimeout: 120_000,
  hookTimeout: 120_000,
  sequence: { groupOrder: 1 },
  expect: { poll: { timeout: 30_000 } },
};

// The machine's scripts are for Linux, and so are the tools that examine them.
const linuxOnly = ["test/unit/bundle-scripts*.test.ts", "test/unit/bundle-debian-tools.test.ts"];
const onLinux = process.platform === "linux";

export default defineConfig({
  resolve,
  test: {
    globalSetup: "test/fixtures/everything.ts",
    reporters: ["default", "./test/fixtures/closing-line.ts"],
    env: { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    projects: [
      {
        resolve,
        test: {
          name: "unit",
          include: ["test/unit/**/*.test.ts"],
          exclude: onLinux ? [] : linuxOnly,
          sequence: { groupOrder: 0 },
        },
      },
      {
        resolve,
        test: { name: "integration", include: ["test/integration/**/*.test.ts"], ...sited },
      },
      { resolve, test: { name: "e2e", include: ["test/e2e/**/*.test.ts"], ...sited } },
      // By chance, in bulk or slowly on purpose: minutes more than `npm test` may take. `npm run proof`.
      { resolve, test: { name: "proof", include: ["test/proof/**/*.test.ts"], ...sited } },
    ],
  },
});
