import type { KnipConfig } from "knip";

export default {
  // What npm scripts start; routes, tests and the Worker's entry are found by themselves.
  entry: [
    "local/{setup.mjs,start.ts,dev.ts,reset.ts,database-types.ts,common-passwords.ts}",
    "deploy/{deploy,logs,preview,smoke,stripe-setup,bundle,options-schema}.ts",
    "test/fixtures/site-process.ts",
    "test/real/proof.ts",
    "test/real/media/metadata.ts",
  ],
  project: ["{app,workers,local,deploy,test,bench}/**/*.{ts,tsx,mjs,css}", "*.config.ts"],
  // A type may be exported for readers of the function that answers it.
  ignoreExportsUsedInFile: { type: true, interface: true },
  // The type check finds these, and knows the types that `react-router typegen` writes.
  exclude: ["unresolved"],
  // local/common-passwords.ts reads its list of passwords, which is data.
  ignoreDependencies: ["@zxcvbn-ts/language-common"],
  // workerd comes with wrangler; .ci/run installs what reads a
  // bundle on Debian.
  ignoreBinaries: ["workerd", "dash", "age-keygen", "openssl", "ldd", "go"],
  compilers: {
    /** Style sheets use packages too. */
    css: (text: string) =>
      [...text.matchAll(/(?:@import\s+|url\()["']([^"']+)["']/g)]
        .map(([, source]) => `import "${source}";`)
        .join("\n"),
  },
} satisfies KnipConfig;
