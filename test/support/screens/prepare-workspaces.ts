import { pressLink } from "../auth/account.ts";
import { buyForTeam } from "../billing/hosted-pages.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { webhookAddress } from "../servers/arrived.ts";
import { askForToken } from "../servers/ask-for-token.ts";
import { Machine } from "../servers/machine.ts";
import { machine as described } from "../servers/report-lines.ts";
import { serversAt } from "../servers/servers-at.ts";
import { runSql, steerAlerts, steerInternet } from "../site/control-fakes.ts";
import { Visitor } from "../site/visitor.ts";
import { invitationLink } from "../workspaces/invitation-link.ts";
import { connectedWorkspace, signInBySso } from "../workspaces/single-sign-on.ts";
import { addMember, newWorkspace, type StoredWorkspace } from "../workspaces/workspaces.ts";
import { ScreenFleet } from "./shown-fleet.ts";

/** What the screens of workspaces show, once it is there. */
export type WorkspaceState = {
  /** A member of a workspace that wants a second factor, who has none. */
  member: Visitor;
  /** A person who is invited to the team, and is in no other. */
  invited: Visitor;
  /** Links of invitations to the team: one that works, and one that was withdrawn. */
  invitation: string;
  withdrawn: string;
  /** A person who came by single sign-on, and a link of an invitation to a workspace that asks for it. */
  managed: Visitor;
  invitationBySso: string;
  /** The server of the team, which another machine wants to replace. */
  teamServer: ScreenFleet;
};

const password = "four quiet servers hum";
export const captain = "captain@example.com";
export const invited = "invited@example.com";
const member = "member@example.com";
export const team = "/dashboard/w/harbour-operations";

/** Somebody with a password, who has signed in. */
export async function signedUpByMail(email: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "sign_up", email, password });
  await pressLink(email, "Confirm your e-mail address", visitor);
  return visitor;
}

/** Workspaces of one owner: one closed to its member, a team with every role and two invitations, and one without a plan. */
export async function prepareWorkspaces(): Promise<WorkspaceState> {
  const owner = await signedUpByMail(captain);
  const somebody = await signedUpByMail(member);
  const closed = await newWorkspace(captain, "blue-team");
  await addMember(closed, member, "operator");
  await runSql("update public.workspaces set needs_second_factor = true where id = $1", [
    closed.id,
  ]);
  const shared = await newWorkspace(captain, "harbour-operations");
  await runSql("update public.workspaces set name = 'Harbour operations' where id = $1", [
    shared.id,
  ]);
  await buyForTeam(owner, team, "pro");
  await fillTeam(shared);
  const teamServer = await alertTeam(owner, shared);
  await addTokens(shared);
  await addPasskey(shared);
  await addWebhooks(owner);
  await newWorkspace(captain, "quiet-pier");
  const subject = `${captain} invites you to Harbour operations`;
  const invite = async (address: string, role: string) => {
    await owner.post(`${team}/members`, { intent: "invite", address, role });
    return invitationLink(address, subject);
  };
  const invitation = await invite(invited, "operator");
  await invite("accounts.department@a-long-name-of-a-company.example.com", "billing");
  const withdrawn = await invite("withdrawn@example.com", "viewer");
  await runSql("delete from public.invitations where address = 'withdrawn@example.com'");
  return {
    member: somebody,
    invited: await signedUpByMail(invited),
    invitation,
    withdrawn,
    teamServer,
    ...(await askForSso()),
  };
}

/** A passkey for rollouts, on a device with a long name. */
async function addPasskey({ id }: StoredWorkspace): Promise<void> {
  await runSql(
    `insert into public.approver_passkeys
       (workspace_id, user_id, name, credential, public_key, fingerprint)
     select $1, u.id, 'Laptop in the harbour office', 'laptop', $3, $4
     from auth.users u where u.email = $2`,
    [
      ...[id, captain, `MFkwEwYHKoZIzj0CAQYIKoZIzj0DAQcDQgAE${"c".repeat(86)}==`],
      "0123456789abcdef".repeat(2),
    ],
  );
}

/** A token that is used each day, by somebody who left, and one that has ended. */
async function addTokens({ id }: StoredWorkspace): Promise<void> {
  await runSql(
    `insert into public.workspace_tokens
       (workspace_id, name, token_hash, ending, scopes, made_by, created_at, ends_at, last_used_on)
     select $1, t.name, t.hash, t.ending, t.scopes, u.id, now() - interval '80 days', t.ends_at, t.used
     from (values
       ('Dashboard in the office', repeat('a', 64), 'x7Kq', '{servers:read,sessions:read}'::text[],
         now() + interval '10 days', current_date),
       ('a-name-of-a-program-without-any-space-in-it-that-is-sixty', repeat('b', 64), 'Zz90',
         '{deployments:read,deployments:write,servers:read,servers:write,sessions:read,alerts:read}',
         now() - interval '1 day', null)
     ) t (name, hash, ending, scopes, ends_at, used)
     cross join auth.users u where u.email = $2`,
    [id, captain],
  );
}

/** A webhook that does not take its test, and one with a long name that is off. */
async function addWebhooks(owner: Visitor): Promise<void> {
  const post = (fields: Record<string, string>) => owner.post(`${team}/webhooks`, fields);
  const further = "log.example.com";
  const hosts = ["hooks.example.com", "events-of-the-console.internal-tools.example.com"];
  for (const name of [...hosts, further]) await steerInternet({ name, A: ["1.1.1.1"], AAAA: [] });
  for (const host of hosts) {
    await post({
      intent: "add-webhook",
      url: `https://${host}/`,
      deployments: "yes",
      alerts: "yes",
    });
  }
  const [taken = "", off = ""] = await webhooksOf(owner);
  await post({ intent: "test-webhook", webhook: taken });
  await post({ intent: "disable-webhook", webhook: off });
}

/** The webhooks of the team, in the order of its page. */
async function webhooksOf(visitor: Visitor): Promise<string[]> {
  const html = await (await visitor.request(`${team}/webhooks`)).text();
  const ids = [...html.matchAll(/name="webhook" value="([^"]+)"/g)].map(([, id = ""]) => id);
  return [...new Set(ids)];
}

/** Leaves the two that were prepared: five are the most that a workspace has. */
export async function removeFurtherWebhooks(visitor: Visitor): Promise<void> {
  for (const webhook of (await webhooksOf(visitor)).slice(2)) {
    await visitor.post(`${team}/webhooks`, { intent: "remove-webhook", webhook });
  }
}

/** A workspace that asks single sign-on of everybody, with one person who came by it and another who is invited. */
async function askForSso(): Promise<Pick<WorkspaceState, "managed" | "invitationBySso">> {
  const founder = "founder@example.com";
  const owner = await signedUpByMail(founder);
  const { slug } = await connectedWorkspace(founder, "okapi-team", ["okapi.example"]);
  await runSql("update public.sso_connections set is_required = true");
  const address = "ben@okapi.example";
  await owner.post(`/dashboard/w/${slug}/members`, { intent: "invite", address, role: "operator" });
  return {
    managed: (await signInBySso("ada@okapi.example")).visitor,
    invitationBySso: await invitationLink(address, `${founder} invites you to ${slug}`),
  };
}

/** Two people are first in turn, of whom one is away, and a channel has quiet hours. */
async function makeRota(owner: Visitor, channel: string): Promise<void> {
  const people = await runSql<{ id: string }>(
    "select id from auth.users where email = any ($1) order by email",
    [[captain, "operator@harbour.example.com"]],
  );
  const [one = "", other = ""] = people.map(({ id }) => id);
  const post = (fields: Record<string, string>) => owner.post(`${team}/alerts`, fields);
  await post({ intent: "add-mail", person: other });
  await post({ intent: "zone", zone: "Europe/Berlin" });
  await post({ intent: "rota", "person-0": one, "person-1": other, weekday: "1", hour: "9" });
  await post({ intent: "absence", person: other, from: "2026-01-01", until: "2099-12-31" });
  await post({ intent: "quiet", channel, from: "22", until: "7" });
}

/** Connects a server of the team, and adds two channels to its first: one that works, and one that wants nothing more. */
async function alertTeam(owner: Visitor, { id }: StoredWorkspace): Promise<ScreenFleet> {
  const deployment = await storeDeployment(captain, fullOptions(), "Harbour", id);
  const { token } = await askForToken(owner, `${team}/deployments/${deployment}`);
  const key = "e93facc04764012d7bfb002500d5d1a6";
  await owner.post(`${team}/alerts`, { intent: "add-pagerduty", key, turn: "second" });
  const url = webhookAddress("harbour");
  await owner.post(`${team}/alerts`, { intent: "add-webhook", url });
  const page = await (await owner.request(`${team}/alerts`)).text();
  const listed = [...page.matchAll(/name="channel" value="([^"]+)"/g)].map(([, each = ""]) => each);
  await steerAlerts({ webhooks: "gone" });
  for (const channel of new Set(listed)) {
    await owner.post(`${team}/alerts`, { intent: "test", channel });
  }
  await steerAlerts({ webhooks: "well" });
  await makeRota(owner, listed[0] ?? "");
  const servers = serversAt(owner.siteUrl);
  const machine = new Machine(servers);
  await machine.enrol(token);
  const fleet = new ScreenFleet(owner, id, [machine]);
  await fleet.says(0, ["finding\tdisk.filling\twarning\t/\t85 %\t80 %"]);
  const clone = new Machine(servers, "i-clone", described.otherBoot);
  clone.key = machine.key;
  await clone.report(1);
  await fleet.refresh();
  return fleet;
}

async function fillTeam(shared: StoredWorkspace): Promise<void> {
  for (const role of ["admin", "operator", "viewer", "billing"]) {
    const email = `${role}@harbour.example.com`;
    await signedUpByMail(email);
    await addMember(shared, email, role);
  }
}

export async function signedInByMail(email: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "sign_in", email, password });
  return visitor;
}
