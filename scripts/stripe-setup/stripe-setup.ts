// Puts into a real Stripe account what the site needs. Exit codes: 0 done, 1 failed or something is left to do by
// hand, 2 called wrongly.
// Run as `node -- scripts/stripe-setup/stripe-setup.ts`: without the dashes Node takes --env-file for its own.
import Stripe from "stripe";
import { stripeClient } from "../../app/features/billing/stripe/stripe.server.ts";
import { type TaxSetting, taxSettings } from "../../app/platform/env/price-terms.ts";
import { readCommandLine } from "../lib/command-line.ts";
import { readSettings, required, runCommand, type Settings, UsageError } from "../lib/settings.ts";
import { PlainFailure } from "../lib/terminal.mjs";
import { examine, type Finding, type Variables } from "./findings.ts";

const usage = "npm run stripe:setup -- [--env-file FILE] [--dry-run] [--live]";
const { values } = readCommandLine({
  usage,
  about: `Puts products, prices, portal and webhook into a Stripe account, and says which variables the site then needs.
What is there already is left as it is. To see it without an account, beside a running npm start:
npm run stripe:setup -- --env-file .dev.vars --dry-run`,
  options: {
    "env-file": { type: "string", value: "FILE", help: "has STRIPE_SECRET_KEY and SITE_URL" },
    "dry-run": {
      type: "boolean",
      default: false,
      help: "says what it would change, and changes nothing",
    },
    live: { type: "boolean", default: false, help: "must stand beside a live key" },
  },
});
const stripeApi = "https://api.stripe.com";

const keyMissing = `STRIPE_SECRET_KEY is missing. Set it, or name a file that has it: --env-file FILE.
To try it without an account, beside a running npm start: npm run stripe:setup -- --env-file .dev.vars --dry-run`;

type Call = { siteUrl: string; apiUrl: string; key: string; tax: TaxSetting; dryRun: boolean };

await runCommand(usage, () => run(readCall()));

function readCall(): Call {
  const settings = readSettings(values["env-file"]);
  const key = settings("STRIPE_SECRET_KEY");
  if (!key) throw new UsageError(keyMissing);
  if (!/^(sk|rk)_/.test(key)) {
    throw new UsageError("STRIPE_SECRET_KEY must be a secret or restricted key: sk_… or rk_…");
  }
  const isLive = /^(sk|rk)_live_/.test(key);
  if (isLive && !values.live) {
    throw new UsageError("STRIPE_SECRET_KEY is a live key: add --live to change the real account.");
  }
  if (!isLive && values.live) {
    throw new UsageError("--live was given, but STRIPE_SECRET_KEY is no live key.");
  }
  const apiUrl = settings("STRIPE_API_URL") ?? stripeApi;
  const tax = readTaxSetting(settings);
  return { siteUrl: readSiteUrl(settings, apiUrl), apiUrl, key, tax, dryRun: values["dry-run"] };
}

/** The site's own setting: it decides what the prices say about tax. */
function readTaxSetting(settings: Settings): TaxSetting {
  const given = settings("STRIPE_AUTOMATIC_TAX") ?? "off";
  const found = taxSettings.find((setting) => setting === given);
  if (found) return found;
  throw new UsageError(`STRIPE_AUTOMATIC_TAX must be off, included or added, not "${given}".`);
}

function readSiteUrl(settings: Settings, apiUrl: string): string {
  const given = required(settings, "SITE_URL");
  const url = URL.parse(given);
  if (!url || !/^https?:$/.test(url.protocol)) {
    throw new UsageError(`SITE_URL must be an https URL, not "${given}".`);
  }
  if (apiUrl === stripeApi && url.protocol !== "https:") {
    throw new UsageError(
      `SITE_URL must be the public https address of the site: Stripe cannot deliver to ${given}.`,
    );
  }
  return url.href.replace(/\/$/, "");
}

async function run({ siteUrl, apiUrl, key, tax, dryRun }: Call): Promise<void> {
  const stripe = stripeClient({ STRIPE_API_URL: apiUrl, STRIPE_SECRET_KEY: key });
  const variables: Variables = new Map();
  const findings = await explained(apiUrl, "The account could not be read", () =>
    examine(stripe, { siteUrl, tax }, variables),
  );

  const conflicts = findings.filter((finding) => finding.state === "conflict");
  if (conflicts.length > 0) {
    const sentences = conflicts.map(({ sentence }) => `✗ ${sentence}`);
    throw new PlainFailure([...sentences, "Nothing was changed."].join("\n"));
  }
  for (const finding of findings) await settle(finding, dryRun, apiUrl);

  const pending = findings.filter(({ state }) => state !== "as wanted").length;
  if (pending === 0) console.log("\nEverything was there already: nothing was changed.");
  else if (dryRun) console.log("\nDry run: nothing was written.");
  printVariables(variables, dryRun);
  // What only a person can put right is no success.
  if (findings.some((finding) => finding.state === "as wanted" && finding.note))
    process.exitCode = 1;
}

async function settle(finding: Finding, dryRun: boolean, apiUrl: string): Promise<void> {
  if (finding.state === "conflict") return;
  if (finding.state === "as wanted") {
    console.log(`✓ unchanged: ${finding.what}`);
    if (finding.note) console.log(`  ${finding.note}`);
    return;
  }
  const [past, plan] =
    finding.state === "to create" ? ["created", "create"] : ["changed", "change"];
  if (dryRun) {
    console.log(`+ would ${plan}: ${finding.what}`);
    return;
  }
  await explained(apiUrl, `Could not ${plan} the ${finding.what}`, finding.carryOut);
  console.log(`+ ${past}: ${finding.what}`);
}

/** Does something at Stripe; its refusal becomes one line that says what was tried. */
async function explained<Result>(
  apiUrl: string,
  attempt: string,
  work: () => Promise<Result>,
): Promise<Result> {
  try {
    return await work();
  } catch (error) {
    if (!(error instanceof Stripe.errors.StripeError)) throw error;
    const reason =
      error instanceof Stripe.errors.StripeConnectionError
        ? `${apiUrl} did not answer.`
        : error.message;
    throw new PlainFailure(`✗ ${attempt}: ${reason}`);
  }
}

function printVariables(variables: Variables, dryRun: boolean): void {
  if (variables.size > 0) {
    const lines = [...variables].map(([name, value]) => `${name}=${value}`);
    console.log(`\nThe site needs these variables:\n\n${lines.join("\n")}`);
  }
  if (variables.has("STRIPE_WEBHOOK_SECRET")) {
    console.log(
      "\nSTRIPE_WEBHOOK_SECRET is shown this once. Keep it now: npx wrangler secret put STRIPE_WEBHOOK_SECRET",
    );
  } else if (!dryRun) {
    console.log(
      "\nSTRIPE_WEBHOOK_SECRET stays what it is. Stripe shows it under Developers, Webhooks.",
    );
  }
}
