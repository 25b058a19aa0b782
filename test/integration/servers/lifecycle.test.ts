import { unzipSync } from "fflate";
import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { storePlan } from "../../support/billing/store-plan.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { Machine } from "../../support/servers/machine.ts";
import { machine } from "../../support/servers/report-lines.ts";
import { serverCustomer, updateFleets } from "../../support/servers/server-customer.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { expectText, textAt, textOfHtml } from "../../support/site/page-text.ts";

const day = 86_400_000;
let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(resetFakes);

const customer = (plan?: "basic" | "pro") => serverCustomer(worker, plan);
const updateAll = () => updateFleets(worker);

/** The box of step 2 by which a server is connected: ticked and open, or neither. */
const connectBox = ({ isOpen }: { isOpen: boolean }) =>
  isOpen
    ? /<input(?=[^>]*name="connect")(?=[^>]*checked)(?![^>]*disabled)[^>]*>/
    : /<input(?=[^>]*name="connect")(?![^>]*checked)(?=[^>]*disabled)[^>]*>/;

const stateOf = async (workspace: string, server: string) =>
  (await (await worker.fleets()).server(workspace, server))?.state;

test("without a plan no token is made, and with a full one the page says what to do", async () => {
  const nobody = await customer();
  const none = await nobody.askForToken();
  expect(none).toMatchObject({ status: 403, token: "" });
  expect(none.text).toContain("Choose one under Billing first.");
  const { askForToken, connect } = await customer("basic");
  await connect("i-first");
  const full = await askForToken();
  expect(full).toMatchObject({ status: 403, token: "" });
  expect(full.text).toContain("Your plan has one server, and it is connected.");
});

test("one token connects as many machines as were asked for, and never more than the plan has room for", async () => {
  const { askForToken, connect, browser, page, workspace } = await customer("pro");
  await connect("i-first");
  const shown = await textAt(browser, page);
  expect(shown).toContain(
    "With your plan up to 500 machines may report here, and one is connected.",
  );
  for (const wrong of sample(["0", "1.5", "51", "many", ""], 2)) {
    const refused = await askForToken(wrong);
    expect(refused, wrong).toMatchObject({ status: 400, token: "" });
    expect(refused.text).toContain("A token is for 1 to 50 machines. Type a whole number.");
    expect(refused.text).toContain(`value="${wrong}"`);
  }
  const made = await askForToken("3");
  expect(textOfHtml(made.text)).toContain("connects 3 machines until");
  const noted = await runSql<{ after: unknown }>(
    "select after from public.audit_log where action = 'server.token-made' order by id",
  );
  expect(noted.map(({ after }) => after)).toEqual([
    { version: 1, machines: 1 },
    { version: 1, machines: 3 },
  ]);
  const answers = [];
  for (const name of ["i-2", "i-3", "i-4", "i-5"]) {
    answers.push((await new Machine(worker, name).enrol(made.token)).status);
  }
  expect(answers).toEqual([200, 200, 200, 410]);
  expect((await (await worker.fleets()).overview(workspace)).servers).toHaveLength(4);

  const small = await customer("basic");
  const tooMany = await small.askForToken("2");
  expect(tooMany).toMatchObject({ status: 403, token: "" });
  expect(tooMany.text).toContain("Your plan has room for one more server.");
  expect(tooMany.text).toContain('value="2"');
});

testInProof(
  "a full plan refuses no files: the zip has no token then, nothing is noted, and the page says why",
  async () => {
    const { connect, browser, page, workspace } = await customer("basic");
    const reason =
      "Your plan has one server, and it is connected. Disconnect it first to connect another.";
    const before = await (await browser.request(page)).text();
    expect(before).toMatch(connectBox({ isOpen: true }));
    expect(before).not.toContain(reason);
    const server = await connect("i-first");
    const made = () => runSql("select from public.audit_log where action = 'server.token-made'");
    const tokens = (await made()).length;
    const zip = await browser.post(`${page}/bundle.zip`, { version: "1", connect: "yes" });
    expect(zip.status).toBe(200);
    const files = unzipSync(new Uint8Array(await zip.arrayBuffer()));
    expect(Object.keys(files)).toContain("livekit/livekit.yaml");
    expect(Object.keys(files)).not.toContain("livekit/enrolment-token");
    expect(await made()).toHaveLength(tokens);
    const full = await (await browser.request(page)).text();
    expect(full).toMatch(connectBox({ isOpen: false }));
    expect(full).toContain(reason);
    await (await worker.fleets()).retire(workspace, server.server);
    expect(await (await browser.request(page)).text()).toMatch(connectBox({ isOpen: true }));
  },
);

test("until a server is connected one button gives the files, and its box connects; afterwards those for apply are named differently (H3)", async () => {
  const { browser, connect, page } = await customer("pro");
  const forms = async () => {
    const shown = await (await browser.request(page)).text();
    return [...shown.matchAll(/<form[^>]*bundle\.zip[\s\S]*?<\/form>/g)].map(([form]) => form);
  };
  const before = await forms();
  expect(before).toHaveLength(1);
  expect(before[0]).toContain("Download the files");
  expect(before[0]).toContain('method="post"');
  expect(before[0]).toMatch(connectBox({ isOpen: true }));
  await connect("i-first");
  const [above, step, ...others] = await forms();
  expect(others).toEqual([]);
  expect(above).toContain("Files for apply");
  expect(above).toContain('method="get"');
  expect(above).not.toContain("connect");
  expect(step).toContain("Files for a new machine");
  expect(step).toMatch(connectBox({ isOpen: true }));
  const nameOf = async (query: string) => {
    const zip = await browser.request(`${page}/bundle.zip?${query}`);
    await zip.arrayBuffer();
    return zip.headers.get("content-disposition");
  };
  expect(await nameOf("version=1&for=apply")).toContain('"media.example.com-v1-apply.zip"');
  expect(await nameOf("version=1")).toContain('"media.example.com-v1.zip"');
});

test("a machine that was refused hears so, and so does the page of its server (M13)", async () => {
  const { browser, connect } = await customer("basic");
  const server = await connect("i-first");
  await server.report(1);
  const copy = new Machine(worker, "i-copy", machine.otherBoot);
  copy.key = server.key;
  expect((await copy.report(1)).lines.say).toContain("Allow this one on the server's page");
  const page = `/dashboard/servers/${server.server}`;
  const shown = await (await browser.request(page)).text();
  const requestedAt = /name="asked" value="([^"]+)"/.exec(shown)?.[1] ?? "";
  const answer = await browser.post(page, { intent: "refuse", asked: requestedAt });
  expect(answer.status).toBe(303);
  const after = await textAt(browser, answer.headers.get("location") ?? "");
  expect(after).toContain("The other machine was refused, and nothing of it is taken.");
  expect(after).not.toContain("Another machine wants to replace");
  expect(await textAt(browser, page)).not.toContain("The other machine was refused, and nothing");
  const refused = await copy.report(2);
  expect(refused).toMatchObject({ status: 409, lines: { refused: "machine-refused" } });
  expect(refused.lines.say).not.toContain("Allow");
  expect(refused.lines.say).toContain("sudo livekit-deploy connect");
});

test("after a downgrade others pause, the team picks which one stays, and with Pro all report again and others connect", async () => {
  const { email, workspace, connect, browser, askForToken } = await customer("pro");
  const { token } = await askForToken();
  const waiting = new Machine(worker, "i-waiting");
  const [first, second] = [await connect("i-first"), await connect("i-second")];
  await first.report(1);
  await worker.moveFleetClock(workspace, 60_000);
  await second.report(1);
  await storePlan(email, "basic");
  await updateAll();
  expect(await first.report(2)).toMatchObject({
    ...{ status: 200, lines: { paused: "2", "not-before": "600" } },
  });
  expect(await second.report(2)).toMatchObject({ status: 200, lines: { taken: "2" } });
  expect(await waiting.enrol(token)).toMatchObject({ lines: { refused: "plan-limit" } });
  const page = `/dashboard/servers/${first.server}`;
  const shown = await (await browser.request(page)).text();
  expect(shown).toContain("Paused: the plan has one server");
  expect(shown).toContain("Keep this server");
  expect(await browser.post(page, { intent: "keep" })).toMatchObject({ status: 303 });
  expect(await first.report(3)).toMatchObject({ status: 200, lines: { taken: "3" } });
  expect(await second.report(3)).toMatchObject({ status: 200, lines: { paused: "3" } });
  const again = await browser.post(page, { intent: "keep" });
  await expectText(again, 404, "This server is not paused any more. Load the page again.");
  const noted = await runSql("select from public.audit_log where action = 'server.kept'");
  expect(noted).toHaveLength(2);
  await storePlan(email, "pro");
  // The next run of the cron reports the plan to the fleet, whenever the last one ran.
  await worker.runScheduled();
  expect(await second.report(4)).toMatchObject({ status: 200, lines: { taken: "4" } });
  expect(await waiting.enrol(token)).toMatchObject({ status: 200 });
});

testInProof(
  "machines notice no plan's end: their reports count for thirty days, then once a day, and all again with a new plan",
  async () => {
    const { email, workspace, connect, browser } = await customer("basic");
    const server = await connect("i-first");
    const ended = (days: number) => new Date(Date.now() - days * day).toISOString();
    await storePlan(email, "basic", { status: "canceled", endedAt: ended(29) });
    await updateAll();
    expect(await server.report(1)).toMatchObject({ status: 200, lines: { taken: "1" } });
    await storePlan(email, "basic", { status: "canceled", endedAt: ended(31) });
    await updateAll();
    const waits = await server.report(2);
    expect(waits).toMatchObject({ status: 200, lines: { paused: "2", "not-before": "3600" } });
    await worker.moveFleetClock(workspace, day);
    expect(await server.report(3)).toMatchObject({ status: 200, lines: { taken: "3" } });
    expect(await stateOf(workspace, server.server)).toMatchObject({ why: "plan-ended" });
    const page = await textAt(browser, `/dashboard/servers/${server.server}`);
    expect(page).toMatch(
      /because the plan has ended\. With a new plan under\s+Billing\s+it reports/,
    );
    expect(page).not.toContain("Keep this server");
    expect(await textAt(browser, "/dashboard")).toContain("1 server · 1 paused, not watched");
    await storePlan(email, "basic");
    await updateAll();
    expect(await server.report(4)).toMatchObject({ status: 200, lines: { taken: "4" } });
    expect(await stateOf(workspace, server.server)).toEqual({ code: "healthy" });
  },
);

test("what was reported is deleted once the database says so, and the server reports again with a new plan", async () => {
  const { email, workspace, connect } = await customer("basic");
  const server = await connect("i-first");
  await server.report(1, ["load\t0.5"]);
  const fleets = await worker.fleets();
  const loads = async () => {
    const { most } = (await fleets.server(workspace, server.server))?.series.figures.load ?? {};
    return [...(most ?? [])].filter((value) => !Number.isNaN(value));
  };
  expect(await loads()).toEqual([0.5]);
  const endedAt = new Date(Date.now() - 91 * day).toISOString();
  await storePlan(email, "basic", { status: "canceled", endedAt });
  await updateAll();
  expect(await loads()).toEqual([0.5]);
  const subscription = `sub_cus_stored_${email.replaceAll(/\W/g, "_")}`;
  await runSql(
    `insert into public.mail_outbox (occasion, customer_id, kind, sent_at)
     select 'history-ends-soon:' || id, customer_id, 'history-ends', now() - interval '7 days'
     from public.subscriptions where id = $1`,
    [subscription],
  );
  await updateAll();
  const emptied = await fleets.server(workspace, server.server);
  expect(emptied).toMatchObject({ changes: [], addresses: [] });
  expect(await loads()).toEqual([]);
  expect(emptied?.lastReportAt).toBeUndefined();
  expect(await server.report(2)).toMatchObject({ lines: { paused: "2" } });
  await storePlan(email, "basic");
  await updateAll();
  expect(await server.report(3)).toMatchObject({ lines: { taken: "3" } });
});

testInProof(
  "an account that is deleted in SQL takes its servers along: nobody reads them, and their fleet is forgotten",
  async () => {
    const { workspace, connect, userId, browser } = await customer("basic");
    const server = await connect("i-first");
    await server.report(1);
    await runSql("delete from auth.users where id = $1", [userId]);
    const page = await browser.request(`/dashboard/servers/${server.server}`);
    expect(page.status).not.toBe(200);
    expect(await page.text()).not.toContain("sfu-1");
    await worker.runScheduled();
    expect((await (await worker.fleets()).overview(workspace)).servers).toEqual([]);
    expect(await server.report(2)).toMatchObject({
      status: 401,
      lines: { refused: "unknown-key" },
    });
    await runSql("update public.closed_fleets set closed_at = now() - interval '1 hour'");
    await updateAll();
    expect(await runSql("select from public.closed_fleets")).toEqual([]);
  },
);

testInProof(
  "former members and former addresses get no notification, whatever was lost when they changed",
  async () => {
    const { workspace, userId, connect, email } = await customer("pro");
    await connect("i-first");
    const guest = await customer();
    await runSql(
      "insert into public.members (workspace_id, user_id, role) values ($1, $2, 'admin')",
      [...[workspace, guest.userId]],
    );
    const fleets = await worker.fleets();
    const add = { kind: "mail" as const, person: guest.userId, address: guest.email };
    await fleets.addChannel(workspace, add, "first");
    const newMails = async () =>
      ((await fleets.overview(workspace)).channels ?? [])
        .flatMap((each) => (each.kind === "mail" ? [each.address] : []))
        .toSorted();
    await worker.moveFleetClock(workspace, 11 * 60_000);
    await updateAll();
    expect(await newMails()).toEqual([email, guest.email].toSorted());
    const changed = `changed-${email}`;
    await runSql("update auth.users set email = $1 where id = $2", [changed, userId]);
    await updateAll();
    expect(await newMails()).toEqual([changed, guest.email].toSorted());
    await runSql("delete from auth.users where id = $1", [guest.userId]);
    await updateAll();
    expect(await newMails()).toEqual([changed]);
    const late = { kind: "mail" as const, person: guest.userId, address: guest.email };
    await fleets.addChannel(workspace, late, "first");
    await worker.moveFleetClock(workspace, 11 * 60_000);
    await updateAll();
    expect(await newMails()).toEqual([changed]);
  },
);

test("a deployment that is deleted ends its servers' keys and its tokens, at once", async () => {
  const { connect, browser, page, askForToken } = await customer("pro");
  const server = await connect("i-first");
  const { token } = await askForToken();
  const deleted = await browser.post(`${page}/delete`, { name: "Production" });
  expect(deleted).toMatchObject({ status: 303 });
  expect(await server.report(1)).toMatchObject({ status: 410, lines: { refused: "key-revoked" } });
  expect(await new Machine(worker, "i-late").enrol(token)).toMatchObject({
    ...{ status: 410, lines: { refused: "token-revoked" } },
  });
});

testInProof(
  "one that was deleted while the servers Worker was away is made up for by the cron",
  async () => {
    const { connect, deployment, userId } = await customer("pro");
    const server = await connect("i-first");
    await runSql("select public.delete_deployment($1, $2)", [userId, deployment]);
    expect(await server.report(1)).toMatchObject({ status: 200 });
    await updateAll();
    expect(await server.report(2)).toMatchObject({ status: 410 });
    const [row] = await runSql<{ retired_at: string | null }>(
      "select retired_at from public.servers where id = $1",
      [server.server],
    );
    expect(row?.retired_at).not.toBeNull();
  },
);
