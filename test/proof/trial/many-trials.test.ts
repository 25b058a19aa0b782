import { afterAll, beforeAll, expect, test } from "vitest";
import { startSiteWithoutRateLimits } from "../../support/attacks/site-without-rate-limits.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { inTrial } from "../../support/trial/begin-trial.ts";

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
/** A machine of tests has two cores for the database, the Workers and all visitors. */
const atOnce = 10;

test("200 trials beside each other all begin, cost what 200 cost, and a customer's pages and reports go on", async () => {
  const customer = await serverCustomer(site, "pro");
  const server = await customer.connect("i-1");
  let isOver = false;
  const begun = inParallel(Array.from({ length: count }), atOnce, () => inTrial(site.url)).finally(
    () => {
      isOver = true;
    },
  );
  const answers: number[] = [];
  for (let seq = 2; !isOver; seq += 1) {
    const [page, report] = await Promise.all([
      customer.browser.request("/dashboard"),
      server.report(seq),
    ]);
    answers.push(page.status, report.status);
  }
  const visitors = await begun;
  expect(new Set(answers)).toEqual(new Set([200]));
  const workspaces = await runSql<{ id: string }>("select workspace_id as id from public.trials");
  expect(workspaces).toHaveLength(count);
  expect(await runSql("select from public.fleets")).toHaveLength(count + 1);
  const fleets = await Promise.all(workspaces.map(({ id }) => site.fleetCounts(id)));
  const rows = fleets.reduce((sum, each) => sum + each.rows + each.alarmsSet, 0);
  expect(rows).toBeLessThanOrEqual(count * 230);
  // Nobody but the customer's own fleet is told of silence, and what one sees is theirs.
  const pages = await Promise.all(
    visitors.slice(0, 20).map(async (visitor) => (await visitor.request("/dashboard")).text()),
  );
  for (const page of pages) expect(page).toContain("sfu-frankfurt-1");
  const idsIn = (page: string) => page.match(/servers\/[0-9a-f-]{36}/g) ?? [];
  const ids = pages.map((page) => [...new Set(idsIn(page))]);
  expect(new Set(ids.flat()).size).toBe(pages.length * 3);
});

test("an hour lets in three hundred, whatever networks they come from", async () => {
  await runSql(
    "update public.code_tries set tries = 300 where subject_hash = public.code_try_subject('trial of everybody')",
  );
  await expect(inTrial(site.url)).rejects.toThrow("429");
});
