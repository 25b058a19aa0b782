import { beforeEach, expect, test } from "vitest";
import words from "../../../app/content/workspace-pages.json" with { type: "json" };
import { alertIn, withoutScripts } from "../../support/auth/account.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";
import { invitationLink } from "../../support/workspaces/invitation-link.ts";
import {
  connectedWorkspace,
  rolesIn,
  signInBySso,
} from "../../support/workspaces/single-sign-on.ts";

// Both have an address of the domain that the workspace's provider speaks for.
const [ada, ben] = ["customer.one@example.com", "customer.two@example.com"];
const base = "/dashboard/w/okapi-team";
const joinedBySso = words.invitation.singleSignOn.replace("{workspace}", "okapi-team");

beforeEach(resetFakes);

/** A workspace that requires single sign-on, and the link of an invitation of Ben's to it. */
async function invitedTo(role: string) {
  const owner = await customer("pro", ada);
  const team = await connectedWorkspace(ada, "okapi-team", ["example.com"]);
  const required = await owner.post(`${base}/settings`, {
    intent: "sso",
    act: "require",
    sure: "yes",
  });
  expect(required.headers.get("location")).toContain("done=sso");
  await owner.post(`${base}/members`, { intent: "invite", address: ben, role });
  return { owner, team, link: await invitationLink(ben, `${ada} invites you to okapi-team`) };
}

/** Where the page of an invitation leads to single sign-on, and what other ways it offers. */
async function waysOn(visitor: Visitor, link: string) {
  const response = await visitor.request(link);
  const page = withoutScripts(await response.text());
  const href = /href="(\/signin\/sso\?[^"]+)"/.exec(page)?.[1]?.replaceAll("&amp;", "&") ?? "";
  const next = new URL(href, "https://site.example").searchParams.get("next");
  return {
    status: response.status,
    says: page.includes(joinedBySso),
    next,
    others: [words.invitation.signUp, words.invitation.signIn, 'action="/invitation'].filter(
      (way) => page.includes(way),
    ),
  };
}

test("an invitation where single sign-on is required says so, and leads to it", async () => {
  const { team, link } = await invitedTo("operator");
  const leads = { status: 200, says: true, next: link, others: [] };
  expect(await waysOn(new Visitor(), link)).toEqual(leads);
  const member = await signedIn(ben);
  expect(await waysOn(member, link)).toEqual(leads);
  // The press of a page from before it was asked for.
  const pressed = await member.post(link, {});
  expect([pressed.status, alertIn(await pressed.text())]).toEqual([409, joinedBySso]);
  expect(await rolesIn(team, ben)).toEqual([]);
});

test("who comes by single sign-on has the role that the address was invited with", async () => {
  const { owner, team, link } = await invitedTo("admin");
  const { visitor, location } = await signInBySso(ben, ben, new Visitor(), link);
  expect(location).toBe(link);
  const page = await visitor.request(link);
  expect(page.headers.get("location")).toBe(base);
  expect(await rolesIn(team, ben)).toEqual([{ role: "admin", is_sso_user: true }]);
  const news = async () =>
    (await mailsTo(ada)).filter(({ subject }) => subject.includes("is an admin of"));
  await expect.poll(news).toHaveLength(1);
  // Another account with that address finds the invitation used.
  expect((await (await signedIn(ben)).request(link)).status).toBe(404);
  const lines = await (await owner.request(`${base}/audit`)).text();
  expect(lines).toContain("Joined by single sign-on");
});

test("an invitation that has ended gives nobody a role", async () => {
  const { owner, team } = await invitedTo("admin");
  await runSql("update public.invitations set expires_at = now()");
  await signInBySso(ben);
  expect(await rolesIn(team, ben)).toEqual([{ role: "viewer", is_sso_user: true }]);
  expect((await owner.request(`${base}/members`)).status).toBe(200);
});

test("a workspace that asks for single sign-on is handed over, and its former owner stays", async () => {
  const { owner, team } = await invitedTo("operator");
  await signInBySso(ben);
  const handed = await owner.post(`${base}/settings`, {
    intent: "hand-over",
    address: ben,
    sure: "yes",
  });
  expect(handed.headers.get("location")).toContain("done=handed-over");
  expect(await rolesIn(team, ben)).toEqual([{ role: "owner", is_sso_user: true }]);
  expect(await rolesIn(team, ada)).toEqual([{ role: "admin", is_sso_user: false }]);
});
