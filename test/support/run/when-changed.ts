import { matchesGlob } from "node:path";

/** Tests of these files run in `npm test` if a file of theirs, or one that `looksAt` matches, has changed. */
export type WhenChanged = { tests: string; looksAt: readonly string[] };

/** A new version of a library can change what these tests see. */
const libraries = ["package.json", "package-lock.json"];

const bundles = ["app/features/deployments/bundle/**", "scripts/bundle/script-files.ts"];
const reports = "app/features/servers/{ingest,metrics,state}/**";
const playedMachine = ["fakes/*.ts", "fakes/machine/**"];
const pages = ["app/content/**", "test/support/documentation/**"];
const deployments = "test/support/deployments/**";

const database = [
  "fakes/supabase/database/**",
  "scripts/lib/{debian-packages,postgres-client}.ts",
  "supabase/**",
  "test/support/database/**",
];
const rightsInSql =
  "test/unit/workspaces/{agent-rights,audit-log,audited-acts,customer-rights,invitations,members,walk-*}.test.ts";

/**
 * Tests whose outcome depends on few files, and that cost seconds: of a bundle's files and machine, of rights in SQL, of
 * the commands that deploy, of the documentation's samples and commands, of the fakes and of the databases that tests run
 * in. `npm test` leaves out those of which nothing has
 * changed; the proof runs them all. The other tests of the documentation are cheap, look at the whole of the site, and
 * always run.
 */
export const whenChanged: readonly WhenChanged[] = [
  {
    tests: "test/machine/documented-commands.test.ts",
    looksAt: [...bundles, ...playedMachine, ...pages, deployments, ...libraries],
  },
  {
    tests: "test/machine/**/bundle-*.test.ts",
    looksAt: [
      ...bundles,
      ...playedMachine,
      reports,
      "app/features/deployments/test-room/room-name.ts",
      deployments,
      "scripts/lib/debian-packages.ts",
      "test/support/schemas/**",
      ...libraries,
    ],
  },
  {
    tests: "test/unit/deployments/bundle/*.test.ts",
    looksAt: [
      "app/features/deployments/**",
      "app/features/servers/{incidents,ingest,state}/**",
      "scripts/{bundle/**,lib/debian-packages.ts}",
      "docs/generated-files.md",
      ...playedMachine,
      ...pages,
      deployments,
      ...libraries,
    ],
  },
  {
    tests: rightsInSql,
    looksAt: [
      ...database,
      "app/content/plans.ts",
      "app/features/workspaces/**",
      "app/platform/database/**",
      "test/support/{agents,auth,billing,workspaces}/**",
      ...libraries,
    ],
  },
  {
    tests: "test/integration/deploy/{deploy,deploy-rollback,migrations,preview,stripe-*}.test.ts",
    looksAt: [
      "{fakes,scripts}/**",
      "app/content/plans.ts",
      "app/features/billing/**",
      "app/platform/env/**",
      "{supabase,workers}/**",
      "wrangler.toml",
      "test/support/deploy/**",
      ...libraries,
    ],
  },
  {
    tests: "test/unit/documentation/documented-{configuration,security}.test.ts",
    looksAt: [...bundles, ...playedMachine, ...pages, deployments, "app/routes.ts", ...libraries],
  },
  {
    tests: "test/unit/documentation/samples-{compile,run}.test.ts",
    looksAt: [...pages, ...libraries],
  },
  {
    tests: "test/unit/database/postgres-of-a-run.test.ts",
    looksAt: [...database, ...libraries],
  },
  {
    tests: "test/unit/fakes/**/*.test.ts",
    looksAt: ["fakes/**", "test/real/stripe/**", "test/support/google/**", ...libraries],
  },
  {
    tests: "test/integration/fakes/stripe-fake*.test.ts",
    looksAt: [
      "fakes/*.ts",
      "fakes/stripe/**",
      "scripts/lib/worker.ts",
      "scripts/stripe-check/**",
      "test/support/billing/**",
      ...libraries,
    ],
  },
  {
    tests: "test/integration/fakes/{auth-server,supabase}-fake.test.ts",
    looksAt: [
      ...["google", "mail", "supabase"].map((fake) => `fakes/${fake}/**`),
      "fakes/*.ts",
      "supabase/**",
      "scripts/lib/{browser,worker}.ts",
      // The accounts' side of what the fake does is the site's.
      "app/features/{account,auth,sign-in}/**",
      "app/platform/database/**",
      "test/support/{auth,database}/**",
      ...libraries,
    ],
  },
];

/** Whether `npm test` runs a test file after a change of these files; undefined where nobody knows what changed. */
export function isDue(testFile: string, changed: readonly string[] | undefined): boolean {
  const row = whenChanged.find(({ tests }) => matchesGlob(testFile, tests));
  if (!row || !changed) return true;
  const globs = [row.tests, ...row.looksAt];
  return changed.some((file) => globs.some((glob) => matchesGlob(file, glob)));
}
