import type { Browser } from "../../lib/browser.ts";
import { hiddenFields } from "../../lib/page-forms.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

const day = 24 * 60 * 60;
const card = "4242 4242 4242 4242";

/**
 * Puts the clock of Stripe's fake seven months back; answers the time at which it should go on, in seconds. That is
 * possible only while nobody has bought anything there.
 */
export async function beginInThePast(stripeUrl: string): Promise<number> {
  const { now } = (await (await fetch(`${stripeUrl}/_local/clock`)).json()) as { now: number };
  const response = await control(stripeUrl, "clock", { startAt: now - 210 * day });
  if (response.ok) return now;
  throw new PlainFailure(
    "Somebody has bought a plan here already, so the months before today cannot be made up any more. Empty the local data with npm run reset, then run npm run seed again.",
  );
}

/** Buys Basic, pays for five months, changes to Pro, and comes to the present. */
export async function buyAndUpgrade(
  browser: Browser,
  stripeUrl: string,
  existingCount: number,
): Promise<void> {
  const start = await browser.post("/pricing", { plan: "basic" });
  const hosted = start.headers.get("location");
  if (!hosted?.startsWith(stripeUrl)) {
    throw new PlainFailure(`The checkout did not start: ${start.status}.`);
  }
  await browser.arrive(await browser.post(hosted, { card }), hosted);
  await moveClock(stripeUrl, existingCount - 60 * day);

  const path = "/dashboard/plan?to=pro";
  const page = await (await browser.request(path)).text();
  const changed = await browser.post(path, hiddenFields(page, "intent", "change"));
  if (!changed.headers.get("location")?.includes("done=changed")) {
    throw new PlainFailure(`The change to Pro was answered with ${changed.status}.`);
  }
  await moveClock(stripeUrl, existingCount);
}

/** Moves the clock on, and waits until the webhooks of all that happened meanwhile were delivered. */
async function moveClock(stripeUrl: string, to: number): Promise<void> {
  const response = await control(stripeUrl, "clock", { advanceTo: to });
  if (!response.ok) throw new PlainFailure(`Stripe's fake said: ${await response.text()}`);
  await (await fetch(`${stripeUrl}/_local/events?settled=true`)).json();
}

function control(stripeUrl: string, name: string, body: object): Promise<Response> {
  return fetch(`${stripeUrl}/_local/${name}`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(body),
  });
}
