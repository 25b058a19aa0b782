import { beforeEach, expect, test } from "vitest";
import { mailsTo, mailTo } from "../../../support/auth/inbox.ts";
import { addAccount } from "../../../support/database/as-person.ts";
import { fullOptions, storeDeployment } from "../../../support/deployments/deployments.ts";
import { customer } from "../../../support/deployments/wizard.ts";
import { sample, testInProof } from "../../../support/run/variants.ts";
import { enrolMachines } from "../../../support/servers/connect-server.ts";
import { controlFleet } from "../../../support/servers/control-fleet.ts";
import { resetFakes, runSql } from "../../../support/site/control-fakes.ts";
import { textAt } from "../../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../../support/site/visitor.ts";
import {
  addMember,
  personalWorkspace,
  type StoredWorkspace,
} from "../../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const routingKey = "e93facc04764012d7bfb002500d5d1a6";

let owner: Visitor;
let member: Visitor;
let team: StoredWorkspace;
let page: string;
let deployment: string;

/** Ada's workspace with a token, so that Ada is notified by mail; Ben is a member. */
beforeEach(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  member = await signedIn(ben);
  team = await personalWorkspace(ada);
  await addMember(team, ben, "operator");
  page = `/dashboard/w/${team.slug}/alerts`;
  deployment = await storeDeployment(ada, fullOptions());
  await owner.post(`/dashboard/w/${team.slug}/deployments/${deployment}`, { intent: "connect" });
});

const personId = async (email: string) => {
  const [found] = await runSql<{ id: string }>("select id from auth.users where email = $1", [
    email,
  ]);
  return found?.id ?? "none";
};
const addBen = async () =>
  owner.post(page, { intent: "add-mail", person: await personId(ben), turn: "second" });

/** `at`: the page's address, which names no workspace where a user is alone in their personal one. */
async function channelsAt(at = page): Promise<string[]> {
  const html = await (await owner.request(at)).text();
  const ids = [...html.matchAll(/name="channel" value="([^"]+)"/g)].map(([, id = ""]) => id);
  return [...new Set(ids)];
}

test("mail goes to a member with a confirmed address, and to nobody else", async () => {
  const stranger = crypto.randomUUID();
  await addAccount(runSql, stranger, "stranger@example.com");
  for (const person of [stranger, "none", ada]) {
    const refused = await owner.post(page, { intent: "add-mail", person });
    expect(refused.status).toBe(400);
  }
  await runSql("update auth.users set email_confirmed_at = null where email = $1", [ben]);
  expect((await addBen()).status).toBe(400);
  await runSql("update auth.users set email_confirmed_at = now() where email = $1", [ben]);
  expect((await addBen()).headers.get("location")).toMatch(/alerts\?done=added$/);
  expect(await textAt(owner, page)).toContain(`Mail to ${ben}`);
});

testInProof("a viewer sees no address but their own, and no form", async () => {
  await addBen();
  await owner.post(`/dashboard/w/${team.slug}/members`, {
    ...{ intent: "role", person: await personId(ben), role: "viewer" },
  });
  const html = await (await member.request(page)).text();
  expect(html).toContain("cu…@example.com");
  expect(html).toContain(ben);
  expect(html).not.toContain(ada);
  expect(html).not.toContain('name="channel"');
});

test.each(sample(["removed", "leaves", "deletes the account"], 1))(
  "a member gets no notification from the moment on at which they are gone: %s",
  async (how) => {
    await addBen();
    expect(await channelsAt()).toHaveLength(2);
    if (how === "removed") {
      const members = `/dashboard/w/${team.slug}/members`;
      await owner.post(members, { intent: "remove", person: await personId(ben) });
    } else if (how === "leaves") {
      await member.post(`/dashboard/w/${team.slug}/members`, { intent: "leave" });
    } else {
      await member.post("/dashboard/account", { intent: "delete", confirmation: ben });
    }
    expect(await channelsAt("/dashboard/alerts")).toHaveLength(1);
    expect(await textAt(owner, "/dashboard/alerts")).not.toContain(`Mail to ${ben}`);
  },
);

test("a service is added by its form, what is wrong with it is said, and no secret comes back", async () => {
  const token = "110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw";
  const form = { intent: "add-service", kind: "telegram", token, name: "#on-call" };
  const refused = await owner.post(page, { ...form, chat: "Operations" });
  expect(refused.status).toBe(400);
  const html = await refused.text();
  expect(html).toContain("A chat is a number such as -1001234567890");
  expect(html).toContain('value="Operations"');
  expect(html).not.toContain(token);
  const added = await owner.post(page, { ...form, chat: "-100123" });
  expect(added.headers.get("location")).toMatch(/alerts\?done=added$/);
  expect(await textAt(owner, page)).toContain("Telegram, #on-call");
  expect(await (await owner.request(page)).text()).not.toContain(token);
  const unknown = await owner.post(page, { ...form, kind: "carrier-pigeon" });
  expect(unknown.status).toBe(400);
});

test("the page of members says which channels end with a member, they do, and owners are mailed (N4)", async () => {
  await addBen();
  await member.post(page, { intent: "add-pagerduty", key: routingKey });
  const members = `/dashboard/w/${team.slug}/members`;
  expect(await textAt(owner, members)).toContain(
    `These channels of alerts end, and the others are told: Mail to ${ben}; PagerDuty, key …d1a6.`,
  );
  await owner.post(members, { intent: "remove", person: await personId(ben) });
  expect(await textAt(owner, "/dashboard/alerts")).not.toContain("PagerDuty, key");
  const { text } = await mailTo(ada, "Channels of alerts of Personal have ended");
  expect(text).toContain(`Mail to ${ben}; PagerDuty, key …d1a6.`);
  expect(text).toContain(`/dashboard/w/${team.slug}/alerts`);
});

testInProof(
  "each change is in the audit log, without a key, a path or a whole address",
  async () => {
    await owner.post(page, { intent: "add-pagerduty", key: routingKey });
    await owner.post(page, { intent: "add-webhook", url: "https://hooks.example.com/very-secret" });
    const [mail = ""] = await channelsAt();
    await owner.post(page, { intent: "turn", channel: mail, turn: "second" });
    await owner.post(page, { intent: "test", channel: mail });
    await owner.post(page, { intent: "remove", channel: mail });
    const rows = await runSql<{ action: string }>(
      "select action, target, before, after from public.audit_log where action like 'channel.%' order by id",
    );
    expect(rows.map(({ action }) => action)).toEqual([
      "channel.added",
      "channel.added",
      "channel.added",
      "channel.turn-changed",
      "channel.tested",
      "channel.removed",
    ]);
    const auditText = JSON.stringify(rows);
    for (const hidden of [routingKey, "very-secret", ada]) expect(auditText).not.toContain(hidden);
    const tests = (await mailsTo(ada)).filter(({ subject }) => subject.startsWith("A test of"));
    expect(tests).toHaveLength(1);
  },
);

testInProof(
  "the page warns when nobody is notified, when all wait, and when there is only one channel",
  async () => {
    expect(await textAt(owner, page)).toContain("Only one channel is told.");
    const [mail = ""] = await channelsAt();
    await owner.post(page, { intent: "turn", channel: mail, turn: "second" });
    expect(await textAt(owner, page)).toContain("Nobody is told at once");
    await owner.post(page, { intent: "remove", channel: mail });
    expect(await textAt(owner, page)).toContain("Nobody is told when a server is down.");
  },
);

test("what is acknowledged by the link of a mail is in the audit log once, at its time and with who", async () => {
  const [machine] = await enrolMachines(owner, deployment, 1);
  await machine?.report(2, ["finding\tturn.udp.silent\tcritical\t\t\t"]);
  await controlFleet(owner.siteUrl, team.id, "clock", { ms: 0 });
  const [mail] = await mailsTo(ada);
  const link = /https?:\/\/\S+\/acknowledge\?link=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
  const body = new URLSearchParams({ act: "acknowledge" });
  const headers = { origin: new URL(link).origin };
  const pressed = await fetch(link, { method: "POST", headers, body, redirect: "manual" });
  expect(pressed.status).toBe(303);
  const noted = () =>
    runSql<{ actor_address: string; target: string; age: number }>(
      `select actor_address, target, extract(epoch from now() - at)::int as age
       from public.audit_log where action = 'incident.acknowledged'`,
    );
  expect(await noted()).toEqual([]);
  const audit = `/dashboard/w/${team.slug}/audit`;
  for (let times = 0; times < 2; times += 1) {
    expect(await textAt(owner, audit)).toContain("Acknowledged what is wrong with sfu-1");
  }
  expect(await noted()).toEqual([{ actor_address: ada, target: "sfu-1", age: expect.any(Number) }]);
});

test("a snooze until morning ends at nine by the clocks of the team's time zone", async () => {
  const [machine] = await enrolMachines(owner, deployment, 1);
  await machine?.report(2, ["finding\tturn.udp.silent\tcritical\t\t\t"]);
  await owner.post(page, { intent: "zone", zone: "Asia/Kathmandu" });
  const server = `/dashboard/w/${team.slug}/servers/${machine?.server}`;
  const html = await (await owner.request(server)).text();
  expect(html).toContain("until 09:00 Asia/Kathmandu");
  const [, incident = ""] = /name="incident" value="([^"]+)"/.exec(html) ?? [];
  await owner.post(server, { intent: "snooze", incident, until: "morning" });
  await owner.post(`/dashboard/w/${team.slug}?index`, {
    intent: "many",
    of: "all",
    act: "snooze-morning",
  });
  const ends = await runSql<{ until: string }>(
    "select after ->> 'until' as until from public.audit_log where action = 'incident.snoozed'",
  );
  expect(ends).toHaveLength(2);
  for (const { until } of ends) expect(until).toMatch(/T03:15:00.000Z$/);
});
