import { beforeEach, expect, test } from "vitest";
import texts from "../../../app/content/workspace-pages.json" with { type: "json" };
import { readNode } from "../../../scripts/deploy/program.ts";
import { alertIn, withoutScripts } from "../../support/auth/account.ts";
import { mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { startFaultProxy } from "../../support/faults/fault-proxy.ts";
import { fakes, resetFakes, runSql, steerInternet } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  connectedWorkspace,
  rolesIn,
  signInBySso,
} from "../../support/workspaces/single-sign-on.ts";
import { addMember, newWorkspace } from "../../support/workspaces/workspaces.ts";

const owner = "customer.one@example.com";
const settings = "/dashboard/w/okapi-team/settings";
const { sso: words } = texts.settings;

beforeEach(resetFakes);

async function change(visitor: Visitor, act: string, value = "", more = {}) {
  const response = await visitor.post(settings, { intent: "sso", act, value, ...more });
  const page = await response.text();
  return {
    page: withoutScripts(page),
    status: response.status,
    location: response.headers.get("location"),
    alert: alertIn(page),
  };
}

const settingsOf = async (visitor: Visitor) =>
  withoutScripts(await (await visitor.request(settings)).text());

const operator = (...parameters: string[]) => operatorAt(fakes().supabase.url, ...parameters);

async function operatorAt(url: string, ...parameters: string[]) {
  process.env.SUPABASE_URL = url;
  process.env.SUPABASE_SECRET_KEY = variable("SUPABASE_SECRET_KEY");
  try {
    return await readNode("scripts/sso/sso.ts", parameters);
  } finally {
    Reflect.deleteProperty(process.env, "SUPABASE_URL");
    Reflect.deleteProperty(process.env, "SUPABASE_SECRET_KEY");
  }
}

test("an operator offers it, the owner verifies a domain by its TXT record, the operator connects it", async () => {
  const founder = await signedIn(owner);
  const team = await newWorkspace(owner, "okapi-team");
  expect(await settingsOf(founder)).toContain("It is part of Enterprise.");
  expect((await change(founder, "add", "okapi.example")).status).toBe(400);
  expect((await operator("offer", "okapi-team")).code).toBe(0);

  expect((await change(founder, "add", "https://okapi.example")).alert).toContain("Write a domain");
  expect((await change(founder, "add", "Okapi.example")).location).toContain("done=sso");
  // Nobody promises to connect what is not verified.
  await change(founder, "metadata", "https://idp.okapi.example/metadata");
  const page = await settingsOf(founder);
  expect(page).toContain(words.begin);
  expect(page).not.toContain("within a working day");
  const [record = ""] = /livekit-deploy=[0-9a-f]{32}/.exec(page) ?? [];
  expect(page).toContain("_livekit-deploy.okapi.example");
  const early = await change(founder, "verify", "okapi.example");
  expect([early.status, early.alert]).toEqual([
    409,
    "The record is not there yet, or says something else. DNS can take an hour; then check again.",
  ]);
  expect((await operator("connect", "okapi-team")).complaint).toContain(
    "No domain is verified yet.",
  );
  await steerInternet({ name: "_livekit-deploy.okapi.example", TXT: ["v=spf1 -all", record] });
  expect((await change(founder, "verify", "okapi.example")).location).toContain("done=sso");
  expect((await change(founder, "metadata", "http://idp.example")).alert).toContain("https://");
  expect(await settingsOf(founder)).toContain(words.waiting);
  const connected = await operator("connect", "okapi-team");
  expect([connected.code, connected.output]).toEqual([0, "✓ Connected for okapi.example.\n"]);
  await signInBySso("ada@okapi.example");
  expect(await rolesIn(team, "ada@okapi.example")).toHaveLength(1);
  expect((await operator("unknown", "okapi-team")).code).toBe(2);
});

const providers = async () =>
  (await runSql<{ id: string }>("select id from auth.sso_providers")).map(({ id }) => id);

test("what the owner ended is taken away at the auth server, and it is connected anew", async () => {
  const founder = await signedIn(owner);
  await connectedWorkspace(owner, "okapi-team", ["okapi.example"]);
  const [first = ""] = await providers();
  await change(founder, "end", "", { sure: "yes" });
  expect(await providers()).toEqual([first]);
  expect((await operator("disconnect", "okapi-team")).code).toBe(0);
  expect(await providers()).toEqual([]);

  const connected = ["✓ Connected for okapi.example.\n", "✓ Its domains are okapi.example.\n"];
  for (const output of connected) {
    expect((await operator("connect", "okapi-team")).output).toBe(output);
  }
  const [second = ""] = await providers();
  await change(founder, "end", "", { sure: "yes" });
  await change(founder, "metadata", "https://idp.okapi.example/other");
  expect((await operator("connect", "okapi-team")).output).toBe(connected[0]);
  const now = await providers();
  expect(now).toHaveLength(1);
  expect(now).not.toContain(second);
  expect((await operator("disconnect", "okapi-team")).code).toBe(0);
  expect(await providers()).toEqual([]);
});

test("a provider that the database did not record is taken away again, at once or by the next command", async () => {
  await signedIn(owner);
  await connectedWorkspace(owner, "okapi-team", ["okapi.example"]);
  expect((await operator("disconnect", "okapi-team")).code).toBe(0);
  await using proxy = await startFaultProxy(fakes().supabase.url);
  proxy.behave(async ({ method, path }, forward) =>
    method === "PATCH" && path.startsWith("/rest/v1/sso_connections")
      ? { status: 400, headers: { "content-type": "application/json" }, body: "{}" }
      : forward(),
  );
  expect((await operatorAt(proxy.url, "connect", "okapi-team")).code).toBe(1);
  expect(await providers()).toEqual([]);

  // The command was ended between its two calls.
  await runSql(
    "insert into auth.sso_providers (id, metadata_url, domains) values (gen_random_uuid(), $1, $2)",
    ["https://okapi-team.example/metadata", ["okapi.example"]],
  );
  expect((await operator("connect", "okapi-team")).code).toBe(0);
  expect(await providers()).toHaveLength(1);
  await runSql("update public.sso_connections set provider = null");
  expect((await operator("disconnect", "okapi-team")).code).toBe(0);
  expect(await providers()).toEqual([]);
});

test("what takes the workspace from members names them first, and changes nothing before the second press", async () => {
  const founder = await signedIn(owner);
  const team = await connectedWorkspace(owner, "okapi-team", ["example.com"]);
  await signedIn("customer.two@example.com");
  await addMember(team, "customer.two@example.com", "operator");
  await signInBySso("ada@example.com");
  const members = async () => [
    ...(await rolesIn(team, "customer.two@example.com")),
    ...(await rolesIn(team, "ada@example.com")),
  ];
  const roles = [
    { role: "operator", is_sso_user: false },
    { role: "viewer", is_sso_user: true },
  ];
  for (const [act, value, named, other] of [
    ["require", "", "customer.two@example.com", "ada@example.com"],
    ["end", "", "ada@example.com", "customer.two@example.com"],
    ["remove", "example.com", "ada@example.com", "customer.two@example.com"],
  ] as const) {
    const confirmation = await change(founder, act, value);
    expect([confirmation.status, confirmation.location]).toEqual([200, null]);
    expect.soft(confirmation.page, act).toContain(`>${named}<`);
    expect.soft(confirmation.page, act).not.toContain(`>${other}<`);
    expect.soft(confirmation.page, act).toContain('name="sure"');
    expect(await members(), act).toEqual(roles);
  }
  expect((await change(founder, "require", "", { sure: "yes" })).location).toContain("done=sso");
  expect(await members()).toEqual([{ role: "viewer", is_sso_user: true }]);
});

test("whoever comes to a full workspace is told so, and its owners once a day", async () => {
  await signedIn(owner);
  const team = await connectedWorkspace(owner, "okapi-team", ["example.com"]);
  await signInBySso("ada@example.com");
  await signInBySso("ben@example.com");
  const eve = await signInBySso("eve@example.com");
  expect(eve.location).toBe("/dashboard?notice=sso-full");
  expect(await rolesIn(team, "eve@example.com")).toEqual([]);
  const overview = withoutScripts(await (await eve.visitor.request(eve.location)).text());
  expect(overview).toContain("has as many members as its plan holds, so you are not in it");
  await mailTo(owner, "okapi-team is full: eve@example.com could not join");
  await signInBySso("fay@example.com");
  const full = (await mailsTo(owner)).filter((mail) => mail.subject.includes("is full"));
  expect(full).toHaveLength(1);
  await runSql("delete from public.members where workspace_id = $1 and role = 'viewer'", [team.id]);
  expect((await signInBySso("eve@example.com")).location).toBe("/dashboard");
});
