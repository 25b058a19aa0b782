import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { ageSignIn, alertIn, withoutScripts } from "../../support/auth/account.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { webhookAddress, webhookMessages } from "../../support/servers/arrived.ts";
import {
  resetFakes,
  runSql,
  steerAlerts,
  steerInternet,
} from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { pollUntil } from "../../support/site/poll.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { inTrial } from "../../support/trial/begin-trial.ts";
import { isSignedBy } from "../../support/webhooks/webhook-receiver.ts";
import { newWorkspace } from "../../support/workspaces/workspaces.ts";

const owner = "owner@example.com";
const page = "/dashboard/w/okapi-team/webhooks";

let worker: RunningWorker;
let founder: Visitor;
let name: string;

beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(async () => {
  await resetFakes();
  ({ browser: founder } = await newcomer(worker.url, owner));
  await founder.request("/dashboard");
  await newWorkspace(owner, "okapi-team");
  name = crypto.randomUUID();
});

const everything = Object.fromEntries(
  ["people", "workspace", "deployments", "servers", "alerts", "agents", "billing"].map((group) => [
    group,
    "yes",
  ]),
);
const good = () => ({ intent: "add-webhook", url: webhookAddress(name), ...everything });

const shown = async () => withoutScripts(await (await founder.request(page)).text());

async function post(fields: Record<string, string>) {
  const response = await founder.post(page, fields);
  const text = await response.text();
  return { status: response.status, text: withoutScripts(text), alert: alertIn(text) };
}

const secretIn = (text: string) => /whsec_[A-Za-z0-9+/]{43}=/.exec(text)?.[0] ?? "";
const webhookIn = (text: string) => /name="webhook" value="([^"]+)"/.exec(text)?.[1] ?? "";

async function added() {
  const made = await post(good());
  expect([made.status, secretIn(made.text).length]).toEqual([200, 50]);
  return { webhook: webhookIn(made.text), secret: secretIn(made.text) };
}

const arrived = async () => {
  const all = await webhookMessages();
  return all
    .filter((each) => each.name === name)
    .map(({ headers, body }) => ({ headers, body, type: JSON.parse(body).type as string }));
};
const types = async () => (await arrived()).map(({ type }) => type);

/** A run of the cron in which every workspace with webhooks is due. */
async function handOver() {
  await runSql("update public.webhook_workspaces set called_at = 'epoch'");
  await worker.runScheduled();
}

const rename = (to: string) =>
  founder.post("/dashboard/w/okapi-team/settings", { intent: "rename", name: to });

test("what the audit log notes arrives, signed by the secret that was shown once", async () => {
  expect(await shown()).toContain("There is no webhook yet.");
  const { secret } = await added();
  expect(await shown()).not.toContain(secret);
  await rename("Renamed");
  await handOver();
  const got = await pollUntil(arrived, (all) => all.length >= 2);
  expect(got.map(({ type }) => type)).toEqual(["webhook.added", "workspace.renamed"]);
  for (const each of got) expect(isSignedBy(secret, each)).toBe(true);
  expect(JSON.parse(got[1]?.body ?? "").data).toMatchObject({
    ...{ actor: { kind: "member", name: owner }, target: { name: "Renamed" } },
  });
  await handOver();
  expect(await runSql("select from public.webhook_events")).toEqual([]);
  expect(await shown()).toContain("workspace.renamed");
  expect(await types()).toHaveLength(2);
});

test("an event that no object took waits in the database for the next run", async () => {
  await added();
  await rename("Renamed");
  const { readConfiguration } = await import("../../../app/platform/env/configuration.server.ts");
  const { handOverEvents } = await import(
    "../../../app/features/webhooks/site/hand-over.server.ts"
  );
  const { siteVariables } = await import("../../support/site/variables.ts");
  const reading = readConfiguration(siteVariables);
  if (!reading.ok) throw new Error("The configuration cannot be read");
  const away = { enqueueAuditEvents: () => Promise.reject(new Error("It is away.")) };
  const bindings = { FLEETS: away, ASSETS: {} } as unknown as Pick<Env, "FLEETS" | "ASSETS">;
  await runSql("update public.webhook_workspaces set called_at = 'epoch'");
  await handOverEvents(reading.configuration, bindings);
  expect(await runSql("select from public.webhook_events")).toHaveLength(2);
  await handOver();
  await pollUntil(types, (all) => all.includes("workspace.renamed"));
});

test("while the destination is away events wait and nothing is lost; then they come in order", async () => {
  const { webhook } = await added();
  await steerAlerts({ webhooks: "failing" });
  for (const each of ["One", "Two"]) await rename(each);
  await handOver();
  await pollUntil(types, (all) => all.length > 0);
  const waiting = await pollUntil(shown, (text) => text.includes("Does not answer"));
  expect(waiting).toContain("3 wait");
  await steerAlerts({ webhooks: "well" });
  const tried = (await arrived()).length;
  await post({ intent: "enable-webhook", webhook });
  const after = await pollUntil(arrived, (all) => all.length >= tried + 3);
  const ids = after.slice(tried).map(({ headers }) => headers["webhook-id"]);
  expect(ids[0]).toBe(after[0]?.headers["webhook-id"]);
  expect(ids).toEqual(ids.toSorted());
});

test("one that answers 410 is off, the log says so, and the owners are mailed", async () => {
  await added();
  await steerAlerts({ webhooks: "gone" });
  await handOver();
  await pollUntil(shown, (text) => text.includes("it answered 410"));
  await handOver();
  const mails = await mailsTo(owner);
  expect(mails.map(({ subject }) => subject)).toContain("A webhook of okapi-team was switched off");
  const lines = await runSql("select from public.audit_log where action = 'webhook.failed'");
  expect(lines).toHaveLength(1);
  await handOver();
  expect(await mailsTo(owner)).toHaveLength(mails.length);
});

test("a test, a new secret, off, on, another choice, once more and removal do what they say", async () => {
  const { webhook, secret } = await added();
  expect((await post({ intent: "test-webhook", webhook })).text).toContain("The test arrived.");
  const rotated = await post({ intent: "rotate-webhook", webhook });
  const newer = secretIn(rotated.text);
  expect(rotated.text).toContain("For 24 hours both secrets sign.");
  await post({ intent: "test-webhook", webhook });
  const last = (await arrived()).at(-1);
  expect([secret, newer].map((each) => last && isSignedBy(each, last))).toEqual([true, true]);
  const off = await post({ intent: "disable-webhook", webhook });
  expect(off.text).toContain("The webhook is off");
  expect((await post({ intent: "enable-webhook", webhook })).text).toContain("The webhook is on");
  const changed = await post({ intent: "change-webhook", webhook, url: "", people: "yes" });
  expect(changed.text).toContain("Gets: Sign-ins, members and invitations.");
  const event = /name="event" value="([^"]+)"/.exec(changed.text)?.[1] ?? "";
  const before = (await arrived()).length;
  const again = await post({ intent: "repeat-event", webhook, event });
  expect(again.text).toContain("is being sent once more");
  const repeated = await pollUntil(arrived, (all) => all.length > before);
  expect(repeated.at(-1)?.headers["webhook-id"]).toBe(event);
  const removed = await post({ intent: "remove-webhook", webhook });
  expect(removed.text).toContain("The webhook is removed.");
  expect(await shown()).toContain("There is no webhook yet.");
  expect((await post({ intent: "test-webhook", webhook })).status).toBe(404);
});

test.each([
  ["http://hooks.example.com/", "must begin with https://"],
  ["https://127.0.0.1/", "name"],
  ["nonsense", "Write a whole address"],
])("%s is no address of a webhook, and what was typed stays", async (url, sentence) => {
  const { status, alert, text } = await post({ ...good(), url });
  expect([status, alert]).toEqual([400, expect.stringContaining(sentence)]);
  expect(text).toContain(`value="${url}"`);
  expect(await shown()).toContain("There is no webhook yet.");
  expect(await runSql("select from public.audit_log where action like 'webhook.%'")).toEqual([]);
});

test("a name that leads into a private network is refused when it is saved and when it is sent to", async () => {
  const host = { name: "hooks.example.com", AAAA: [] };
  await steerInternet({ ...host, A: ["10.0.0.7"] });
  const url = "https://hooks.example.com/events";
  const refused = await post({ ...good(), url });
  expect([refused.status, refused.alert]).toEqual([
    400,
    expect.stringContaining("not of the public internet"),
  ]);
  await steerInternet({ ...host, A: ["1.1.1.1"] });
  const { status, text } = await post({ ...good(), url });
  expect(status).toBe(200);
  await steerInternet({ ...host, A: ["169.254.169.254"] });
  const tested = await post({ intent: "test-webhook", webhook: webhookIn(text) });
  expect([tested.status, tested.text]).toEqual([
    502,
    expect.stringContaining("not of the public internet"),
  ]);
});

test("a sign-in that is not recent neither adds nor changes one, and what was typed stays; it may switch one off", async () => {
  const { webhook } = await added();
  ageSignIn(founder, 16);
  const url = "https://hooks.example.com/too-late";
  const forms: Record<string, string>[] = [
    { ...good(), url },
    { intent: "change-webhook", webhook, url, people: "yes" },
    { intent: "rotate-webhook", webhook },
  ];
  for (const fields of forms) {
    const late = await post(fields);
    expect([fields.intent, late.status]).toEqual([fields.intent, 403]);
    if (fields.url) expect(late.text).toContain(`value="${url}"`);
    expect(secretIn(late.text)).toBe("");
  }
  expect((await post({ intent: "disable-webhook", webhook })).status).toBe(200);
});

test("a trial has no webhook, and reads how to have an account", async () => {
  const trial = await inTrial();
  expect((await trial.post("/dashboard/webhooks", good())).status).toBe(403);
});
