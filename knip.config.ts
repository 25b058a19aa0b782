import type { KnipConfig } from "knip";

export default {
  // What npm scripts start; routes, tests and the Worker's entry are found by themselves.
  entry: [
    "scripts/dev/{start,dev,reset,seed,machine}.ts",
    "scripts/generate/{audit-rules,database-types,common-passwords,machine-notes}.ts",
    "scripts/deploy/{deploy,preview}.ts",
    "scripts/logs/logs.ts",
    "scripts/releases/releases.ts",
    "scripts/smoke/smoke.ts",
    "scripts/sso/sso.ts",
    "scripts/tools/tools.ts",
    "scripts/stripe-{setup,check}/stripe-{setup,check}.ts",
    "scripts/images/draw.ts",
    "scripts/bundle/{bundle,options-schema}.ts",
    // The servers Worker, named by its wrangler.toml.
    "workers/servers/worker.ts",
    // scripts/vite/page-script.ts makes a file of it.
    "app/page-script.ts",
    // scripts/vite/command-line.ts makes the command line of it.
    "packages/livekit-deploy/livekit-deploy.ts",
    "test/support/run/{npm-test,nightly,site-process,observed-build}.ts",
    "test/mutation/mutation.ts",
    "test/support/database/prepare-postgres.ts",
    "test/real/proof.ts",
    "test/bench/bench.ts",
    "test/support/run/project.ts",
    "test/real/agents/agent.mjs",
    "test/real/call/faults/opening-proxy.ts",
    "test/real/call/tls-front.ts",
    "test/real/media/outside-check.ts",
    "test/real/media/world/metadata.ts",
  ],
  project: [
    "{app,workers,fakes,scripts,test}/**/*.{ts,tsx,mjs,css}",
    "packages/livekit-deploy/**/*.ts",
    "*.config.ts",
  ],
  // What sends messages, and the plan's part in a fleet, are built upon these.
  ignore: [],
  // A type may be exported for readers of the function that answers it.
  ignoreExportsUsedInFile: { type: true, interface: true },
  // The type check finds these, and knows the types that `react-router typegen` writes.
  exclude: ["unresolved"],
  // scripts/generate/common-passwords.ts reads its list of passwords, which is data; test/real/agents/install-sdks.sh
  // installs LiveKit's SDK elsewhere.
  ignoreDependencies: ["@zxcvbn-ts/language-common", "@livekit/agents", "@livekit/rtc-node"],
  // workerd comes with wrangler; test/support/deployments/debian-tools.ts installs what reads a bundle on Debian, and
  // scripts/images/encode.ts what encodes pictures.
  ignoreBinaries: ["apt-get", "workerd", "dash", "age-keygen", "openssl", "ldd", "pngquant"],
  compilers: {
    /** Style sheets use packages too. */
    css: (text: string) =>
      [...text.matchAll(/(?:@import\s+|url\()["']([^"']+)["']/g)]
        .map(([, source]) => `import "${source}";`)
        .join("\n"),
  },
} satisfies KnipConfig;
