// `npm run proof:real auth`, `media`, `cluster`, `call`, `agents`, `api`, `stripe`, `terraform` or `kubernetes`:
// against real servers instead of fakes.
//
// auth  The shipped Worker, the auth server of Supabase (GoTrue) and Debian's PostgreSQL with a hosted
//       project's roles and limits, set up from supabase/. Only Google, Stripe and the mail server are
//       fakes.
// media A bundle on a booted machine: systemd, Docker, LiveKit, Caddy, Redis and a certificate authority in
//       network namespaces behind a NAT, a client that counts what arrives, and the machine's own scripts.
//
// cluster Machines booted in the same way: an edge with Caddy and Redis, and four for calls, on a private network. People with
//       LiveKit's SDK for Go call through the edge while machines join, leave, drain, update and die, and Redis goes away.
//       The owner's computer has cluster.sh of the zip; in place of SSH it enters the machines' namespaces. Then three machines
//       that are all alike behind HAProxy, which asks them as a provider's balancer does, with a Redis outside of them.
// call  The test call of the console: the shipped Worker, a LiveKit server, and Chromium with a microphone that beeps.
//
// agents Sessions of LiveKit's Agents SDKs with a made-up model and voice, a LiveKit server, the bundle's Caddy and its
//       receiver, and Chromium, which plays the sound. AGENT_SESSIONS says how many of each SDK: twenty without it.
//
// api   The workspace's API under ten minutes of calls that schemathesis draws from its description.
//
// stripe Every request that the site, stripe:setup and the tests send to the fake of Stripe, sent to
//       stripe-mock, which holds it against Stripe's description of its API; and every answer and event of the
//       fake held against the same description.
//
// terraform Every form of main.tf of a bundle: `terraform fmt` and `terraform validate` with the program of each provider,
//       what another machine of a cluster adds and changes, and what these programs take held against what the tests know
//       of it. With -u the tests learn it anew.
//
// kubernetes What Helm and kustomize make of LiveKit's charts and the files of /docs/kubernetes, held against what the tests
//       know of it; Kubernetes' API and its planner, without containers; and the LiveKit server with what a pod would have.
//       With -u the tests learn it anew.
//
// What they need and how to get that they say themselves; they skip nothing. With `-- --needs` they say only that. With
// `-- --record` a run of all tests of one, in which none failed, is written into app/content/runs.json, for the page /proof.
//
// What a real server says and its fake does not belongs into the fake too: test/real finds it, npm test
// keeps it. Ports are from TEST_PORT_BASE, as in the other tests.
import { spawnSync } from "node:child_process";
import { pinned } from "../../app/features/deployments/bundle/versions.ts";
import { asksForHelp, helpOf } from "../../scripts/lib/command-line.ts";
import { PlainFailure } from "../../scripts/lib/terminal.mjs";
import { recordTests } from "../support/run/record-run.ts";
import { refuseUnknown } from "../support/run/vitest-options.ts";
import { findAgentSdks } from "./agents/requirements.ts";
import { findSchemathesis } from "./api/requirements.ts";
import { findRequirements } from "./auth/requirements.ts";
import { findCallPrograms } from "./call/requirements.ts";
import { findClusterRequirements } from "./cluster/requirements.ts";
import { findKubernetes } from "./kubernetes/requirements.ts";
import { findMediaRequirements } from "./media/requirements.ts";
import { findStripeRequirements } from "./stripe/requirements.ts";
import { findTerraform } from "./terraform/requirements.ts";

const versionsOf = (...components: (keyof typeof pinned)[]) =>
  Object.fromEntries(components.map((component) => [component, pinned[component].tag]));

type Proof = {
  /** Looks for what the proof needs. */
  check: () => unknown;
  /** The versions of the real programs that take part. */
  versions: () => Record<string, string>;
};

const proofs: Record<string, Proof> = {
  auth: { check: findRequirements, versions: () => ({}) },
  media: { check: findMediaRequirements, versions: () => findMediaRequirements().versions },
  cluster: {
    check: () => findClusterRequirements(),
    versions: () => findClusterRequirements().versions,
  },
  call: { check: findCallPrograms, versions: () => versionsOf("livekit", "caddy") },
  agents: { check: findAgentSdks, versions: () => versionsOf("livekit", "caddy") },
  api: { check: findSchemathesis, versions: () => ({}) },
  stripe: { check: findStripeRequirements, versions: () => ({}) },
  terraform: { check: findTerraform, versions: () => ({}) },
  kubernetes: { check: findKubernetes, versions: () => versionsOf("livekit") },
};

if (asksForHelp(process.argv.slice(2))) {
  console.log(
    helpOf({
      usage:
        "npm run proof:real auth | media | cluster | call | agents | api | stripe | terraform | kubernetes [-- OPTIONS OF VITEST]",
      about: `Tests against real servers instead of fakes: the auth server with PostgreSQL, a machine with LiveKit behind a NAT, a
cluster of machines, a test call in Chromium, agents that record, calls that schemathesis draws, Stripe's description of its API,
Terraform with the programs of providers, or LiveKit's charts with Kubernetes' API. Each takes 5 to 90 minutes, and says what it needs.`,
      options: {
        needs: { type: "boolean", help: "says only what it needs" },
        record: {
          type: "boolean",
          help: "writes a run without failures into app/content/runs.json",
        },
      },
    }),
  );
  process.exit(0);
}
const [name = "", ...others] = process.argv.slice(2);
refuseUnknown([name, ...others].filter((word) => !["--needs", "--record"].includes(word)));
const proof = proofs[name];
if (!proof) {
  const proofNames = Object.keys(proofs).join(" or ");
  console.error(
    `Say what is to be proven against the real server: npm run proof:real ${proofNames}`,
  );
  process.exit(2);
}
const needsAlone = others.includes("--needs");
try {
  proof.check();
  if (needsAlone) console.log("Everything that it needs is there.");
} catch (error) {
  console.error(error instanceof PlainFailure ? error.message : error);
  process.exit(1);
}
if (needsAlone) process.exit(0);
const vitest = ["node_modules/vitest/vitest.mjs", "run", "--project", `real-${name}`];
if (others.includes("--record")) {
  if (others.length > 1) {
    console.error("A run is recorded whole: say --record alone.");
    process.exit(2);
  }
  const command = `npm run proof:real ${name}`;
  process.exit(await recordTests(name, vitest, { command, versions: proof.versions() }));
}
vitest.push(...others);
process.exit(spawnSync(process.execPath, vitest, { stdio: "inherit" }).status ?? 1);
