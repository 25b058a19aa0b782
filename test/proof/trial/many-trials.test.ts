import { afterAll, beforeAll, expect, test } from "vitest";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { randomAddress } from "../../support/site/network-address.ts";

let site: Awaited<ReturnType<typeof startSiteWithoutRateLimits>>;
beforeAll(async () => {
  await resetFakes();
  site = await startSiteWithoutRateLimits();
});
afterAll(async () => {
  await site?.[Symbol.asyncDispose]();
  await resetFakes();
});

const count = 200;
/** What a network may press in an hour. */
const pressLimit = 5;
/** How many requests read what was made, at a time. */
const atOnce = 10;

/** Without a connection of its own: one that idles is closed as a request may arrive. */
async function ask(path: string, { address, cookie = "", method = "GET" }: Sender) {
  const headers = { origin: site.url, "cf-connecting-ip": address, cookie };
  const {
    status,
    headers: answered,
    body,
  } = await site.askAt(site.url + path, { method, headers });
  const set = answered.getSetCookie().map((line) => line.split(";")[0] ?? "");
  return { status, body, location: answered.get("location"), cookie: set.join("; ") };
}
type Sender = { address: string; cookie?: string; method?: string };

/**
 * Begins a trial as a visitor does: who is answered that none can be opened right now, as a machine of tests may answer to
 * two hundred in one moment, presses again with the cookies of that answer.
 */
async function begin() {
  const address = randomAddress();
  let presses = 0;
  let cookie = "";
  for (;;) {
    const answer = await ask("/try", { address, cookie, method: "POST" });
    cookie = answer.cookie || cookie;
    presses += 1;
    if (answer.status === 503 && presses < pressLimit) continue;
    expect([answer.status, answer.location]).toEqual([303, "/dashboard"]);
    return { address, cookie, presses };
  }
}

test("200 trials that begin in one moment cost what 200 cost, and a customer's server reports on", async () => {
  const customer = await serverCustomer(site, "pro");
  const server = await customer.connect("i-1");
  let hasBegun = false;
  const beginAll = async () => {
    const trials = await Promise.all(Array.from({ length: count }, begin));
    hasBegun = true;
    return trials;
  };
  let reports = 1;
  const report = async () => (await server.report(++reports)).status;
  // The tests' own way into the Worker breaks off under this load; a machine then sends its next report.
  const reportMeanwhile = async () => {
    const statuses: number[] = [];
    while (!hasBegun) statuses.push(await report().catch(() => 0));
    return statuses;
  };
  const [begun, answers] = await Promise.all([beginAll(), reportMeanwhile()]);
  expect(answers).toContain(200);
  // A machine that reports too often for a moment is refused then, and is lost to nobody.
  expect([...new Set(answers)].filter((status) => ![0, 200, 429].includes(status))).toEqual([]);
  const workspaces = await runSql<{ id: string }>("select workspace_id as id from public.trials");
  expect(workspaces).toHaveLength(count);
  // An object for each, and the customer's. That of its sessions is not there before somebody opens them.
  expect(await runSql("select from public.fleets")).toHaveLength(count + 1);
  const fleets = await inParallel(workspaces, atOnce, ({ id }) => site.fleetCounts(id));
  const rows = fleets.reduce((sum, each) => sum + each.rows + each.alarmsSet, 0);
  expect(rows).toBeLessThanOrEqual(count * 250);

  // What each sees is its own.
  const pages = await inParallel(begun.slice(0, 20), atOnce, (trial) => ask("/dashboard", trial));
  const ids = pages.map(({ body }) => new Set(body.match(/servers\/[0-9a-f-]{36}/g)));
  const servers = ids.flatMap((each) => [...each]).map((each) => each.slice("servers/".length));
  const histories = await inParallel(servers, atOnce, (id) => site.historyCounts(id));
  expect(histories.filter(({ rows, alarmsSet }) => rows + alarmsSet > 0)).toEqual([]);
  expect(ids.map(({ size }) => size)).toEqual(pages.map(() => 3));
  expect(new Set(ids.flatMap((each) => [...each])).size).toBe(pages.length * 3);
});

test("an hour lets in three hundred, whatever networks they come from", async () => {
  // The next hour of the clock, too: it may begin before the test ends.
  await runSql("update public.code_tries set tries = 300 where kind like 'trial-all %'");
  await runSql(
    `insert into public.code_tries (subject_hash, kind, tries, since)
     select subject_hash, 'trial-all ' || (split_part(kind, ' ', 2)::int + 1), tries, now()
     from public.code_tries where kind like 'trial-all %' on conflict do nothing`,
  );
  const refused = await ask("/try", { address: randomAddress(), method: "POST" });
  expect([refused.status, refused.cookie]).toEqual([429, ""]);
});
