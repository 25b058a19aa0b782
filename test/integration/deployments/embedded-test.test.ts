import { beforeEach, expect, test } from "vitest";
import { database, personalWorkspaceOf, userIdOf } from "../../support/database/database.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { storeTestEmbed } from "../../support/deployments/test-links.ts";
import { failedResult, goodResult } from "../../support/deployments/test-results.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { webhookAddress, webhookMessages } from "../../support/servers/arrived.ts";
import { controlFleet } from "../../support/servers/control-fleet.ts";
import {
  resetFakes,
  steerAlerts,
  steerInternet,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";
const help = "https://help.example.com";

let owner: Visitor;
let id: string;
const here = () => `/dashboard/deployments/${id}/connection-test`;

beforeEach(async () => {
  await resetFakes();
  await steerServer(domain, "livekit");
  owner = await customer("pro", email);
  id = await storeDeployment(email, fullOptions());
});

const directivesOf = ({ headers }: Response) =>
  headers.get("content-security-policy")?.split("; ") ?? [];
const ancestorsOf = (response: Response) =>
  directivesOf(response).filter((each) => each.startsWith("frame-ancestors"));
const textOf = async (response: Response) =>
  textOfHtml((await response.text()).replaceAll(/<wbr\/?>/g, "")).replaceAll("&#x27;", "'");
const post = (path: string, result: unknown, more: Record<string, string> = {}) =>
  new Visitor().post(`${path}.data`, { result: JSON.stringify(result), ...more });
const results = async () =>
  (
    await database
      .from("connection_tests")
      .select("embed_id, result")
      .eq("deployment_id", id)
      .throwOnError()
  ).data;

/** A webhook of somebody's workspace, which gets alerts; answers its id. */
async function webhook(name: string, visitor = owner, deployment = id): Promise<string> {
  await visitor.post(`/dashboard/deployments/${deployment}`, { intent: "connect" });
  await visitor.post("/dashboard/alerts", { intent: "add-webhook", url: webhookAddress(name) });
  const html = await (await visitor.request("/dashboard/alerts")).text();
  const ids = [...html.matchAll(/name="channel" value="([^"]+)"/g)].map(([, each = ""]) => each);
  return ids.at(-1) ?? "none";
}

/** Moves the clock of somebody's fleet, and does what is due by then. */
async function moveClock(ms: number, of = email): Promise<void> {
  const workspace = await personalWorkspaceOf(await userIdOf(of));
  await controlFleet(siteUrl, workspace, "clock", { ms });
}

const arrivedAt = async (name: string) =>
  (await webhookMessages()).filter((each) => each.name === name);

test("a framed test may be framed by the named sites alone, and nothing is set, cached or told to others", async () => {
  const origins = [help, "https://app.example.com:8443"];
  const path = `/connection-test/embed/${await storeTestEmbed(id, origins)}`;
  const reader = new Visitor();
  const response = await reader.request(path);
  expect(response.status).toBe(200);
  expect(ancestorsOf(response)).toEqual([`frame-ancestors ${origins.join(" ")}`]);
  expect(response.headers.get("x-frame-options")).toBeNull();
  expect(response.headers.get("set-cookie")).toBeNull();
  expect(reader.cookies.size).toBe(0);
  expect(response.headers.get("cache-control")).toBe("no-store");
  expect(response.headers.get("referrer-policy")).toBe("no-referrer");
  const directives = directivesOf(response);
  expect(directives).toContain(`connect-src 'self' https://${domain} wss://${domain}`);
  expect(directives).toContain("frame-src 'none'");
  expect(directives).toContain("form-action 'self'");
  expect(directives.filter((each) => each.startsWith("script-src")).join()).not.toMatch(
    /https|unsafe/,
  );
  const html = await response.text();
  expect(html).toContain('<meta name="robots" content="noindex"/>');
  expect(textOfHtml(html)).toContain(`Does this network let calls through to ${domain}?`);
  expect(html).not.toContain("Production");
  expect(html).not.toContain("The help page");
});

test("no other page of ours is framed by them, also not the same test by a link", async () => {
  await storeTestEmbed(id);
  for (const path of ["/", "/signin", "/connection-test/short", "/connection-test/embed/none"]) {
    expect(ancestorsOf(await new Visitor().request(path))).toEqual(["frame-ancestors 'none'"]);
  }
  expect(ancestorsOf(await owner.request(here()))).toEqual(["frame-ancestors 'none'"]);
});

test("what is no origin is in no policy, also where the database holds it", async () => {
  const path = `/connection-test/embed/${await storeTestEmbed(id, ["*", "https://a.example;x"])}`;
  expect(ancestorsOf(await new Visitor().request(path))).toEqual(["frame-ancestors 'none'"]);
});

test("an ended one says so in its frame, and one that never was or is of a deleted deployment is 404", async () => {
  const embed = await storeTestEmbed(id);
  const path = `/connection-test/embed/${embed}`;
  expect(await textOf(await owner.post(here(), { intent: "end-embed", embed }))).toContain(
    "The test in that page has ended.",
  );
  const ended = await new Visitor().request(path);
  expect([ended.status, ancestorsOf(ended)]).toEqual([410, [`frame-ancestors ${help}`]]);
  expect(directivesOf(ended).join()).not.toContain(domain);
  expect(await textOf(ended)).toContain("This test has ended. Tell whoever runs this page.");
  expect((await post(path, goodResult)).status).toBe(410);
  expect(await textOf(await owner.post(here(), { intent: "end-embed", embed }))).toContain(
    "This embedded test has ended already.",
  );
  for (const other of [crypto.randomUUID(), "short", "..%2fdashboard"]) {
    expect((await new Visitor().request(`/connection-test/embed/${other}`)).status).toBe(404);
  }
  const gone = `/connection-test/embed/${await storeTestEmbed(id)}`;
  await owner.post(`/dashboard/deployments/${id}/delete`, { name: "Production" });
  expect((await new Visitor().request(gone)).status).toBe(404);
  expect((await post(gone, goodResult)).status).toBe(404);
  expect(await results()).toEqual([]);
});

test("a name that leads into a private network is tested by no frame", async () => {
  const path = `/connection-test/embed/${await storeTestEmbed(id)}`;
  await steerInternet({ name: domain, A: ["10.0.0.5"] });
  const response = await new Visitor().request(path);
  expect(directivesOf(response).join()).not.toContain(domain);
  expect(await textOf(response)).toContain("leads to an address that is not on the internet");
});

test("a result is in the console, and at the webhook with its sentence and the customer's mark", async () => {
  const name = crypto.randomUUID();
  const channel = await webhook(name);
  const embed = await storeTestEmbed(id, [help], channel);
  const path = `/connection-test/embed/${embed}`;
  const sent = { ...failedResult("no-media") };
  expect((await post(path, sent, { reference: "ticket-4711" })).status).toBe(200);
  await moveClock(0);
  const [message, ...more] = await arrivedAt(name);
  expect(more).toEqual([]);
  expect(message?.headers["webhook-signature"]).toMatch(/^v1,/);
  const { type, data } = JSON.parse(message?.body ?? "{}");
  expect(type).toBe("connection.tested");
  expect(data.connection_test).toMatchObject({
    ...{ reference: "ticket-4711", domain, grade: "failed" },
    deployment: { id, name: "Production" },
    embed: { id: embed, label: "The help page" },
    title: "LiveKit answers here, but sound and picture get through on no way.",
    result: { ...sent, outside: "livekit" },
  });
  expect(await results()).toEqual([{ embed_id: embed, result: { ...sent, outside: "livekit" } }]);
  const text = await textOf(await owner.request(here()));
  expect(text).toContain("The help page · Firefox 144");
  expect(text).not.toContain("ticket-4711");
});

test("the result stays in the console where its webhook was removed; one of another workspace gets nothing", async () => {
  const name = crypto.randomUUID();
  const channel = await webhook(name);
  const them = "customer.two@example.com";
  const stranger = await customer("pro", them);
  const deployment = await storeDeployment(them, fullOptions());
  const theirs = await webhook(`${name}-theirs`, stranger, deployment);
  await owner.post("/dashboard/alerts", { intent: "remove", channel });
  for (const target of [channel, theirs]) {
    const path = `/connection-test/embed/${await storeTestEmbed(id, [help], target)}`;
    expect((await post(path, goodResult)).status).toBe(200);
  }
  await moveClock(0);
  await moveClock(0, them);
  expect([await arrivedAt(name), await arrivedAt(`${name}-theirs`)]).toEqual([[], []]);
  expect(await results()).toHaveLength(2);
});

test("a webhook that is down gets the result later, with the same id", async () => {
  const name = crypto.randomUUID();
  const channel = await webhook(name);
  const path = `/connection-test/embed/${await storeTestEmbed(id, [help], channel)}`;
  await steerAlerts({ webhooks: "failing" });
  await post(path, goodResult);
  await moveClock(0);
  await steerAlerts({ webhooks: "well" });
  await moveClock(2 * 60_000);
  const ids = (await arrivedAt(name)).map(({ headers }) => headers["webhook-id"]);
  expect(ids.length).toBeGreaterThan(1);
  expect(new Set(ids).size).toBe(1);
});

test("nothing but a result is taken, nothing from another site, and five hundred in a day", async () => {
  const embed = await storeTestEmbed(id);
  const path = `/connection-test/embed/${embed}`;
  for (const sent of [
    { ...goodResult, note: "hello" },
    { ...goodResult, outside: "nothing" },
    null,
  ]) {
    expect((await post(path, sent)).status).toBe(400);
  }
  const foreign = await fetch(`${siteUrl}${path}.data`, {
    method: "POST",
    headers: { origin: help },
    body: new URLSearchParams({ result: JSON.stringify(goodResult) }),
  });
  expect(foreign.status).toBe(403);
  expect(await results()).toEqual([]);
  const row = { deployment_id: id, embed_id: embed, result: goodResult };
  await database
    .from("connection_tests")
    .insert(Array.from({ length: 499 }, () => row))
    .throwOnError();
  expect((await post(path, goodResult)).status).toBe(200);
  expect((await post(path, goodResult)).status).toBe(429);
  expect(await results()).toHaveLength(500);
});

test("a member's own fifty results do not push out those of a framed test", async () => {
  const embed_id = await storeTestEmbed(id);
  await database
    .from("connection_tests")
    .insert([{ deployment_id: id, embed_id, result: goodResult, ran_at: "2026-01-01T00:00:00Z" }])
    .throwOnError();
  const member = { deployment_id: id, result: goodResult };
  await database
    .from("connection_tests")
    .insert(Array.from({ length: 51 }, () => member))
    .throwOnError();
  await owner.post(`${here()}.data`, { intent: "result", result: JSON.stringify(goodResult) });
  const of = await results();
  expect(of.filter((each) => each.embed_id === embed_id)).toHaveLength(1);
  expect(of.filter((each) => each.embed_id === null)).toHaveLength(50);
});

test("a member allows pages, copies the line for them, and both acts are in the audit log", async () => {
  const name = crypto.randomUUID();
  const channel = await webhook(name);
  const page = await owner.request(here());
  expect(await page.text()).toContain(`value="${channel}"`);
  const form = { intent: "embed", label: "Help", origins: `${help}\nhttps://app.example.com` };
  const made = await textOf(await owner.post(here(), { ...form, channel }));
  expect(made).toContain("Pages of these sites may show the test now.");
  const { data: rows } = await database
    .from("connection_test_embeds")
    .select("id, origins, channel")
    .eq("deployment_id", id)
    .throwOnError();
  expect(rows).toEqual([
    { id: expect.any(String), origins: [help, "https://app.example.com"], channel },
  ]);
  const embed = rows[0]?.id ?? "";
  const shown = await textOf(await owner.request(here()));
  expect(shown).toContain(`${siteUrl}/connection-test/embed/${embed}#TOKEN`);
  await owner.post(here(), { intent: "end-embed", embed });
  const { data: log } = await database
    .from("audit_log")
    .select("action, after")
    .eq("target_id", id)
    .like("action", "deployment.test-embed%")
    .order("id")
    .throwOnError();
  expect(log).toEqual([
    {
      action: "deployment.test-embedded",
      after: { place: "Help", origins: [help, "https://app.example.com"] },
    },
    { action: "deployment.test-embed-ended", after: { place: "Help" } },
  ]);
});

test.each([
  [{ label: "" }, 400, "Name the place in 1 to 80 characters"],
  [{ origins: "https://*.example.com" }, 400, "cannot be allowed"],
  [{ origins: "help.example.com" }, 400, "Write a whole address with https://"],
  [{ channel: "00000000-0000-4000-8000-000000000000" }, 404, "This webhook is not there any more."],
])("pages are not allowed by %j, and what was typed stays", async (wrong, status, sentence) => {
  const form = { intent: "embed", label: "Help", origins: help, channel: "", ...wrong };
  const answer = await owner.post(here(), form);
  expect(answer.status).toBe(status);
  const html = await answer.text();
  expect(textOfHtml(html)).toContain(sentence);
  expect(html).toContain(form.origins);
});

test("five embedded tests of a deployment are open at most", async () => {
  for (let count = 0; count < 5; count++) await storeTestEmbed(id);
  const form = { intent: "embed", label: "Help", origins: help, channel: "" };
  const answer = await owner.post(here(), form);
  expect(answer.status).toBe(403);
  expect(await textOf(answer)).toContain("Five embedded tests");
});

test("a stranger neither ends an embedded test of others nor makes one for their deployment", async () => {
  const embed = await storeTestEmbed(id);
  const stranger = await signedIn("customer.two@example.com");
  const other = await storeDeployment("customer.two@example.com", fullOptions());
  expect((await stranger.post(here(), { intent: "end-embed", embed })).status).toBe(404);
  const theirs = `/dashboard/deployments/${other}/connection-test`;
  expect((await stranger.post(theirs, { intent: "end-embed", embed })).status).toBe(404);
  const form = { intent: "embed", label: "Help", origins: help, channel: "" };
  expect((await stranger.post(here(), form)).status).toBe(404);
  expect((await new Visitor().request(`/connection-test/embed/${embed}`)).status).toBe(200);
});
