import { beforeEach, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { faults, startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { serverCustomer, updateFleets } from "../../support/servers/server-customer.ts";
import { startSiteWithoutFleets } from "../../support/servers/site-without-fleets.ts";
import { fakes, resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";
import { personalWorkspace } from "../../support/workspaces/workspaces.ts";

beforeEach(resetFakes);

test("while PostgreSQL is down servers report all the same, and the cron makes up for what it missed", async () => {
  const proxy = await startFaultProxy(fakes().supabase.url);
  await using worker = await startOwnWorker((siteUrl) => ({
    ...exampleVariables({ siteUrl, portBase }),
    SUPABASE_URL: proxy.url,
  }));
  const { connect, workspace, askForToken } = await serverCustomer(worker, "pro");
  const server = await connect("i-first");
  proxy.behave(faults["cut off"]);
  for (let minutes = 0; minutes < 60; minutes += 5) {
    await worker.moveFleetClock(workspace, 5 * 60_000);
    expect(await server.report(minutes + 1)).toMatchObject({ status: 200 });
  }
  await worker.runScheduled();
  expect(await askForToken()).toMatchObject({ token: "" });
  expect(await runSql("select from public.servers")).toEqual([]);
  proxy.behave();
  await updateFleets(worker);
  expect(await runSql("select id, name from public.servers")).toEqual([
    { id: server.server, name: "sfu-1" },
  ]);
});

test("while the servers Worker is away a page names its servers, no token is made, and the cron asks again in a minute", async () => {
  await using site = await startSiteWithoutFleets();
  const email = "owner@example.com";
  const { browser } = await newcomer(site.url, email);
  await browser.request("/dashboard");
  await storePlan(email, "pro");
  const deployment = await storeDeployment(email, fullOptions());
  const { id: workspace } = await personalWorkspace(email);
  await runSql("insert into public.fleets (workspace_id) values ($1)", [workspace]);
  const existing = { id: crypto.randomUUID(), workspace, deployment, name: "sfu-known" };
  await runSql("select public.settle_fleets($1)", [
    JSON.stringify([{ ...existing, enrolled: new Date(), retired: null }]),
  ]);
  const page = `/dashboard/deployments/${deployment}`;
  const detail = await browser.request(page);
  expect(detail.status).toBe(200);
  const text = await detail.text();
  expect(text).toContain("Your servers cannot be read right now.");
  expect(text).toContain("sfu-known");
  const connection = await browser.post(page, { intent: "connect" });
  expect(connection.status).toBe(503);
  expect(await connection.text()).toContain("Nothing was changed.");

  const closed = crypto.randomUUID();
  await runSql("insert into public.closed_fleets (workspace_id) values ($1)", [closed]);
  const others = await runSql<{ id: string }>(
    "insert into public.workspaces (name) select 'Okapi' from generate_series(1, 7) returning id",
  );
  // More than are called at once, so that some are never called.
  const waiting = [workspace, ...others.map(({ id }) => id)];
  await runSql(
    `insert into public.fleets (workspace_id, due_at)
     select id, now() - interval '1 hour' + place * interval '1 minute'
     from unnest($1::uuid[]) with ordinality w (id, place)
     on conflict (workspace_id) do update set due_at = excluded.due_at`,
    [waiting],
  );
  site.takeLogs();
  await site.runScheduled();
  const failed = site.takeLogs().filter(({ message }) => message === "Fleets did not answer");
  expect(failed).toMatchObject([{ fleets: 9 }]);
  expect(await runSql("select workspace_id as id from public.closed_fleets")).toEqual([
    { id: closed },
  ]);
  const soon = await runSql<{ id: string }>(
    `select workspace_id as id from public.fleets
     where due_at between now() and now() + interval '1 minute' order by due_at`,
  );
  expect(soon.map(({ id }) => id)).toEqual([...waiting.slice(6), ...waiting.slice(0, 6)]);
});
