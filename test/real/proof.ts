// `npm run proof:real auth`: the site against the real server instead of its fake.
//
// auth  The shipped Worker, the auth server of Supabase (GoTrue) and Debian's PostgreSQL with a hosted
//       project's roles and limits, set up from supabase/. Only Google, Stripe and the mail server are
//       fakes. What it needs and how to get that it says itself; it skips nothing.
//
// What a real server says and its fake does not belongs into the fake too: test/real finds it, npm test
// keeps it. Ports are from TEST_PORT_BASE, as in the other tests.
import { spawnSync } from "node:child_process";
import { PlainFailure } from "../../local/terminal.mjs";
import { findRequirements } from "./auth/requirements.ts";

const proofs: Record<string, () => unknown> = { auth: findRequirements };

const [name = "", ...others] = process.argv.slice(2);
const check = proofs[name];
if (!check) {
  const known = Object.keys(proofs).join(" or ");
  console.error(`Say what is to be proven against the real server: npm run proof:real ${known}`);
  process.exit(2);
}
try {
  check();
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exit(1);
}
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", `real-${name}`, ...others];
process.exit(spawnSync(process.execPath, vitest, { stdio: "inherit" }).status ?? 1);
