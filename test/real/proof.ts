// `npm run proof:real auth`, `media`, `call` or `stripe`: against real servers instead of fakes.
//
// auth  The shipped Worker, the auth server of Supabase (GoTrue) and Debian's PostgreSQL with a hosted
//       project's roles and limits, set up from supabase/. Only Google, Stripe and the mail server are
//       fakes.
// media A bundle on a booted machine: systemd, Docker, LiveKit, Caddy, Redis and a certificate authority in
//       network namespaces behind a NAT, a client that counts what arrives, and the machine's own scripts.
// call  The test call of the console: the shipped Worker, a LiveKit server, and Chromium with a microphone that beeps.
//
// stripe Every request that the site, stripe:setup and the tests send to the fake of Stripe, sent to
//       stripe-mock, which holds it against Stripe's description of its API; and every answer and event of the
//       fake held against the same description.
//
// What they need and how to get that they say themselves; they skip nothing. With `-- --needs` they say only that.
//
// What a real server says and its fake does not belongs into the fake too: test/real finds it, npm test
// keeps it. Ports are from TEST_PORT_BASE, as in the other tests.
import { spawnSync } from "node:child_process";
import { PlainFailure } from "../../scripts/lib/terminal.mjs";
import { findRequirements } from "./auth/requirements.ts";
import { findLivekitServer } from "./call/requirements.ts";
import { findMediaRequirements } from "./media/requirements.ts";
import { findStripeRequirements } from "./stripe/requirements.ts";

const proofs: Record<string, () => unknown> = {
  auth: findRequirements,
  media: findMediaRequirements,
  call: findLivekitServer,
  stripe: findStripeRequirements,
};

const [name = "", ...others] = process.argv.slice(2);
const check = proofs[name];
if (!check) {
  const proofNames = Object.keys(proofs).join(" or ");
  console.error(
    `Say what is to be proven against the real server: npm run proof:real ${proofNames}`,
  );
  process.exit(2);
}
const needsAlone = others.includes("--needs");
try {
  check();
  if (needsAlone) console.log("Everything that it needs is there.");
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exit(1);
}
if (needsAlone) process.exit(0);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", `real-${name}`, ...others];
process.exit(spawnSync(process.execPath, vitest, { stdio: "inherit" }).status ?? 1);
