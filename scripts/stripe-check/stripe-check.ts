// Walks through the site's requests in a Stripe account of test mode, and asks Stripe about the rules of its fake that
// nobody has confirmed. Exit codes: 0 all as expected, 1 something differs, 2 called wrongly.
// Run as `node -- scripts/stripe-check/stripe-check.ts`: without the dashes Node takes --env-file for its own.
import Stripe from "stripe";
import type { Rule } from "../../fakes/stripe/rules/rule.ts";
import { type RuleName, rules } from "../../fakes/stripe/rules/rules.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { readSettings, required, runCommand, UsageError } from "../lib/settings.ts";
import { PlainFailure } from "../lib/terminal.mjs";
import { walk } from "./flow.ts";
import { flows } from "./flows.ts";
import type { Attempt } from "./refusals/attempt.ts";
import { attempts } from "./refusals/attempts.ts";
import { openSandbox, type Sandbox } from "./sandbox.ts";

const usage = "npm run stripe:check -- [--env-file FILE]";
const { values } = readCommandLine({
  usage,
  about: `Walks through the site's requests in a Stripe account of test mode, asks it about what nobody has confirmed, and
deletes what it made. It refuses a live key, and takes nine minutes at most.`,
  options: {
    "env-file": {
      type: "string",
      value: "FILE",
      help: "has STRIPE_SECRET_KEY, a key of test mode",
    },
  },
});
/** Nothing new is begun after this; what was made is then taken away. */
const maxMinutes = 9;

await runCommand(usage, async () => {
  process.exitCode = await run(readClient());
});

function readClient(): Stripe {
  const settings = readSettings(values["env-file"]);
  const key = required(settings, "STRIPE_SECRET_KEY");
  if (/^(sk|rk)_live_/.test(key))
    throw new UsageError(
      "STRIPE_SECRET_KEY is a live key. This makes and deletes customers, so it runs in test mode only.",
    );
  if (!/^(sk|rk)_test_/.test(key))
    throw new UsageError("STRIPE_SECRET_KEY must be a key of test mode: sk_test_… or rk_test_…");
  const url = new URL(settings("STRIPE_API_URL") ?? "https://api.stripe.com");
  return new Stripe(key, {
    host: url.hostname,
    port: url.port || (url.protocol === "https:" ? "443" : "80"),
    protocol: url.protocol === "https:" ? "https" : "http",
    telemetry: false,
  });
}

async function run(stripe: Stripe): Promise<0 | 1> {
  const until = Date.now() + maxMinutes * 60_000;
  const sandbox = await open(stripe);
  let isAsExpected = true;
  try {
    for (const flow of flows) {
      if (Date.now() > until) break;
      const differences = await walk(flow, sandbox);
      console.log(`${differences.length === 0 ? "✓ as expected" : "✗ otherwise"}: ${flow.name}`);
      for (const difference of differences) console.log(`  ${difference}`);
      if (differences.length > 0) isAsExpected = false;
    }
    console.log("\nRules of the fake that nobody has confirmed:\n");
    for (const name of unconfirmed()) {
      if (Date.now() > until) break;
      const { words, isAsInFake } = await answerOf(name, sandbox);
      console.log(`${name}: ${words}`);
      if (!isAsInFake) isAsExpected = false;
    }
    if (Date.now() > until) {
      isAsExpected = false;
      console.log(`\nAfter ${maxMinutes} minutes the rest was left out.`);
    }
  } finally {
    const failures = await sandbox.clear();
    for (const failure of failures) console.log(`Not taken away: ${failure}`);
    console.log(
      "\nWhat this made is deleted; prices and products, which Stripe keeps, are archived.",
    );
  }
  return isAsExpected ? 0 : 1;
}

async function open(stripe: Stripe): Promise<Sandbox> {
  try {
    return await openSandbox(stripe);
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    throw new PlainFailure(`✗ Nothing could be made in the account: ${error.message}`);
  }
}

function unconfirmed(): RuleName[] {
  const names = Object.keys(rules) as RuleName[];
  return names.filter((name) => rules[name].evidence === "unconfirmed");
}

type Answer = { words: string; isAsInFake: boolean };

/** What Stripe says to a request that the fake refuses, and to its neighbour. */
async function answerOf(name: RuleName, sandbox: Sandbox): Promise<Answer> {
  const attempt = (attempts as Partial<Record<RuleName, Attempt>>)[name];
  if (!attempt)
    return { words: "not tried: it needs time, or a setting of the dashboard", isAsInFake: true };
  try {
    const { refused, taken } = await attempt(sandbox);
    const answer = await refused().then(
      () => ({ words: "Stripe takes it, and the fake does not", isAsInFake: false }),
      (error: unknown) => comparison(rules[name], error),
    );
    await taken();
    return answer;
  } catch (error) {
    const why = error instanceof Error ? error.message : String(error);
    return { words: `could not be tried: ${why}`, isAsInFake: false };
  }
}

function comparison(rule: Rule, error: unknown): Answer {
  if (!(error instanceof Stripe.errors.StripeError)) throw error;
  const { statusCode, code, param, message } = error;
  const said = `${statusCode} ${code ?? "without a code"}, ${param ?? "no parameter"}: ${message}`;
  const isAsInFake = statusCode === rule.status && code === rule.code;
  return { words: `refused ${isAsInFake ? "as in the fake" : "otherwise"}. ${said}`, isAsInFake };
}
