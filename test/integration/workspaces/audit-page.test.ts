import { beforeEach, expect, test } from "vitest";
import words from "../../../app/content/workspace-pages.json" with { type: "json" };
import { newTokenOf } from "../../support/agents/agent.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const faultySite = siteWithFaults();

let owner: Visitor;
let workspace: StoredWorkspace;
let page: string;

beforeEach(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  workspace = await newWorkspace(ada, "blue-team");
  page = "/dashboard/w/blue-team/audit";
});

type Noted = { by?: string; act?: string; target?: string; before?: unknown; after?: unknown };

/** A line as the database's own functions write it. */
async function note({ by = ada, act = "token.created", ...line }: Noted) {
  const { target = "", before = null, after = null } = line;
  const json = (value: unknown) => (value === null ? null : JSON.stringify(value));
  await runSql(
    `select public.note_audit(
       $1, (select id from auth.users where email = $2), $3, $4, $5::jsonb, $6::jsonb
     )`,
    [workspace.id, by, act, target, json(before), json(after)],
  );
}

/** So many lines at once: the tokens Agent 1, Agent 2 and so on. */
async function noteTokens(count: number) {
  await runSql(
    `insert into public.audit_log (workspace_id, action, target)
     select $1, 'token.created', 'Agent ' || n from generate_series(1, $2::int) n order by n`,
    [workspace.id, count],
  );
}

async function csvOf(visitor: Visitor, path = `${page}.csv`): Promise<string[]> {
  const answer = await visitor.request(path);
  expect(answer.status).toBe(200);
  expect(answer.headers.get("content-type")).toBe("text/csv; charset=utf-8");
  expect(answer.headers.get("content-disposition")).toBe('attachment; filename="audit-log.csv"');
  expect(answer.headers.get("cache-control")).toBe("private, no-store");
  return (await answer.text()).split("\r\n");
}

test("what members do is listed newest first, with who, what, old and new value, and from where", async () => {
  const member = await signedIn(ben);
  await addMember(workspace, ben, "viewer");
  const [{ id = "" } = {}] = await runSql<{ id: string }>(
    "select id from auth.users where email = $1",
    [ben],
  );
  await owner.post("/dashboard/w/blue-team/members", { intent: "role", person: id, role: "admin" });
  // A workspace can have the name of a role.
  await member.post("/dashboard/w/blue-team/settings", { intent: "rename", name: "billing" });
  const answer = await owner.request(page);
  const html = await answer.text();
  const text = textOfHtml(html);
  expect(text).toContain("Who did what in billing, newest first.");
  const [renamed, changed] = [
    text.indexOf("Named the workspace billing"),
    text.indexOf(`Changed the role of ${ben}`),
  ];
  expect(renamed).toBeGreaterThan(-1);
  expect(changed).toBeGreaterThan(renamed);
  expect(text).toMatch(/Name blue-team → , now billing/);
  expect(text).toMatch(/Role Viewer → , now Admin/);
  expect(text.slice(renamed, changed)).toContain(ben);
  expect(text.slice(changed)).toContain(ada);
  const network = `${owner.address.split(":").slice(0, 3).join(":")}::/48`;
  expect(text.slice(changed)).toContain(`from ${network}`);
  expect(html).not.toContain(owner.address);
  expect(html).toMatch(/<time dateTime="20[^"]+">\w{3} \d+, 20\d\d, [^<]+ UTC<\/time>/i);
});

testInProof("each kind of line has words, and shows what it holds", async () => {
  const acts = Object.entries(words.audit.actions);
  // A page has fifty lines.
  for (let first = 0; first < acts.length; first += 40) {
    const some = acts.slice(first, first + 40);
    for (const [act] of some) await note({ act, target: "Thing" });
    const text = await textAt(owner, page);
    for (const [act, says] of some) {
      expect.soft(text).toContain(says.replace("{target}", "Thing"));
      expect.soft(text, "no code").not.toContain(act);
    }
  }
});

testInProof(
  "values are said as people read them, and of secrets and long texts that they changed",
  async () => {
    await note({
      act: "deployment.saved",
      target: "Production",
      before: { domain: "old.example.com", "storage.secretKey": "…" },
      after: { domain: "new.example.com", "storage.secretKey": "…", turn: true, "…": 7 },
    });
    await note({ act: "token.created", after: { scopes: ["usage"], ends: null } });
    await note({
      act: "workspace.second-factor",
      before: { required: false },
      after: { required: true },
    });
    await note({ act: "allowance.taken", target: "ada", before: { tokens: 500 } });
    await note({
      act: "plan.changed",
      before: { status: "active", plan: "Pro", ends: null },
      after: { status: "active", plan: "Pro", ends: "2026-12-01T00:00:00+00:00" },
    });
    await note({ act: "server.moved-on", target: "eu-1" });
    const text = await textAt(owner, page);
    expect(text).toContain("domain old.example.com → , now new.example.com");
    expect(text).toContain("storage.secretKey changed");
    expect(text).toContain("turn none → , now yes");
    expect(text).toContain("and 7 more");
    expect(text).toContain("For usage");
    expect(text).toContain("Asked of everybody no → , now yes");
    expect(text).toContain("Tokens 500");
    expect(text).toContain("Ends none → , now Dec 1, 2026, 12:00 AM UTC");
    expect(text).not.toContain("Status active");
    // One that has no words yet is shown all the same.
    expect(text).toContain("server.moved-on eu-1");
  },
);

testInProof("who left keeps their address, and without one they are called so", async () => {
  await signedIn(ben);
  await addMember(workspace, ben, "operator");
  await note({ by: ben, act: "member.joined", target: ben });
  await removeMember(workspace, ben);
  expect(await textAt(owner, page)).toContain(ben);
  await runSql("alter table public.audit_log disable trigger keep_audit_log");
  await runSql("update public.audit_log set actor_address = '' where actor_address = $1", [ben]);
  await runSql("alter table public.audit_log enable trigger keep_audit_log");
  await note({ by: "nobody@example.com", act: "plan.changed" });
  const text = await textAt(owner, page);
  expect(text).toContain("Joined A member who left");
  expect(text).toContain("Wrote down a change of the plan at Stripe The site");
});

testInProof("it is read fifty at a time, without script, to its end", async () => {
  await noteTokens(120);
  const seen: string[] = [];
  const steps: string[] = [];
  let next: string | undefined = "";
  while (next !== undefined) {
    const html: string = await (await owner.request(page + next)).text();
    const text = textOfHtml(html);
    const found = [...text.matchAll(/Made the token (Agent \d+)/g)].map(([, name = ""]) => name);
    steps.push(`${found.length}${/ Newest /.test(text) ? " newest" : ""}`);
    seen.push(...found);
    next = /href="[^"]*(\?before=\d+)"/.exec(html)?.[1];
  }
  expect(steps).toEqual(["50", "50 newest", "20 newest"]);
  expect(seen).toEqual(Array.from({ length: 120 }, (_, place) => `Agent ${120 - place}`));
  expect(await textAt(owner, `${page}?before=1`)).toContain("There is nothing older.");
  expect(await textAt(owner, `${page}?before=x' or 1=1`)).toContain("Agent 120");
});

testInProof("an empty log says what will be in it, and offers no file", async () => {
  const text = await textAt(owner, page);
  expect(text).toContain(
    "Nothing is noted yet. Lines appear here when somebody changes a deployment",
  );
  expect(text).not.toContain("Download as CSV");
});

testInProof("a user who is alone in their workspace has it at /dashboard/audit", async () => {
  await newTokenOf(owner);
  expect(await textAt(owner, "/dashboard/audit")).toContain("Made the token");
  expect((await csvOf(owner, "/dashboard/audit.csv")).join()).toContain("token.created");
});

test("owners and admins read it; other members read who may, and strangers find nothing", async () => {
  await note({ target: "Secret plans" });
  const member = await signedIn(ben);
  for (const role of sample(["owner", "operator", "admin", "viewer", "billing"], 2)) {
    await addMember(workspace, ben, role);
    const may = role === "owner" || role === "admin";
    const sentence = `Your role in this workspace is ${role}. This is for owners and admins.`;
    const html = await (await member.twin().request(page)).text();
    const file = await member.twin().request(`${page}.csv`);
    const csv = await file.text();
    const { status } = await member.twin().request(`${page}.data`);
    expect.soft([role, status, file.status]).toEqual([role, 200, may ? 200 : 403]);
    for (const shown of [html, csv]) {
      expect.soft(shown.includes("Secret plans"), role).toBe(may);
      expect.soft(shown.includes(sentence), role).toBe(!may);
    }
    const menu = await textAt(member.twin(), "/dashboard/w/blue-team");
    expect.soft([role, menu.includes("Audit log")]).toEqual([role, may]);
    const settings = await textAt(member.twin(), "/dashboard/w/blue-team/settings");
    expect.soft([role, settings.includes("Open the audit log")]).toEqual([role, may]);
    await removeMember(workspace, ben);
  }
  for (const path of [page, `${page}.csv`, `${page}.data`]) {
    const answer = await member.twin().request(path);
    expect.soft([path, answer.status]).toEqual([path, 404]);
    expect.soft(await answer.text()).not.toContain("Secret plans");
  }
  const other = await newWorkspace(ben, "red-team");
  expect(other.id).not.toBe(workspace.id);
  expect((await csvOf(member, "/dashboard/w/red-team/audit.csv")).join()).not.toContain("Secret");
});

test("the file has every line, quoted as RFC 4180 asks, and nothing in it runs as a formula", async () => {
  await note({ act: "token.created", target: "=cmd|' /C calc'!A0" });
  await note({ act: "token.created", target: '+1 "quoted", with a comma' });
  await note({ act: "token.created", target: "@sum" });
  await note({ act: "token.created", target: "-1" });
  await note({ act: "allowance.set", target: "ada", before: { tokens: 1 }, after: { tokens: 2 } });
  const lines = await csvOf(owner);
  expect(lines[0]).toBe("at,who,what,action,target,before,after,network");
  expect(lines.at(-1)).toBe("");
  expect(lines).toHaveLength(7);
  expect(lines[1]).toMatch(
    /^20\d\d-\d\d-\d\dT[^,]+,customer\.one@example\.com,Set the allowance of ada,allowance\.set,ada,"\{""tokens"":1\}","\{""tokens"":2\}",$/,
  );
  expect(lines[2]).toContain(",token.created,'-1,,,");
  expect(lines[3]).toContain(",token.created,'@sum,,,");
  expect(lines[4]).toContain(`,token.created,"'+1 ""quoted"", with a comma",,,`);
  expect(lines[5]).toContain(",token.created,'=cmd|' /C calc'!A0,,,");
});

testInProof("the file is bounded: its last line says where the older ones are", async () => {
  await noteTokens(20_003);
  const first = await csvOf(owner);
  expect(first).toHaveLength(1 + 20_000 + 1 + 1);
  const rest = /Older lines: (\S+?),/.exec(first.at(-2) ?? "")?.[1] ?? "";
  const { pathname, search } = new URL(rest);
  const second = await csvOf(owner, pathname + search);
  expect(second.slice(1, -1).map((line) => /Agent \d+/.exec(line)?.[0])).toEqual([
    "Agent 3",
    "Agent 2",
    "Agent 1",
  ]);
});

testInProof("while the log cannot be read nothing looks empty or whole", async () => {
  await note({ target: "Agent" });
  const site = faultySite();
  const visitor = owner.twin(site.url);
  site.supabaseProxy.behave(async ({ path }, forward) =>
    path.startsWith("/rest/v1/audit_log") ? "cut off" : forward(),
  );
  for (const path of [page, `${page}.csv`]) {
    const answer = await visitor.request(path);
    expect.soft([path, answer.status]).toEqual([path, 503]);
    expect.soft(await answer.text()).toContain("The audit log cannot be read right now.");
  }
});
