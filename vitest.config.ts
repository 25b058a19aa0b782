import { fileURLToPath } from "node:url";
import { defineConfig } from "vitest/config";
import { BaseSequencer } from "vitest/node";

const resolve = { alias: { "~": fileURLToPath(new URL("./app", import.meta.url)) } };

// Work and waiting alternate, so three workers keep two cores busy. There are as many sites.
const shared = {
  maxWorkers: process.env.TEST_SITE_URL ? 1 : 3,
  testTimeout: 300_000,
  hookTimeout: 300_000,
  expect: { poll: { timeout: 90_000 } },
};

// "proof" finds by chance, in bulk or slowly on purpose: minutes more than `npm test` may take. It also runs the
// other tests in every variant and with many items: test/support/run/variants.ts.
const sited = {
  integration: ["test/integration/**/*.test.ts"],
  journeys: ["test/journeys/**/*.test.ts"],
  proof: [
    "test/{proof,journeys,integration,machine}/**/*.test.ts",
    // What `npm test` leaves out where nothing has changed (test/support/run/when-changed.ts), and rights and bundles
    // in bulk.
    "test/unit/{documentation,fakes,deployments,workspaces}/**/*.test.ts",
    "test/unit/{deploy/migrates-in-place,database/postgres-of-a-run}.test.ts",
  ],
};

/** Browsers and what else takes minutes go first, so that nobody waits for one of them at the end. */
class LongFilesFirst extends BaseSequencer {
  override async sort(files: Parameters<BaseSequencer["sort"]>[0]) {
    const order = ["journeys", "proof", "machine", "integration", "unit"];
    const rank = ({ project }: (typeof files)[number]) => order.indexOf(project.name);
    return (await super.sort(files)).toSorted((a, b) => rank(a) - rank(b));
  }
}

// The machine's scripts are for Linux, and so are the tools that examine them.
const linuxOnly = [
  "test/machine/bundle-scripts*.test.ts",
  "test/machine/insights/bundle-scripts*.test.ts",
  "test/machine/{backups,first-boot,move-in}/*.test.ts",
  "test/machine/bundle-debian-tools.test.ts",
  "test/machine/bundle-machine-faults.test.ts",
  "test/machine/documented-commands.test.ts",
  "test/unit/documentation/documented-{configuration,security}.test.ts",
  "test/proof/deployments/bundle-debian-tools.test.ts",
];
const onLinux = process.platform === "linux";

export default defineConfig({
  resolve,
  test: {
    globalSetup: "test/support/run/global-setup.ts",
    reporters: ["default", "./test/support/run/summary-reporter.ts"],
    // What passing tests make the code log is nobody's reading.
    silent: "passed-only",
    env: { WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    sequence: { sequencer: LongFilesFirst },
    projects: [
      // Files of a kind share processes (isolate: false), which saves a second or two each.
      {
        resolve,
        test: {
          ...shared,
          name: "unit",
          include: ["test/unit/**/*.test.{ts,tsx}"],
          isolate: false,
          setupFiles: "test/support/run/seed-of-properties.ts",
          exclude: onLinux ? [] : linuxOnly,
          provide: { isProof: false },
        },
      },
      {
        resolve,
        // Boots simulated machines from a bundle's own scripts.
        test: {
          ...shared,
          name: "machine",
          include: ["test/machine/**/*.test.ts"],
          isolate: false,
          exclude: onLinux ? [] : linuxOnly,
          provide: { isProof: false },
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-auth",
          // In its own globalSetup a PostgreSQL for all files; each file has the ports to itself.
          globalSetup: "test/real/auth/setup.ts",
          include: ["test/real/auth/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-media",
          // In its own globalSetup the images and the client; each file has the machine to itself.
          globalSetup: "test/real/media/setup.ts",
          include: ["test/real/media/**/*.test.ts"],
          maxWorkers: 1,
          testTimeout: 300_000,
          hookTimeout: 300_000,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-cluster",
          // In its own globalSetup the images and the callers; each file has the machine to itself.
          globalSetup: "test/real/cluster/setup.ts",
          include: ["test/real/cluster/**/*.test.ts"],
          maxWorkers: 1,
          testTimeout: 900_000,
          hookTimeout: 900_000,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-call",
          // The site and Chromium, as in the browser tests.
          include: ["test/real/call/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        // The site alone.
        test: {
          ...shared,
          name: "real-api",
          include: ["test/real/api/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-agents",
          // Programs alone: no site, no browser.
          include: ["test/real/agents/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-stripe",
          // In its own globalSetup the recording of the other tests, and stripe-mock.
          globalSetup: "test/real/stripe/setup.ts",
          include: ["test/real/stripe/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-terraform",
          // Programs alone: no site, no browser.
          include: ["test/real/terraform/**/*.test.ts"],
          // AWS's program takes up to half a minute for each of its forms.
          testTimeout: 1_200_000,
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        test: {
          ...shared,
          name: "real-kubernetes",
          // Programs alone: no site, no browser.
          include: ["test/real/kubernetes/**/*.test.ts"],
          maxWorkers: 1,
          isolate: false,
        },
      },
      {
        resolve,
        // Draws every screen and primitive: `npm run gallery`.
        test: { ...shared, name: "gallery", include: ["test/gallery/*.test.tsx"], maxWorkers: 1 },
      },
      ...Object.entries(sited).map(([name, include]) => ({
        resolve,
        test: {
          ...shared,
          name,
          include,
          exclude: onLinux ? [] : linuxOnly,
          isolate: false,
          provide: { isProof: name === "proof" },
        },
      })),
    ],
  },
});
