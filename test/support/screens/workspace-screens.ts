import { pressLink } from "../auth/account.ts";
import { buyForTeam } from "../billing/hosted-pages.ts";
import type { OpenPage } from "../browser/browser.ts";
import { fullOptions, storeDeployment } from "../deployments/deployments.ts";
import { fakes, runSql, steerAlerts } from "../site/control-fakes.ts";
import { siteUrl } from "../site/own-site.ts";
import { Visitor } from "../site/visitor.ts";
import { invitationLink } from "../workspaces/invitation-link.ts";
import { addMember, newWorkspace, type StoredWorkspace } from "../workspaces/workspaces.ts";
import { newcomer, page, press, type Screen, see } from "./screen.ts";

/** What the screens of workspaces show, once it is there. */
export type WorkspaceState = {
  /** A member of a workspace that wants a second factor, who has none. */
  member: Visitor;
  /** Whoever is invited to the team, and is in no other. */
  invited: Visitor;
  /** Links of invitations to the team: one that works, and one that was withdrawn. */
  invitation: string;
  withdrawn: string;
};

const password = "four quiet servers hum";
const [captain, member, invited] = [
  "captain@example.com",
  "member@example.com",
  "invited@example.com",
];
const team = "/dashboard/w/harbour-operations";

/** Somebody with a password, who has signed in. */
export async function signedUpByMail(email: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "sign_up", email, password });
  await pressLink(email, "Confirm your e-mail address", visitor);
  return visitor;
}

/** Gives a browser somebody's session. */
export async function enterAs({ page }: OpenPage, { cookies }: Visitor): Promise<void> {
  const given = [...cookies].map(([name, value]) => ({ name, value, url: siteUrl }));
  await page.context().addCookies(given);
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
  await tellTeam(owner, shared);
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
  };
}

/** Connects a server of the team, and adds two channels to its first: one that works, and one that wants nothing more. */
async function tellTeam(owner: Visitor, { id }: StoredWorkspace): Promise<void> {
  const deployment = await storeDeployment(captain, fullOptions(), "Harbour", id);
  await owner.post(`${team}/deployments/${deployment}`, { intent: "connect" });
  const key = "e93facc04764012d7bfb002500d5d1a6";
  await owner.post(`${team}/alerts`, { intent: "add-pagerduty", key, turn: "second" });
  const url = `${fakes().alerts.url}/webhooks/harbour`;
  await owner.post(`${team}/alerts`, { intent: "add-webhook", url });
  const page = await (await owner.request(`${team}/alerts`)).text();
  const listed = page.matchAll(/name="channel" value="([^"]+)"/g);
  await steerAlerts({ webhooks: "gone" });
  for (const channel of new Set([...listed].map(([, each = ""]) => each))) {
    await owner.post(`${team}/alerts`, { intent: "test", channel });
  }
  await steerAlerts({ webhooks: "well" });
}

async function fillTeam(shared: StoredWorkspace): Promise<void> {
  for (const role of ["admin", "operator", "viewer", "billing"]) {
    const email = `${role}@harbour.example.com`;
    await signedUpByMail(email);
    await addMember(shared, email, role);
  }
}

async function signedInByMail(email: string): Promise<Visitor> {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "sign_in", email, password });
  return visitor;
}

/** Signs the owner in anew: some forms are shown for 15 minutes after it. */
async function enterAsCaptain(person: OpenPage): Promise<void> {
  await enterAs(person, await signedInByMail(captain));
}

/** A page of the team as its owner sees it, until it shows `shows`. */
const captainsPage = (name: string, path: string, shows: string): Screen => ({
  name,
  async open(person) {
    await enterAsCaptain(person);
    await person.visit(team + path);
    await see(person, shows);
  },
});

/** A page of the team as somebody sees it who may only look. */
const viewersPage = (name: string, path: string, shows: string): Screen => ({
  name,
  async open(person) {
    await enterAs(person, await signedInByMail("viewer@harbour.example.com"));
    await person.visit(team + path);
    await see(person, shows);
  },
});

/** The screens of workspaces. `state` answers what they show. */
export function workspaceScreens(state: () => WorkspaceState): readonly Screen[] {
  return [
    page("members, alone", "/dashboard/members", { as: newcomer, shows: "You are alone here" }),
    captainsPage("members, of every role, and invitations", "/members", "viewer@harbour"),
    {
      name: "members, before one is removed",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/members`);
        await person.page.getByText("Remove (operator@harbour.example.com)").click();
        await see(person, "operator@harbour.example.com loses this workspace");
      },
    },
    {
      name: "members, invited before",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/members`);
        await person.page.getByLabel("E-mail address").fill(invited);
        person.expectProblem(`409 POST ${team}/members.data`);
        await press(person, "Send the invitation");
        await see(person, "This address is invited already");
      },
    },
    {
      name: "members, with an answer about an invitation that is no longer there",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/members`);
        const form = person.page.locator("form", { hasText: "Withdraw" }).first();
        const gone = "00000000-0000-4000-8000-000000000000";
        await form.locator("input[name=invitation]").evaluate((input, id) => {
          if (input instanceof HTMLInputElement) input.value = id;
        }, gone);
        person.expectProblem(`404 POST ${team}/members.data`);
        await form.getByRole("button", { name: "Withdraw" }).click();
        await person.page.getByRole("alert").first().waitFor();
      },
    },
    page("alerts, before there is a server", "/dashboard/alerts", {
      as: newcomer,
      shows: "No server is connected to the console yet",
    }),
    captainsPage("alerts, by three channels of which one fails", "/alerts", "Nothing is sent here"),
    {
      name: "alerts, a webhook with an address of a private network",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/alerts`);
        await person.page.locator("summary", { hasText: "Webhook" }).last().click();
        await person.page.getByLabel("Address").fill("https://router.lan/hook");
        person.expectProblem(`400 POST ${team}/alerts.data`);
        await press(person, "Add the webhook");
        await see(person, "This is a name of a private network.");
      },
    },
    {
      name: "alerts, before a channel is removed",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/alerts`);
        await person.page.getByText("Remove (PagerDuty").click();
        // Those of the other channels are there too, folded away.
        await see(person, "PagerDuty, key …d1a6 is told nothing from then on");
      },
    },
    viewersPage("alerts, as a viewer sees them", "/alerts", "ca…@example.com"),
    viewersPage("members, as a viewer sees them", "/members", "Owners and admins invite members"),
    viewersPage("deployments, as a viewer sees them", "/deployments", "Deployments"),
    viewersPage(
      "billing, as a viewer sees it",
      "/billing",
      "Your role in this workspace is viewer",
    ),
    page("a workspace that is not one's own", "/dashboard/w/somebody-elses", {
      as: newcomer,
      problem: "404 GET /dashboard/w/somebody-elses",
      shows: "not yours",
    }),
    page("workspace settings, alone", "/dashboard/settings", {
      as: newcomer,
      shows: "Save the name",
    }),
    captainsPage("workspace settings, with the danger zone", "/settings", "Delete the workspace"),
    {
      name: "workspace settings, the second question before it is handed over",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/settings`);
        await person.page
          .getByLabel("E-mail address of the member")
          .fill("admin@harbour.example.com");
        await press(person, "Hand over");
        await see(person, "Stay the owner");
      },
    },
    {
      name: "workspace settings, a deletion with the wrong name",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/settings`);
        person.expectProblem(`400 POST ${team}/settings.data`);
        await press(person, "Delete Harbour operations for good");
        await see(person, "Type Harbour operations exactly");
      },
    },
    page("a new workspace", "/dashboard/workspaces/new", {
      as: newcomer,
      shows: "Make the workspace",
    }),
    {
      name: "the plan of a team, before there is one",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit("/dashboard/w/quiet-pier/plan");
        await see(person, "Buy Pro");
      },
    },
    {
      name: "the menu of workspaces",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/deployments`);
        await person.page.getByRole("banner").locator("summary").first().click();
        await see(person, "Your workspaces");
      },
    },
    {
      name: "an invitation, for whoever is signed out",
      async open(person) {
        await person.visit(state().invitation);
        await see(person, "Join Harbour operations");
      },
    },
    {
      name: "an invitation, for whoever is invited",
      async open(person) {
        await enterAs(person, state().invited);
        await person.visit(state().invitation);
        await person.page.getByRole("button", { name: "Join Harbour operations" }).waitFor();
      },
    },
    {
      name: "an invitation, for another address",
      async open(person) {
        await enterAs(person, state().member);
        await person.visit(state().invitation);
        await person.page.getByRole("button", { name: "Sign out" }).waitFor();
      },
    },
    {
      name: "an invitation that was withdrawn",
      async open(person) {
        person.expectProblem("404 GET /invitation");
        await person.visit(state().withdrawn);
        await person.page.getByRole("heading", { name: "Invitation" }).waitFor();
      },
    },
    {
      name: "a workspace that needs a second factor, in the menu of workspaces too",
      async open(person) {
        await enterAs(person, state().member);
        await person.visit("/dashboard/w/blue-team");
        await see(person, "blue-team needs a second factor");
        await person.page.getByRole("banner").locator("summary").first().click();
        await see(person, "Your workspaces");
      },
    },
    {
      name: "the second factor, on the way to a workspace that needs it",
      async open(person) {
        await enterAs(person, state().member);
        await person.visit("/dashboard/account?next=%2Fdashboard%2Fw%2Fblue-team#second-factor");
        await see(person, "Not set up");
      },
    },
  ];
}
