import { beforeEach, expect, test } from "vitest";
import { mailsTo } from "../../support/auth/inbox.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { textAt, textOfHtml } from "../../support/site/page-text.ts";
import { signedIn, type Visitor } from "../../support/site/visitor.ts";
import { invitationLink } from "../../support/workspaces/invitation-link.ts";
import {
  addMember,
  newWorkspace,
  removeMember,
  type StoredWorkspace,
} from "../../support/workspaces/workspaces.ts";

const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/blue-team";

const faultySite = siteWithFaults();

let owner: Visitor;
let member: Visitor;
let team: StoredWorkspace;

beforeEach(async () => {
  await resetFakes();
  owner = await customer("pro", ada);
  member = await signedIn(ben);
  team = await newWorkspace(ada, "blue-team");
});

const adminMails = async () =>
  (await mailsTo(ada)).filter(({ subject }) => subject.includes("is an admin of"));

test("whoever becomes an admin, by a role or an invitation, is mailed to the owners, and nobody else is (N2)", async () => {
  await addMember(team, ben, "viewer");
  const [{ id = "" } = {}] = await runSql<{ id: string }>(
    "select id from auth.users where email = $1",
    [ben],
  );
  const setRole = (role: string) =>
    owner.post(`${base}/members`, { intent: "role", person: id, role });
  await setRole("operator");
  await setRole("admin");
  await expect.poll(adminMails).toHaveLength(1);
  const [byRole] = await adminMails();
  expect(byRole?.subject).toBe(`${ben} is an admin of blue-team now`);
  expect(byRole?.text).toContain(`${ada} gave ${ben} the role admin.`);
  expect(byRole?.text).toContain("/dashboard/w/blue-team/members");
  await removeMember(team, ben);
  await owner.post(`${base}/members`, { intent: "invite", address: ben, role: "admin" });
  expect(await adminMails()).toHaveLength(1);
  await member.post(await invitationLink(ben, `${ada} invites you to blue-team`), {});
  await expect.poll(adminMails).toHaveLength(2);
  expect((await adminMails())[0]?.text).toContain("accepted an invitation");
});

/** A token of somebody's in the team, past the form. */
async function storeToken(email: string, name: string) {
  const [made] = await runSql<{ id: string }>(
    `insert into public.api_tokens (user_id, workspace_id, name, token_hash, ending)
     values ((select id from auth.users where email = $1), $2, $3, encode(sha256(convert_to($3, 'UTF8')), 'hex'), 'abcd') returning id`,
    [email, team.id, name],
  );
  return made?.id ?? "none";
}

testInProof("a member who has a number and no address stands in the list by it", async () => {
  await addMember(team, ben, "viewer");
  await runSql("update auth.users set email = null, phone = '4915112345678' where email = $1", [
    ben,
  ]);
  expect(await textAt(owner, `${base}/members`)).toContain("4915112345678");
});

testInProof(
  "the first invitation asks for a name, and offers none that two people share",
  async () => {
    const html = await (await owner.request("/dashboard/members")).text();
    const field = /<input[^>]*name="name"[^>]*>/.exec(html)?.[0] ?? "none";
    expect(field).toContain("required");
    expect(field).not.toContain("Personal");
    const refused = await owner.post("/dashboard/members", {
      ...{ intent: "invite", name: "Acme calls", address: ada, role: "viewer" },
    });
    expect(await refused.text()).toContain("Whoever has this address is a member already.");
    expect(await runSql("select 1 as one from public.workspaces where name like 'Acme%'")).toEqual(
      [],
    );
  },
);

test("beside a token stands who made it, and only those may revoke it who see the button", async () => {
  await addMember(team, ben, "operator");
  const hers = await storeToken(ada, "Hers");
  await storeToken(ben, "His");
  const seenBy = async (visitor: Visitor) => {
    const text = await textAt(visitor, `${base}/models`);
    return ["Hers", "His"].map((name) => text.includes(`Revoke ${name}`));
  };
  expect(await textAt(member, `${base}/models`)).toContain(`by ${ada}, never used`);
  expect(await seenBy(member)).toEqual([false, true]);
  expect(await seenBy(owner)).toEqual([true, true]);
  const refused = await member.post(`${base}/models`, { intent: "revoke-token", token: hers });
  expect(refused.status).toBe(404);
});

testInProof("before a member is removed it says how many tokens end", async () => {
  await addMember(team, ben, "operator");
  const pageText = () => textAt(owner, `${base}/members`);
  expect(await pageText()).toContain("They made no tokens for agents here.");
  await storeToken(ben, "One");
  expect(await pageText()).toContain("The one token that they made here ends");
  await storeToken(ben, "Two");
  expect(await pageText()).toContain("The 2 tokens that they made here end");
});

test("an admin who may not remove an owner reads that this is for owners, and no more", async () => {
  await addMember(team, ben, "admin");
  const [person] = await runSql<{ id: string }>("select id from auth.users where email = $1", [
    ada,
  ]);
  const refused = await member.post(`${base}/members`, {
    ...{ intent: "remove", person: person?.id ?? "none" },
  });
  expect([refused.status, textOfHtml(await refused.text())]).toEqual([
    403,
    expect.stringContaining("Your role in this workspace is admin. This is for owners."),
  ]);
});

testInProof(
  "a member whose role changes while a form is on its way reads so, and not who invites",
  async () => {
    await addMember(team, ben, "admin");
    const site = faultySite();
    const there = member.twin(site.url);
    site.supabaseProxy.behave(async ({ path }, forward) => {
      if (/rpc\/(rename_workspace|invite)/.test(path)) {
        await runSql("update public.members set role = 'viewer' where role = 'admin'");
      }
      return forward();
    });
    for (const [page, fields] of [
      ["settings", { intent: "rename", name: "Red team" }],
      ["members", { intent: "invite", address: "new@example.com", role: "viewer" }],
    ] as const) {
      await runSql("update public.members set role = 'admin' where role = 'viewer'");
      const refused = await there.post(`${base}/${page}`, fields);
      expect([page, refused.status, textOfHtml(await refused.text())]).toEqual([
        page,
        403,
        expect.stringContaining("Your role here has just changed, and no longer allows this."),
      ]);
    }
  },
);

testInProof(
  "a person who opens an invitation in another's session signs out, and comes back by the sign-in",
  async () => {
    await owner.post(`${base}/members`, {
      ...{ intent: "invite", name: "Blue team", address: ben, role: "viewer" },
    });
    const link = await invitationLink(ben, `${ada} invites you to Blue team`);
    const html = await (await owner.request(link)).text();
    expect(html).toContain('action="/signout"');
    const next = /name="next" value="([^"]*)"/.exec(html)?.[1]?.replaceAll("&amp;", "&") ?? "none";
    const out = await owner.post("/signout", { next });
    expect([out.status, out.headers.get("location")]).toEqual([
      303,
      `/signin?${new URLSearchParams({ next: link })}`,
    ]);
    expect((await owner.request("/dashboard")).status).toBe(302);
    const away = await member.post("/signout", { next: "//elsewhere.example" });
    expect(away.headers.get("location")).toBe("/signin?next=%2F");
  },
);

testInProof(
  "the account page names the workspaces that go with the account, and that tokens end",
  async () => {
    const text = await textAt(owner, "/dashboard/account");
    expect(text).toContain("deletes these workspaces, where you are alone: blue-team;");
    expect(text).toContain(
      "ends the tokens that you made for agents, also in workspaces that stay",
    );
    await addMember(team, ben, "owner");
    expect(await textAt(owner, "/dashboard/account")).not.toContain(
      "where you are alone: blue-team",
    );
  },
);

testInProof(
  "the removal of a member whom another admin has just removed is answered so, without the row too",
  async () => {
    await addMember(team, ben, "viewer");
    const [row] = await runSql<{ user_id: string }>(
      "select user_id from public.members where role = 'viewer'",
    );
    await removeMember(team, ben);
    const form = { intent: "remove", person: row?.user_id ?? "none" };
    const answer = await owner.post(`${base}/members`, form);
    expect(answer.status).toBe(409);
    const page = textOfHtml(await answer.text());
    expect(page).toContain("They are no longer a member.");
    expect(page).not.toContain(ben);
  },
);

testInProof(
  "the withdrawal of an invitation that another admin has just withdrawn is answered so",
  async () => {
    const form = { intent: "withdraw", invitation: "00000000-0000-4000-8000-000000000000" };
    const answer = await owner.post(`${base}/members`, form);
    expect(textOfHtml(await answer.text())).toContain(
      "This invitation is gone: somebody withdrew it.",
    );
  },
);
