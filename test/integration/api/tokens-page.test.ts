import { beforeEach, expect, test } from "vitest";
import { ApiClient } from "../../support/api/api-client.ts";
import { DescribedApi } from "../../support/api/described-api.ts";
import { ageSignIn, alertIn, withoutScripts } from "../../support/auth/account.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { inTrial } from "../../support/trial/begin-trial.ts";
import { addMember, newWorkspace, removeMember } from "../../support/workspaces/workspaces.ts";

const owner = "owner@example.com";
const page = "/dashboard/w/okapi-team/tokens";
const good = { intent: "make-token", name: "CI", "servers:read": "yes", days: "90" };

let founder: Visitor;
let team: { id: string; slug: string };

beforeEach(async () => {
  await resetFakes();
  ({ browser: founder } = await newcomer(siteUrl, owner));
  await founder.request("/dashboard");
  team = await newWorkspace(owner, "okapi-team");
});

const shown = async (visitor = founder) =>
  withoutScripts(await (await visitor.request(page)).text());

async function post(fields: Record<string, string>, visitor = founder) {
  const response = await visitor.post(page, fields);
  const text = await response.text();
  return { status: response.status, text: withoutScripts(text), alert: alertIn(text) };
}

const tokenIn = (text: string) => /lkd_w_[0-9A-Za-z]{43}/.exec(text)?.[0] ?? "";

test("an owner makes a token, sees it once, uses it, sees when, and revokes it", async () => {
  expect(await shown()).toContain("There is no token yet.");
  const made = await post(good);
  const token = tokenIn(made.text);
  expect([made.status, token.length]).toEqual([200, 49]);
  const list = await shown();
  expect(list).not.toContain(token);
  expect(list).toContain(`…${token.slice(-4)}, made`);
  expect(list).toContain("never used");
  const client = new ApiClient(await DescribedApi.served(), token);
  expect((await client.get("/servers")).value).toEqual({ items: [], next_cursor: null });
  expect(await shown()).toContain("last used on");
  const [row] = await runSql<{ id: string; row: string }>(
    "select id, t::text as row from public.workspace_tokens t",
  );
  expect(row?.row).not.toContain(token);
  const revoked = await post({ intent: "revoke-token", token: row?.id ?? "" });
  expect(revoked.text).toContain("The token is revoked");
  expect((await client.get("/servers")).status).toBe(401);
  expect(await shown()).toContain("There is no token yet.");
});

test("a token goes on when its maker leaves, and the page says that they left", async () => {
  const admin = await newcomer(siteUrl, "admin@example.com");
  await addMember(team, "admin@example.com", "admin");
  const token = tokenIn((await post(good, admin.browser)).text);
  await removeMember(team, "admin@example.com");
  expect(await shown()).toContain("admin@example.com, who is no member any more");
  const client = new ApiClient(await DescribedApi.served(), token);
  expect((await client.get("/token")).value).toMatchObject({ workspace: team.id, name: "CI" });
});

test.each([
  [{ ...good, name: " " }, "Name the token in 1 to 60 characters."],
  [{ ...good, name: "a\u0007b" }, "Name the token in 1 to 60 characters."],
  [{ ...good, "servers:read": "yes", days: "366" }, "Choose at least one thing"],
  [{ intent: "make-token", name: "CI", days: "90" }, "Choose at least one thing"],
  [{ intent: "make-token", name: "CI", days: "90", "servers:all": "yes" }, "Choose at least one"],
])("%o makes no token, and what was typed stays", async (fields, sentence) => {
  const { status, alert, text } = await post(fields);
  expect([status, alert]).toEqual([400, expect.stringContaining(sentence)]);
  if (fields.name === "CI") expect(text).toContain('value="CI"');
  expect(await runSql("select from public.workspace_tokens")).toEqual([]);
});

test("a sign-in that is not recent makes no token and keeps what was typed; it may revoke", async () => {
  await post(good);
  const [row] = await runSql<{ id: string }>("select id from public.workspace_tokens");
  ageSignIn(founder, 16);
  const late = await post({ ...good, name: "Too late" });
  expect([late.status, late.text]).toEqual([403, expect.stringContaining('value="Too late"')]);
  expect(await runSql("select from public.workspace_tokens")).toHaveLength(1);
  const revoked = await post({ intent: "revoke-token", token: row?.id ?? "" });
  expect(revoked.status).toBe(200);
  expect(await runSql("select from public.workspace_tokens")).toEqual([]);
});

test("twenty tokens are the most that a workspace has", async () => {
  await runSql(
    `insert into public.workspace_tokens (workspace_id, name, token_hash, ending, scopes, ends_at)
     select $1, 'n' || n, lpad(n::text, 64, '0'), 'abcd', '{servers:read}', now() + interval '1 day'
     from generate_series(1, 20) n`,
    [team.id],
  );
  const { status, alert } = await post(good);
  expect([status, alert]).toEqual([409, expect.stringContaining("at most 20 tokens")]);
});

test("a trial makes no token, and reads how to have an account", async () => {
  const trial = await inTrial();
  const response = await trial.post("/dashboard/tokens", good);
  expect(response.status).toBe(403);
  expect(await runSql("select from public.workspace_tokens")).toEqual([]);
});
