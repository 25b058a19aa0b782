import { createHmac } from "node:crypto";
import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { mailsTo } from "../../../support/auth/inbox.ts";
import { testInProof } from "../../../support/run/variants.ts";
import {
  pagerEvents,
  pushedMessages,
  serviceRequests,
  webhookAddress,
  webhookMessages,
} from "../../../support/servers/arrived.ts";
import { PushReceiver } from "../../../support/servers/push-receiver.ts";
import {
  resetFakes,
  resolverRequests,
  steerAlerts,
  steerInternet,
  steerMail,
} from "../../../support/site/control-fakes.ts";
import { sharedWorker } from "../../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const routingKey = "e93facc04764012d7bfb002500d5d1a6";
const facts = { name: "Northwind", slug: "northwind", servers: 10 };

/** A workspace of the test's own, in which this person made the first token; `person` has the first channel. */
async function newFleet() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const token = { workspace, deployment: crypto.randomUUID(), uses: 1, hours: 72 };
  const maker = { person, address };
  const makeToken = () => fleets.makeToken({ ...token, facts, maker });
  await makeToken();
  const [mail] = (await fleets.channels(workspace)) ?? [];
  if (!mail) throw new Error("The first token made no channel");
  return { fleets, workspace, person, address, mail, makeToken };
}

type Fleet = Awaited<ReturnType<typeof newFleet>>;

async function added(
  { fleets, workspace }: Fleet,
  wanted: Parameters<Fleet["fleets"]["addChannel"]>[1],
) {
  const answer = await fleets.addChannel(workspace, wanted, "first");
  if ("refused" in answer) throw new Error(`The channel was refused: ${answer.refused}`);
  return { id: answer.channel.id, secret: answer.secret ?? "" };
}

const webhookTo = (name: string) => ({
  kind: "webhook" as const,
  url: webhookAddress(name),
});

test("the member who makes the first token is notified by mail, and a removed channel does not come back", async () => {
  const { fleets, workspace, mail, person, address, makeToken } = await newFleet();
  expect(mail).toMatchObject({ kind: "mail", person, address, turn: "first" });
  await makeToken();
  expect(await fleets.channels(workspace)).toHaveLength(1);
  await fleets.removeChannel(workspace, mail.id);
  await makeToken();
  expect(await fleets.channels(workspace)).toEqual([]);
});

test("a second person is told after ten minutes, once somebody else may connect servers, and hears so (H5)", async () => {
  const { fleets, workspace, person, address } = await newFleet();
  const memberOf = (connects: boolean) => {
    const id = crypto.randomUUID();
    return { person: id, address: `${id}@example.com`, connects };
  };
  const [maker, viewer, other, third] = [
    { person, address, connects: true },
    ...[false, true, true].map(memberOf),
  ];
  const update = (...members: (typeof viewer)[]) =>
    fleets.update(
      workspace,
      facts,
      [],
      members.flatMap((each) => each ?? []),
    );
  await update(maker, viewer);
  expect(await fleets.channels(workspace)).toHaveLength(1);
  await update(maker, viewer, other, third);
  const [, second, ...more] = (await fleets.channels(workspace)) ?? [];
  expect(second).toMatchObject({ kind: "mail", address: other?.address, turn: "second" });
  expect(more).toEqual([]);
  await worker.moveFleetClock(workspace, 0);
  expect((await mailsTo(other?.address ?? "")).map(({ subject }) => subject)).toEqual([
    "A test of your alerts: nothing is wrong",
  ]);
  await fleets.removeChannel(workspace, second?.id ?? "");
  await update(maker, viewer, other, third);
  expect(await fleets.channels(workspace)).toHaveLength(1);
});

testInProof("a test by mail arrives once, with a link to the alerts", async () => {
  const { fleets, workspace, mail, address } = await newFleet();
  expect(await fleets.testChannel(workspace, mail.id)).toEqual({ ok: true });
  const mails = await mailsTo(address);
  expect(mails.map(({ subject }) => subject)).toEqual(["A test of your alerts: nothing is wrong"]);
  expect(mails[0]?.text).toContain(`Open Alerts: ${worker.url}/dashboard/w/northwind/alerts`);
  const [noted] = (await fleets.channels(workspace)) ?? [];
  expect(noted?.testedAt).toBeGreaterThan(0);
  expect(noted?.failed).toBeUndefined();
});

test("a test at PagerDuty opens an incident there and resolves it", async () => {
  const fleet = await newFleet();
  const { id } = await added(fleet, { kind: "pagerduty", routingKey });
  expect(await fleet.fleets.testChannel(fleet.workspace, id)).toEqual({ ok: true });
  const [trigger, resolve, ...more] = await pagerEvents(routingKey);
  expect(trigger).toMatchObject({ routing_key: routingKey, event_action: "trigger" });
  expect(resolve).toMatchObject({ event_action: "resolve", dedup_key: trigger?.dedup_key });
  expect(more).toEqual([]);
});

test("a webhook's message is signed with the secret that was shown when it was added", async () => {
  const fleet = await newFleet();
  const { id, secret } = await added(fleet, webhookTo("team"));
  expect(await fleet.fleets.testChannel(fleet.workspace, id)).toEqual({ ok: true });
  const [message, ...more] = await webhookMessages();
  if (!message) throw new Error("Nothing arrived");
  expect(more).toEqual([]);
  const { headers, body } = message;
  const key = Buffer.from(secret.slice("whsec_".length), "base64");
  const signed = `${headers["webhook-id"]}.${headers["webhook-timestamp"]}.${body}`;
  const wanted = createHmac("sha256", key).update(signed).digest("base64");
  expect(headers["webhook-signature"]).toBe(`v1,${wanted}`);
  expect(headers["webhook-id"]).not.toContain(".");
  expect(Math.abs(Number(headers["webhook-timestamp"]) - Date.now() / 1_000)).toBeLessThan(300);
  expect(JSON.parse(body)).toMatchObject({ type: "test", data: { workspace: "Northwind" } });
  expect(JSON.stringify(await fleet.fleets.channels(fleet.workspace))).not.toContain(secret);
});

test.each([
  ["failing", { retry: true, reason: "It answered 502." }],
  ["gone", { retry: false, isOver: true, reason: "It answered 410: it wants no more messages." }],
  ["redirect", { retry: true, reason: "It answered 307: redirects are not followed." }],
])("a webhook that is %s is a failure that is shown until a message arrives", async (how, why) => {
  const fleet = await newFleet();
  const { id } = await added(fleet, webhookTo("team"));
  const failure = async () =>
    (await fleet.fleets.channels(fleet.workspace))?.find((each) => each.id === id)?.failed;
  await steerAlerts({ webhooks: how });
  const sent = await fleet.fleets.testChannel(fleet.workspace, id);
  expect(sent).toEqual({ ok: false, ...why });
  expect((await webhookMessages()).map(({ name }) => name)).toEqual(["team"]);
  const { retry: _, ...shown } = why;
  expect(await failure()).toMatchObject(shown);
  await steerAlerts({ webhooks: "well" });
  expect(await fleet.fleets.testChannel(fleet.workspace, id)).toEqual({ ok: true });
  expect(await failure()).toBeUndefined();
});

testInProof(
  "an answer without an end counts by its status, and is not read to its end",
  async () => {
    const fleet = await newFleet();
    const { id } = await added(fleet, webhookTo("team"));
    await steerAlerts({ webhooks: "endless" });
    expect(await fleet.fleets.testChannel(fleet.workspace, id)).toEqual({ ok: true });
  },
);

testInProof("what never answers is given ten seconds, and is tried again", async () => {
  const fleet = await newFleet();
  const { id } = await added(fleet, webhookTo("team"));
  await steerAlerts({ webhooks: "silent" });
  const reason = "It did not answer within 10 seconds.";
  const sent = await fleet.fleets.testChannel(fleet.workspace, id);
  expect(sent).toEqual({ ok: false, retry: true, isUnknown: true, reason });
});

testInProof.each([
  ["limited", true, "PagerDuty takes no more for now."],
  ["down", true, "PagerDuty answered 500."],
])("PagerDuty that is %s is tried again", async (pagerduty, retry, reason) => {
  const fleet = await newFleet();
  const { id } = await added(fleet, { kind: "pagerduty", routingKey });
  await steerAlerts({ pagerduty });
  expect(await fleet.fleets.testChannel(fleet.workspace, id)).toEqual({
    ...{ ok: false, retry, reason },
  });
});

test("a routing key that PagerDuty does not know is not tried again", async () => {
  const fleet = await newFleet();
  const { id } = await added(fleet, { kind: "pagerduty", routingKey: "0".repeat(32) });
  const sent = await fleet.fleets.testChannel(fleet.workspace, id);
  expect(sent).toMatchObject({ ok: false, retry: false });
});

testInProof.each([
  ["limited", "The mail server answered 429."],
  ["down", "The mail server answered 500."],
])("a mail server that is %s is tried again", async (resend, reason) => {
  const { fleets, workspace, mail } = await newFleet();
  await steerMail({ resend });
  const sent = await fleets.testChannel(workspace, mail.id);
  expect(sent).toEqual({ ok: false, retry: true, reason });
});

test("a name that leads into a private network is looked up before each message, and gets none (N7)", async () => {
  const fleet = await newFleet();
  const { id } = await added(fleet, { kind: "webhook", url: "https://hooks.example.com/x" });
  const tried = () => fleet.fleets.testChannel(fleet.workspace, id);
  expect(await tried()).toMatchObject({ ok: false, reason: "Its name has no address in DNS." });
  const reason = "Its name leads to an address that is not of the public internet.";
  for (const records of [
    { A: ["10.0.0.7"] },
    { A: ["1.1.1.1", "127.0.0.1"] },
    { AAAA: ["fd00::7"] },
  ]) {
    await steerInternet({ name: "hooks.example.com", A: [], AAAA: [], ...records });
    expect(await tried()).toEqual({ ok: false, retry: true, reason });
  }
  expect(await resolverRequests()).toContain("/dns-query name=hooks.example.com&type=AAAA");
  await steerInternet({ resolver: "down" });
  expect(await tried()).toMatchObject({ ok: false, retry: true, reason: /no answer of DNS/ });
});

test("a storm of tests by mail ends at 10 an hour and 30 a day, and leaves other ways alone", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, mail, address } = fleet;
  const many = async (count: number) => {
    for (let sent = 0; sent < count; sent += 1) await fleets.testChannel(workspace, mail.id);
  };
  const hour = 3_600_000;
  // From here on the day has 24 hours left.
  await worker.moveFleetClock(workspace, 24 * hour - (Date.now() % (24 * hour)));
  for (const wanted of [10, 20, 30, 30]) {
    await many(11);
    expect(await mailsTo(address)).toHaveLength(wanted);
    await worker.moveFleetClock(workspace, hour);
  }
  const { id } = await added(fleet, webhookTo("team"));
  expect(await fleets.testChannel(workspace, id)).toEqual({ ok: true });
  await worker.moveFleetClock(workspace, 20 * hour);
  await many(1);
  expect(await mailsTo(address)).toHaveLength(31);
});

test("a workspace has at most ten channels, each leading elsewhere, and none before its first token", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, person, address } = fleet;
  const again = { kind: "mail" as const, person, address: address.toUpperCase() };
  expect(await fleets.addChannel(workspace, again, "second")).toEqual({ refused: "already-there" });
  for (let count = 2; count <= 10; count += 1) await added(fleet, webhookTo(`team-${count}`));
  const eleventh = await fleets.addChannel(workspace, webhookTo("team-11"), "first");
  expect(eleventh).toEqual({ refused: "too-many" });
  const empty = crypto.randomUUID();
  expect(await fleets.channels(empty)).toBeUndefined();
  expect(await fleets.addChannel(empty, webhookTo("team"), "first")).toEqual({
    refused: "not-connected",
  });
});

test("a former member gets no notification from then on", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, person } = fleet;
  await added(fleet, { kind: "mail", person: crypto.randomUUID(), address: "else@example.com" });
  await fleets.removePerson(workspace, person);
  expect(await fleets.channels(workspace)).toMatchObject([{ address: "else@example.com" }]);
});

test("what a former member added ends too, and the channels that are left are told (N4)", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, address } = fleet;
  const leaving = crypto.randomUUID();
  const staying = crypto.randomUUID();
  const mail = { kind: "mail" as const, person: staying, address: `${staying}@example.com` };
  await fleets.addChannel(workspace, mail, "second", leaving);
  await fleets.addChannel(workspace, webhookTo("of-leaving"), "first", leaving);
  await fleets.addChannel(workspace, { kind: "pagerduty", routingKey }, "first", leaving);
  await fleets.addChannel(workspace, webhookTo("of-staying"), "first", staying);
  await fleets.removePerson(workspace, leaving);
  const left = (await fleets.channels(workspace)) ?? [];
  expect(left.map(({ kind }) => kind)).toEqual(["mail", "mail", "webhook"]);
  await worker.moveFleetClock(workspace, 60_000);
  const subjects = (await mailsTo(address)).map(({ subject }) => subject);
  expect(subjects.toSorted()).toEqual([
    "A channel of your alerts has ended: PagerDuty",
    "A channel of your alerts has ended: webhook",
  ]);
  expect(await pagerEvents(routingKey)).toEqual([]);
  expect((await webhookMessages()).map(({ name }) => name)).toEqual(["of-staying", "of-staying"]);
});

test("each service gets a test, is listed without its secret, and is tried again after its own wait", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, person } = fleet;
  const base = webhookAddress("x").replace("/webhooks/x", "");
  const genieKey = "eb243592-faa2-4ba2-a551-1afdf565c889";
  const botToken = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
  const wanted = [
    ["slack", { url: `${base}/slack/services/T0/B0/secretslack` }],
    ["teams", { url: `${base}/teams/workflows/secretteams` }],
    ["discord", { url: `${base}/discord/api/webhooks/1/secretdiscord` }],
    ["telegram", { token: botToken, chat: "-100123" }],
    ["ntfy", { url: `${base}/ntfy/secretntfy`, token: "tk_secret" }],
    ["opsgenie", { key: genieKey, region: "eu" }],
  ] as const;
  for (const [kind, fields] of wanted) {
    const request = { kind, fields, turn: "first" as const, addedBy: person };
    const added = await fleets.addServiceChannel(workspace, request);
    if ("refused" in added) throw new Error(`${kind} was refused: ${added.refused}`);
    expect(await fleets.testChannel(workspace, added.channel.id), kind).toEqual({ ok: true });
    expect(await fleets.addServiceChannel(workspace, request)).toEqual({
      refused: "already-there",
    });
  }
  const services = (await serviceRequests()).map(({ service }) => service);
  expect(new Set(services)).toEqual(
    new Set(["slack", "teams", "discord", "telegram", "ntfy", "opsgenie-eu"]),
  );
  const views = (await fleets.channels(workspace)) ?? [];
  expect(views.map(({ kind }) => kind)).toEqual(["mail", ...wanted.map(([kind]) => kind)]);
  for (const secret of ["secretslack", "secretdiscord", "tk_secret", botToken, genieKey]) {
    expect(JSON.stringify(views)).not.toContain(secret);
  }
  await steerAlerts({ services: "limited" });
  const sent = await fleets.testChannel(workspace, views[1]?.id ?? "");
  expect(sent).toMatchObject({ ok: false, retry: true, waitMs: 30_000 });
  await fleets.removePerson(workspace, person);
  expect(await fleets.channels(workspace)).toEqual([]);
});

test("a browser is pushed to, and is over once its push service has forgotten it", async () => {
  const { fleets, workspace, person } = await newFleet();
  expect(await fleets.pushKey()).toMatch(/^B[\w-]{86}$/);
  const browser = new PushReceiver();
  const url = webhookAddress("x").replace("/webhooks/x", "/push/abc");
  const request = {
    ...{ kind: "push" as const, turn: "first" as const, addedBy: person },
    fields: { url, ...browser.keys, name: "Chrome on Android" },
  };
  const added = await fleets.addServiceChannel(workspace, request);
  if ("refused" in added) throw new Error(`It was refused: ${added.refused}`);
  const { id } = added.channel;
  expect(await fleets.testChannel(workspace, id)).toEqual({ ok: true });
  const [pushed] = await pushedMessages();
  expect(JSON.parse(browser.opened(pushed?.body ?? ""))).toMatchObject({
    title: "A test of your alerts: nothing is wrong",
    url: `${worker.url}/dashboard/w/northwind/alerts`,
  });
  await steerAlerts({ services: "gone" });
  expect(await fleets.testChannel(workspace, id)).toMatchObject({ ok: false, isOver: true });
});

test("a channel of a kind that this version does not know stops nothing", async () => {
  const fleet = await newFleet();
  const { id } = await added(fleet, webhookTo("team"));
  const record = { id, kind: "carrier-pigeon", madeAt: 0, turn: "first" };
  await worker.spoilRecord(fleet.workspace, {
    ...{ table: "channels", id, record: JSON.stringify(record) },
  });
  expect(await fleet.fleets.channels(fleet.workspace)).toMatchObject([{ kind: "mail" }]);
  expect(await fleet.fleets.testChannel(fleet.workspace, fleet.mail.id)).toEqual({ ok: true });
});

test("another workspace's channel is not there: it is neither tested nor changed nor removed", async () => {
  const { fleets, workspace, mail, address } = await newFleet();
  const other = (await newFleet()).workspace;
  expect(await fleets.testChannel(other, mail.id)).toBeUndefined();
  expect(await fleets.changeTurn(other, mail.id, "second")).toBe(false);
  await fleets.removeChannel(other, mail.id);
  expect(await fleets.channels(workspace)).toMatchObject([{ id: mail.id, turn: "first" }]);
  expect(await mailsTo(address)).toEqual([]);
});

test("no failure shows an address, a key or a path, neither to people nor in the log", async () => {
  const fleet = await newFleet();
  const { fleets, workspace, mail, address } = fleet;
  const { id, secret } = await added(fleet, webhookTo("very-secret-path"));
  const pager = await added(fleet, { kind: "pagerduty", routingKey });
  worker.takeLogs();
  await Promise.all([
    steerAlerts({ webhooks: "failing", pagerduty: "down" }),
    steerMail({ resend: "down" }),
  ]);
  const sent = [];
  for (const each of [mail.id, id, pager.id]) {
    sent.push(await fleets.testChannel(workspace, each));
  }
  const failures = (await fleets.channels(workspace))?.map(({ failed }) => failed);
  expect(failures).toHaveLength(3);
  const output = JSON.stringify([sent, failures, worker.takeLogs()]);
  for (const hidden of [address, "very-secret-path", secret, routingKey, "127.0.0.1"]) {
    expect(output).not.toContain(hidden);
  }
});
