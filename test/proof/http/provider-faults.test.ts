import { afterAll, beforeAll, expect, test } from "vitest";
import { orderButton } from "../../support/billing/order.ts";
import { expectRecordsToEqualStripe } from "../../support/billing/records.ts";
import { payOnHostedPage, stripe } from "../../support/billing/stripe-account.ts";
import { deliver } from "../../support/billing/webhook-delivery.ts";
import { database } from "../../support/database/database.ts";
import { faults, quickFaults } from "../../support/faults/fault-proxy.ts";
import { type SiteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import type { Provider, Users } from "../../support/provider-faults/route-case.ts";
import {
  atATime,
  forEverybody,
  isNamed,
  nameOf,
  partOf,
  problemsOf,
  providers,
  routeCases,
  runCases,
} from "../../support/provider-faults/run-cases.ts";
import { newcomer, owner } from "../../support/provider-faults/users.ts";
import { resetFakes, settledStripeEvents } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { pollUntil } from "../../support/site/poll.ts";
import { Visitor } from "../../support/site/visitor.ts";

const other = "customer.two@example.com";

let site: SiteWithFaults;
let well: Users;
/** For each quick fault a pair of users, so that all faults can happen at the same time. */
let injected: (readonly [Users, (typeof quickFaults)[number]])[];

beforeAll(async () => {
  await resetFakes();
  site = await startSiteWithFaults();
  const pair = async (name: string): Promise<Users> => ({
    // Disconnecting ends all tokens of an account: one that is well has another account at Google.
    owner: await owner(
      site.url,
      `owner.${name}@example.com`,
      name === "well" ? other : googleEmail,
    ),
    newcomer: await newcomer(site.url, `newcomer.${name}@example.com`),
  });
  well = await pair("well");
  injected = [];
  // One after the other: the auth server's fake refuses some of many sign-ins at the same time.
  for (const fault of quickFaults) injected.push([await pair(fault.replaceAll(" ", ".")), fault]);
  await settledStripeEvents();
});

afterAll(() => site?.[Symbol.asyncDispose]());

test("with every provider well each step succeeds, and asks exactly those whose failure is described", async () => {
  const ways = { stripe: site.stripeProxy, google: site.googleProxy, mail: site.mailProxy };
  const requestsOf = (provider: Provider) =>
    provider === "auth" || provider === "database"
      ? site.supabaseProxy.requests.filter((request) => partOf(request) === provider)
      : ways[provider].requests;
  const problems: string[] = [];
  for (const step of routeCases) {
    site.recover();
    const requested = () => providers.filter((provider) => requestsOf(provider).length > 0).sort();
    const expected = [step.usual, ""] as const;
    problems.push(...(await problemsOf(step.send(well), { expected, occasion: nameOf(step) })));
    const described = providers.filter((provider) => step.fails[provider]).sort();
    // A mail leaves, and Google's token is revoked, after the answer.
    for (const later of ["mail", "google"] as const) {
      if (described.includes(later)) await pollUntil(requested, (seen) => seen.includes(later));
    }
    if (requested().join() !== described.join())
      problems.push(`${nameOf(step)} asks ${requested()}`);
    // A fault of one's own is met where the request says whose it is. Whom Stripe knows already it is not told again.
    const unmet = described
      .filter((provider) => provider === "auth" || provider === "database")
      .filter((provider) => !isNamed(requestsOf(provider), well));
    if (!step.nameless && unmet.length > 0) {
      problems.push(`${nameOf(step)} says to ${unmet} nothing of who asks`);
    }
  }
  expect(problems).toEqual([]);
});

test("with every provider silent the public pages and files are as always, and ask nobody", async () => {
  for (const way of [site.supabaseProxy, site.stripeProxy, site.googleProxy, site.mailProxy]) {
    way.behave(faults.silence);
  }
  expect(forEverybody.length).toBeGreaterThan(15);
  const open = [...forEverybody.map(({ path }) => path), "/signin", "/signup", "/success"];
  const expected = [200, ""] as const;
  const problems = await inParallel(open, atATime, async (path) => {
    const stranger = new Visitor(site.url);
    const problems = await problemsOf(stranger.request(path), { expected, occasion: path });
    if (/^\/sign(in|up)$/.test(path)) return problems;
    const signedIn = well.owner.browser.twin().request(path);
    const occasion = `${path}, signed in,`;
    return [...problems, ...(await problemsOf(signedIn, { expected, occasion }))];
  });
  expect(problems.flat()).toEqual([]);
  expect([site.supabaseProxy.requests, site.stripeProxy.requests]).toEqual([[], []]);
  site.recover();
});

const endsInTime = "however %s fails, every step that asks it ends in time, in the right words";

test.for(["auth", "database", "stripe"] as const)(endsInTime, async (provider) => {
  expect(await runCases(site, provider, injected)).toEqual([]);
});

test("after every fault each newcomer still pays once: one customer, one checkout, one charge", async () => {
  await inParallel(injected, 4, async ([{ newcomer }, fault]) => {
    const buyAsGuest = () =>
      new Visitor(site.url).post("/pricing", { plan: "basic", attempt: newcomer.attempt });
    const pages = [await buyAsGuest(), await buyAsGuest()].map(({ headers }) =>
      headers.get("location"),
    );
    expect.soft([fault, pages[0]]).toEqual([fault, pages[1]]);

    const order = await orderButton(newcomer.browser.twin(), newcomer.userId);
    const sessions = await Promise.all(
      [await order(), await order()].map(
        async (answer) => (await answer.json()) as { url: string },
      ),
    );
    expect.soft([fault, sessions[0]]).toEqual([fault, sessions[1]]);
    const customers = (await stripe.customers.list({ limit: 100 })).data.filter(
      ({ metadata }) => metadata.user_id === newcomer.userId,
    );
    expect.soft([fault, customers.length]).toEqual([fault, 1]);
    const customer = customers[0]?.id ?? "";
    const { data: stored } = await database
      .from("customers")
      .select("id")
      .eq("user_id", newcomer.userId);
    expect.soft([fault, stored]).toEqual([fault, [{ id: customer }]]);
    const open = await stripe.checkout.sessions.list({ customer, status: "open" });
    expect.soft([fault, open.data.length]).toEqual([fault, 1]);

    // A customer who was led to several pages may pay on each.
    for (const url of new Set(sessions.map(({ url }) => url))) await payOnHostedPage(url);
    expect.soft([fault, (await order()).status]).toEqual([fault, 409]);
    const charges = (await stripe.invoices.list({ customer })).data.map(({ status }) => status);
    expect.soft([fault, charges]).toEqual([fault, ["paid"]]);
    await settledStripeEvents();
    await expectRecordsToEqualStripe(customer);
  });
});

test("after every fault an event is stored as soon as Stripe sends it again, once", async () => {
  await inParallel(injected, atATime, async ([{ owner }]) => {
    for (const outcome of ["Handled", "Already handled"]) {
      const response = await deliver(owner.event, { siteUrl: site.url });
      expect([response.status, await response.json()]).toEqual([200, { outcome }]);
    }
    await expectRecordsToEqualStripe(owner.customer);
  });
});

// Last, since an account is deleted without Google's help, and then its owner cannot go on.
test.for(["mail", "google"] as const)(endsInTime, async (provider) => {
  expect(await runCases(site, provider, injected)).toEqual([]);
});
