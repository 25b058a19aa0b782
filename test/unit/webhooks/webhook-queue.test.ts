import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { AuditEvent } from "../../../app/features/webhooks/event.ts";
import {
  eventGroupNames,
  failingMs,
  maxWebhooks,
  overlapMs,
} from "../../../app/features/webhooks/webhook.ts";
import { WebhookQueue } from "../../../app/features/webhooks/webhook-queue.server.ts";
import { noticesIn, prepareTables } from "../../../app/features/webhooks/webhook-table.server.ts";
import { WorkspaceWebhooks } from "../../../app/features/webhooks/workspace-webhooks.server.ts";
import { sqliteStorage } from "../../support/servers/sqlite-storage.ts";
import { isSignedBy, webhookReceiver } from "../../support/webhooks/webhook-receiver.ts";

const start = Date.UTC(2026, 10, 29, 12);
let now: number;
let receiver: Awaited<ReturnType<typeof webhookReceiver>>;
let sql: SqlStorage;
let queue: WebhookQueue;
let webhooks: WorkspaceWebhooks;

beforeEach(async () => {
  now = start;
  receiver = await webhookReceiver();
  sql = sqliteStorage();
  prepareTables(sql);
  const env = {
    ...{ SITE_URL: "https://site.example", SUPPORT_EMAIL: "help@site.example" },
    WEBHOOK_TEST_ORIGIN: receiver.origin,
  } as unknown as ServersEnv;
  queue = new WebhookQueue(sql, env, () => now);
  webhooks = new WorkspaceWebhooks(sql, env, () => now);
});
afterEach(() => {
  vi.restoreAllMocks();
  return receiver.close();
});

const event = (id: number, action = "deployment.saved", of: Partial<AuditEvent> = {}) => ({
  ...{ id, action, at: new Date(start).toISOString(), actor: null, actor_address: "" },
  ...{ target: "Production", target_id: null, before: null, after: null },
  ...of,
});
const events = (...ids: number[]) => ids.map((id) => event(id));

function add(url = receiver.url, groups = eventGroupNames) {
  const added = webhooks.add({ url, groups });
  if (!("webhook" in added)) throw new Error(`It was refused: ${added.refused}`);
  return { id: added.webhook.id, secret: added.secret };
}

const view = () => webhooks.views()[0];

/** What is due, until nothing is due any more. */
async function send() {
  for (let due = queue.due(); due !== undefined && due <= now; due = queue.due()) {
    await queue.sendDue();
  }
}

test("events arrive once each, in the order of the log, signed, with ids that stay the same", async () => {
  const { secret } = add();
  queue.enqueue(events(2, 1));
  queue.enqueue(events(3, 2));
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_2", "audit_3"]);
  for (const each of receiver.received) expect(isSignedBy(secret, each)).toBe(true);
  expect(JSON.parse(receiver.received[0]?.body ?? "")).toEqual({
    ...{ type: "deployment.saved", timestamp: "2026-11-29T12:00:00.000Z" },
    data: {
      id: "audit_1",
      actor: { kind: "site", id: null, name: null },
      target: { id: null, name: "Production" },
      ...{ before: null, after: null },
    },
  });
  expect(queue.due()).toBeUndefined();
  expect(view()?.deliveries.map(({ state }) => state)).toEqual(Array(3).fill("delivered"));
});

test("while a destination is away nothing is lost, it is tried ever less often, and then all comes in order", async () => {
  const { id } = add();
  receiver.answer = () => 503;
  queue.enqueue(events(1, 2));
  await send();
  expect(receiver.ids()).toEqual(["audit_1"]);
  expect(view()).toMatchObject({ waiting: 2, failing: { since: start } });
  queue.enqueue(events(3));
  expect(queue.due()).toBe(start + 30_000);
  const waits: number[] = [];
  for (let tries = 0; tries < 9; tries += 1) {
    waits.push((queue.due() ?? 0) - now);
    now = queue.due() ?? now;
    await send();
  }
  expect(waits.map((wait) => wait / 60_000)).toEqual([0.5, 1, 2, 5, 10, 20, 30, 60, 60]);
  expect(new Set(receiver.ids())).toEqual(new Set(["audit_1"]));
  receiver.received.length = 0;
  receiver.answer = () => 200;
  queue.retryNow(id);
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_2", "audit_3"]);
  expect(view()).toMatchObject({ waiting: 0, failing: undefined });
});

test("an event that is refused is tried again later and given up after five days, and the next ones go on", async () => {
  add();
  receiver.answer = ({ headers }) => (headers["webhook-id"] === "audit_1" ? 422 : 204);
  queue.enqueue(events(1, 2));
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_2"]);
  expect(view()).toMatchObject({ waiting: 1, failing: undefined });
  for (let id = 3; now < start + failingMs; id += 1) {
    now = Math.max(queue.due() ?? 0, now + 6 * 3_600_000);
    queue.enqueue(events(id));
    await send();
  }
  const refused = view()?.deliveries.find(({ id }) => id === "audit_1");
  expect(view()?.off).toBeUndefined();
  expect(refused).toMatchObject({ state: "failed", reason: "It answered 422." });
});

test("while events are refused the ones after them are sent at once, each in its second", async () => {
  add();
  receiver.answer = () => 422;
  queue.enqueue(events(1));
  for (let tries = 0; tries < 9; tries += 1) {
    now = queue.due() ?? now;
    await send();
  }
  expect((queue.due() ?? 0) - now).toBe(3_600_000);
  receiver.received.length = 0;
  for (const id of [2, 3, 4]) {
    now += 1_000;
    queue.enqueue(events(id));
    expect(queue.due()).toBe(now);
    await send();
    expect(receiver.ids().at(-1)).toBe(`audit_${id}`);
  }
  expect(receiver.ids()).toEqual(["audit_2", "audit_3", "audit_4"]);
  expect(view()).toMatchObject({
    waiting: 4,
    failing: { since: start, reason: "It answered 422." },
  });
});

test("after a refusal an address that goes away has all of its events wait again", async () => {
  add();
  receiver.answer = () => 422;
  queue.enqueue(events(1));
  await send();
  now += 1_000;
  receiver.answer = () => 503;
  queue.enqueue(events(2));
  await send();
  queue.enqueue(events(3));
  expect(queue.due()).toBe(now + 30_000);
  now += 30_000;
  receiver.answer = ({ headers }) => (headers["webhook-id"] === "audit_1" ? 422 : 204);
  receiver.received.length = 0;
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_2", "audit_3"]);
});

test("a webhook at which something throws has a failed delivery with a reason, and the others get theirs", async () => {
  const logged = vi.spyOn(console, "error").mockImplementation(() => {});
  const secret = `whsec_${"A".repeat(35)}==`;
  const broken = webhooks.add({ url: `${receiver.url}/broken`, groups: eventGroupNames, secret });
  if (!("webhook" in broken)) throw new Error(`It was refused: ${broken.refused}`);
  now += 1;
  add();
  queue.enqueue(events(1));
  await send();
  expect(receiver.ids()).toEqual(["audit_1"]);
  const reason = "It was not sent, by a fault of ours.";
  expect(webhooks.views()).toMatchObject([
    { id: broken.webhook.id, waiting: 1, failing: { since: now, reason } },
    { waiting: 0, failing: undefined },
  ]);
  expect(queue.due()).toBe(now + 30_000);
  expect((await queue.test(broken.webhook.id))?.sent).toMatchObject({ ok: false, reason });
  const lines = logged.mock.calls.map(([line]) => String(line));
  expect(lines).toHaveLength(2);
  for (const line of lines) {
    expect(JSON.parse(line)).toMatchObject({ level: "error", webhook: broken.webhook.id });
    expect(line).not.toContain("AAAA");
  }
});

test("where the storage throws at one webhook the others' events arrive before that is thrown", async () => {
  const { id } = add(`${receiver.url}/first`);
  now += 1;
  add();
  queue.enqueue(events(1));
  const exec = sql.exec.bind(sql);
  vi.spyOn(sql, "exec").mockImplementation((query, ...values) => {
    if (query.includes("due <= ?") && values[0] === id) throw new Error("The disk is full.");
    return exec(query, ...values);
  });
  await expect(queue.sendDue()).rejects.toThrow("The disk is full.");
  expect(webhooks.views().map(({ waiting }) => waiting)).toEqual([1, 0]);
});

test.each([
  ["410, by which it would be off", 410],
  ["503", 503],
  ["204", 204],
])("an answer of the former address, %s, says nothing about the new one", async (_, status) => {
  const { id } = add();
  receiver.answer = () => {
    webhooks.change(id, { url: `${receiver.url}/new` });
    receiver.answer = () => 204;
    return status;
  };
  queue.enqueue(events(1));
  await queue.sendDue();
  expect(view()).toMatchObject({ waiting: 1, off: undefined, failing: undefined });
  expect(queue.due()).toBe(start);
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_1"]);
  expect(view()).toMatchObject({ waiting: 0, off: undefined });
  expect(noticesIn(sql)).toEqual([]);
});

test.each([
  ["410", 410, 0],
  ["503 for five days", 503, failingMs],
])(
  "a webhook that a person disabled while it answered %s is off by them, and nobody is mailed",
  async (_, status, after) => {
    const { id } = add();
    queue.enqueue(events(1, 2));
    receiver.answer = () => 503;
    await queue.sendDue();
    now += failingMs - 1;
    const disabledAt = now + after;
    receiver.answer = () => {
      now = disabledAt;
      webhooks.disable(id);
      return status;
    };
    await queue.sendDue();
    expect(view()).toMatchObject({ waiting: 2, off: { at: disabledAt, why: "person" } });
    expect(noticesIn(sql)).toEqual([]);
    expect(receiver.received).toHaveLength(2);
  },
);

test("of the tests of a webhook that is off, too, the last 50 stay", async () => {
  const { id } = add();
  webhooks.disable(id);
  let last: string | undefined;
  for (let nth = 0; nth < 52; nth += 1) {
    now += 1;
    last = (await queue.test(id))?.delivery.id;
  }
  expect(sql.exec("select 1 from deliveries").toArray()).toHaveLength(50);
  expect(view()?.deliveries[0]?.id).toBe(last);
});

test("after five days without one that arrives a webhook is off, its owner hears of it, and what waited is sent once it is on", async () => {
  const { id } = add();
  receiver.answer = () => 500;
  queue.enqueue(events(1));
  while (!view()?.off) {
    now = queue.due() ?? now;
    await send();
  }
  expect(now - start).toBeGreaterThanOrEqual(failingMs);
  expect(view()?.off).toEqual({ at: now, why: "failing" });
  expect(noticesIn(sql)).toMatchObject([{ webhook: id, host: new URL(receiver.url).host }]);
  queue.enqueue(events(2));
  expect(queue.due()).toBeUndefined();
  receiver.answer = () => 204;
  receiver.received.length = 0;
  webhooks.enable(id);
  queue.retryNow(id);
  await send();
  expect(receiver.ids()).toEqual(["audit_1"]);
});

test("one that answers 410 is off at once, and so is one for which too much waits", async () => {
  add();
  receiver.answer = () => 410;
  queue.enqueue(events(1));
  await send();
  expect(view()?.off?.why).toBe("gone");
  webhooks.enable(view()?.id ?? "");
  queue.enqueue(Array.from({ length: 2_001 }, (_, at) => event(at + 10)));
  expect(view()?.off?.why).toBe("full");
  expect(noticesIn(sql)).toHaveLength(2);
});

test("for a day after a new secret both sign, and after that the new one alone", async () => {
  const { id, secret } = add();
  const newer = webhooks.rotate(id) ?? "";
  const signers = async (event: number) => {
    queue.enqueue(events(event));
    await send();
    const last = receiver.received.at(-1);
    return [secret, newer].map((each) => last !== undefined && isSignedBy(each, last));
  };
  expect(newer).not.toBe(secret);
  expect(await signers(1)).toEqual([true, true]);
  now += overlapMs;
  expect(await signers(2)).toEqual([false, true]);
});

test("a webhook gets the groups that it is for, and one that is off gets nothing", async () => {
  const { id } = add(receiver.url, ["people"]);
  queue.enqueue([event(1), event(2, "member.joined"), event(3, "unheard.of")]);
  await send();
  expect(receiver.ids()).toEqual(["audit_2"]);
  webhooks.disable(id);
  queue.enqueue([event(4, "member.joined")]);
  expect([queue.due(), view()?.waiting]).toEqual([undefined, 0]);
});

test("an event is sent once more with its id, and a test is sent once and never again", async () => {
  const { id } = add();
  queue.enqueue(events(1));
  await send();
  expect(queue.sendAgain(id, "audit_1")).toBe(true);
  expect(queue.sendAgain(id, "audit_1")).toBe(false);
  expect(queue.sendAgain(id, "audit_9")).toBe(false);
  await send();
  expect(receiver.ids()).toEqual(["audit_1", "audit_1"]);
  receiver.answer = () => 500;
  now += 1;
  const tested = await queue.test(id);
  expect(tested?.sent).toMatchObject({ ok: false, reason: "It answered 500." });
  expect(queue.due()).toBeUndefined();
  expect(view()?.deliveries[0]).toMatchObject({ type: "webhook.test", state: "failed" });
});

test("of what arrived the last 50 stay", async () => {
  add();
  queue.enqueue(Array.from({ length: 60 }, (_, at) => event(at + 1)));
  await send();
  expect(receiver.ids()).toHaveLength(60);
  const listed = view()?.deliveries.map(({ id }) => id);
  expect([listed?.length, listed?.at(0), listed?.at(-1)]).toEqual([50, "audit_60", "audit_11"]);
});

test("names by a customer's users and networks of people are no part of an event", async () => {
  add();
  queue.enqueue([
    event(1, "allowance.set", { target: "dora of 5c", after: { tokens: 5 } }),
    event(2, "incident.snoozed", { actor_address: "Ada (PagerDuty)" }),
    event(3, "deployment.saved", { actor: "id", actor_address: "Token CI …abcd" }),
    event(4, "member.joined", { actor: "id", actor_address: "ada@example.com" }),
  ]);
  await send();
  const data = receiver.received.map(({ body }) => JSON.parse(body).data);
  expect(JSON.stringify(data)).not.toContain("dora");
  expect(data.map(({ actor }) => actor.kind)).toEqual(["site", "link", "token", "member"]);
});

test("five webhooks are the most, and an address of ours or in clear text is none", () => {
  for (let nth = 0; nth < maxWebhooks; nth += 1) add(`${receiver.url}/${nth}`);
  const refusal = (url: string) => webhooks.add({ url, groups: ["people"] });
  expect(refusal(`${receiver.url}/more`)).toEqual({ refused: "too-many" });
  for (const url of [
    ...["https://site.example/hook", "https://a.site.example/", "http://hooks.example.com/"],
    ...["https://127.0.0.1/", "https://[::1]/", "https://localhost/", "https://a.internal/"],
    ...["https://user:word@hooks.example.com/", "https://hooks.example.com:8443/", "nonsense"],
  ]) {
    expect([url, refusal(url)]).toMatchObject([url, { refused: "address" }]);
  }
});

test("a view says the host of an address, and no path and no secret", () => {
  const { secret } = add(`${receiver.url}/secret-path?token=abc`);
  const text = JSON.stringify(webhooks.views());
  for (const each of [secret, "secret-path", "token"]) expect(text).not.toContain(each);
});
