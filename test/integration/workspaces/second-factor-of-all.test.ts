import { beforeEach, expect, test } from "vitest";
import { hiddenFields } from "../../../scripts/lib/page-forms.ts";
import {
  ageSignIn,
  firstCodeForm,
  freshCode,
  giveSecondFactor,
  recoveryCodesIn,
  setUpSecondFactor,
} from "../../support/auth/account.ts";
import { fullOptions } from "../../support/deployments/deployments.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { answersGet, workspaceRoutes } from "../../support/site/site-routes.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import {
  addMember,
  newWorkspace,
  personalWorkspace,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/blue-team";
const closed = `${base}/second-factor`;

let owner: Visitor;
let member: Visitor;
let workspace: StoredWorkspace;
let deployment: string;

beforeEach(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  member = await signedIn(ben);
  workspace = await newWorkspace(ada, "blue-team");
  await addMember(workspace, ben, "operator");
  const [made] = await runSql<{ id: string }>(
    `select public.create_deployment(
       (select id from auth.users where email = $1), 'Production', $2::jsonb, 100, null, $3) as id`,
    [ada, JSON.stringify(fullOptions()), workspace.id],
  );
  deployment = made?.id ?? "none";
  await runSql("update public.workspaces set needs_second_factor = true where id = $1", [
    workspace.id,
  ]);
});

async function leadsTo(from: Visitor, path: string) {
  const response = await from.twin().request(path);
  await response.body?.cancel();
  return [response.status, response.headers.get("location")];
}

const closedFor = (page: string) => `${closed}?${new URLSearchParams({ next: page })}`;

test("every page and file of a workspace that wants a second factor leads a member without one to the reason", async () => {
  const pages = workspaceRoutes("blue-team")
    .filter(answersGet)
    .map(({ path }) => path.replace(":id", deployment).replace(":name", "livekit.yaml"))
    .filter((path) => path !== closed && !path.endsWith("*"));
  expect(pages.length).toBeGreaterThan(18);
  for (const page of sample(pages, 8)) {
    expect.soft(await leadsTo(member, page), page).toEqual([303, closedFor(page)]);
  }
  const html = await (await member.request(closedFor(`${base}/usage`))).text();
  const text = textOfHtml(html);
  expect(text).toContain("blue-team needs a second factor");
  expect(text).toContain("its owners and admins ask all members for a second factor");
  expect(html).toContain(
    `href="/dashboard/account?next=${encodeURIComponent(`${base}/usage`)}#second-factor"`,
  );
  expect(html).not.toMatch(/Production|rtc\.mycompany/);
});

testInProof(
  "without script the way leads by the account page, a first code and recovery codes back to the page",
  async () => {
    const page = `${base}/deployments/${deployment}`;
    const shown = await (await member.request(closedFor(page))).text();
    const account =
      /href="(\/dashboard\/account\?next=[^"#]*)#second-factor"/.exec(shown)?.[1] ?? "";
    // Signing in was long ago: the way leads by the sign-in page, and back.
    ageSignIn(member, 20);
    const old = await (await member.request(account)).text();
    const again = await member.post("/dashboard/account", hiddenFields(old, "next"));
    expect(again.headers.get("location")).toBe(
      `/signin?${new URLSearchParams({ next: `${account}#second-factor` })}`,
    );
    await member.signInWithGoogle(ben);
    const setUp = await (await member.request(account)).text();
    const action = formAction(setUp, "enrol");
    expect(action).toBe(`${account}#second-factor`);
    const begun = await (await member.post(action, { intent: "enrol", name: "" })).text();
    const form = firstCodeForm(begun);
    const finish = formAction(begun, "finish_enrolment");
    const wrong = await (await member.post(finish, { ...form, code: "000000" })).text();
    const code = freshCode(form.secret ?? "");
    const done = await member.post(formAction(wrong, "finish_enrolment"), { ...form, code });
    const codes = await done.text();
    expect(recoveryCodesIn(codes)).toHaveLength(10);
    expect(/<a([^>]*)>I have kept them</.exec(codes)?.[1]).toContain(`href="${page}"`);
    expect(await textAt(member, page)).toContain("Production");
    expect(await leadsTo(member, closedFor(page))).toEqual([303, page]);
  },
);

/** Where the form with this intent is posted to. */
function formAction(html: string, intent: string): string {
  const form = (html.match(/<form[\s\S]*?<\/form>/g) ?? []).find((each) =>
    each.includes(`value="${intent}"`),
  );
  return /action="([^"]*)"/.exec(form ?? "")?.[1]?.replaceAll("&amp;", "&") ?? "none";
}

testInProof(
  "a member who sets one up in another session gives its code here, and goes on where they were",
  async () => {
    const page = `${base}/deployments`;
    const account = `/dashboard/account?${new URLSearchParams({ next: page })}`;
    const secret = await setUpSecondFactor(member);
    expect(await leadsTo(member, page)).toEqual([200, null]);
    const here = await signedIn(ben);
    const codePage = `/dashboard/account/code?${new URLSearchParams({ next: account })}`;
    expect(await leadsTo(here, account)).toEqual([302, codePage]);
    await giveSecondFactor(here, secret, account);
    const html = await (await here.request(account)).text();
    expect(/<a([^>]*)>Go on where you were</.exec(html)?.[1]).toContain(`href="${page}"`);
    expect(await leadsTo(here, page)).toEqual([200, null]);
  },
);

testInProof("nobody is led to another site", async () => {
  for (const next of [
    "https://evil.example",
    "//evil.example",
    "/\\evil.example",
    "javascript:1",
  ]) {
    const html = await (await member.twin().request(closedFor(next))).text();
    expect.soft(html).toContain(`href="/dashboard/account?next=${encodeURIComponent(base)}#second`);
    const account = await member
      .twin()
      .request(`/dashboard/account?${new URLSearchParams({ next })}#second-factor`);
    expect.soft(formAction(await account.text(), "enrol")).toBe("/dashboard/account#second-factor");
  }
});

test("what is posted there changes nothing, and leads to the reason", async () => {
  const before = await runSql("select name, version from public.deployments");
  const posts: [string, Record<string, string>][] = [
    [`${base}/deployments/${deployment}/delete`, { name: "Production" }],
    [`${base}/models`, { intent: "create-token", name: "Agent" }],
    [`${base}/support`, { topic: "support", message: "Is anybody there?" }],
    [`${base}/members`, { intent: "leave" }],
  ];
  for (const [path, fields] of posts) {
    const answer = await member.twin().post(path, fields);
    expect
      .soft([path, answer.status, answer.headers.get("location")])
      .toEqual([path, 303, closedFor(path)]);
  }
  const saved = await member.post("/openai-config/own?workspace=blue-team", {
    intent: "create-token",
    name: "Agent",
  });
  expect([saved.status, await saved.text()]).toEqual([
    403,
    expect.stringContaining("This workspace asks its members for a second factor."),
  ]);
  expect(await runSql("select name, version from public.deployments")).toEqual(before);
  expect(await runSql("select id from public.api_tokens")).toEqual([]);
  expect(await runSql("select id from public.contact_messages")).toEqual([]);
  expect(await runSql("select user_id from public.members where role = 'operator'")).toHaveLength(
    1,
  );
});

testInProof(
  "a member who sets none up leaves from there, and the last owner reads why they cannot",
  async () => {
    const html = await (await member.request(closedFor(base))).text();
    expect(textOfHtml(html)).toContain("Leave blue-team");
    const refused = await owner.post(closed, {});
    expect([refused.status, await refused.text()]).toEqual([
      409,
      expect.stringContaining("A workspace keeps at least one owner."),
    ]);
    const left = await member.post(closed, {});
    expect([left.status, left.headers.get("location")]).toEqual([303, "/dashboard"]);
    expect(await runSql("select user_id from public.members where role = 'operator'")).toEqual([]);
    expect((await member.post(closed, {})).status).toBe(404);
  },
);

testInProof(
  "the menu of workspaces says which one needs it, and the others stay open",
  async () => {
    await newWorkspace(ben, "red-team");
    const menu = async (from: Visitor) =>
      /Your workspaces(.*?)New workspace/.exec(await textAt(from, "/dashboard/w/red-team"))?.[1];
    expect(await menu(member)).toMatch(/ blue-team Needs a second factor red-team /);
    // The closed one is not where /dashboard leads to, not even after somebody looked why.
    await addMember(await personalWorkspace(ben), ada, "viewer");
    await member.request("/dashboard/w/red-team");
    await member.request(closedFor(base));
    expect(await leadsTo(member, "/dashboard")).toEqual([303, "/dashboard/w/red-team"]);
    await setUpSecondFactor(member);
    expect(await menu(member)).not.toContain("Needs a second factor");
  },
);

testInProof("to a stranger it is not known", async () => {
  await runSql("delete from public.members where role = 'operator'");
  expect(await leadsTo(member, closedFor(base))).toEqual([404, null]);
  expect(await leadsTo(member, base)).toEqual([404, null]);
});
