import type { OpenPage } from "../browser/browser.ts";
import {
  captain,
  invited,
  removeFurtherWebhooks,
  signedInByMail,
  team,
  type WorkspaceState,
} from "./prepare-workspaces.ts";
import { enterAs, newcomer, page, press, type Screen, see } from "./screen.ts";

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
        person.expectProblem(`409 POST ${team}/members.data`);
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
        await see(person, "No certificate authority vouches for names that end in .lan.");
      },
    },
    {
      name: "alerts, with the forms of a rota and of quiet hours",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/alerts`);
        await see(person, "is first until");
        for (const summary of ["Change the rota", "Somebody is away", "Time zone: Europe/Berlin"]) {
          await person.page.getByText(summary, { exact: true }).click();
        }
        const quiet = person.page.locator("summary", { hasText: "Quiet hours (PagerDuty" });
        await quiet.click();
        await see(person, "Save the quiet hours (PagerDuty");
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
    ...(
      [
        ["viewer", "Your role in this workspace is viewer"],
        ["billing", "Your role in this workspace is billing"],
        ["operator", "Another machine wants to replace this server"],
      ] as const
    ).map(([role, shows]) => ({
      name: `a server, as the role ${role} sees it`,
      async open(person: OpenPage) {
        await state().teamServer.refresh();
        await enterAs(person, await signedInByMail(`${role}@harbour.example.com`));
        await person.visit(`${team}/servers/${state().teamServer.server()}`);
        await see(person, shows);
      },
    })),
    viewersPage("dashboard, as a viewer sees it", "", "Another machine wants to replace it"),
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
    captainsPage("Approvers, of whom one has a passkey", "/approvers", "Laptop"),
    captainsPage("API tokens, of which one has ended", "/tokens", "It has ended"),
    {
      name: "API tokens, with one that was just made",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/tokens`);
        await person.page.getByLabel("Name of the token").fill("Deployments from our CI");
        await person.page.getByLabel("Make and save deployments").check();
        await press(person, "Make the token");
        await see(person, "Copy the token now");
      },
    },
    {
      name: "API tokens, one without a scope",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/tokens`);
        await person.page.getByLabel("Name of the token").fill("Nothing");
        person.expectProblem(`400 POST ${team}/tokens.data`);
        await press(person, "Make the token");
        await see(person, "Choose at least one thing");
      },
    },
    captainsPage("webhooks, of which one is off", "/webhooks", "Switched off"),
    {
      name: "webhooks, what one gets and what it got",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/webhooks`);
        for (const summary of ["Change (", "Change the secret (", "Remove (", "Last events ("]) {
          await person.page.locator("summary", { hasText: summary }).first().click();
        }
        await see(person, "Did not arrive");
      },
    },
    {
      name: "webhooks, with one that was just added",
      async open(person) {
        const visitor = await signedInByMail(captain);
        await removeFurtherWebhooks(visitor);
        await enterAs(person, visitor);
        await person.visit(`${team}/webhooks`);
        await person.page.getByLabel("Address", { exact: true }).fill("https://log.example.com/");
        await press(person, "Add the webhook");
        await see(person, "Copy the secret now");
      },
    },
    {
      name: "webhooks, one whose address is none",
      async open(person) {
        await enterAsCaptain(person);
        await person.visit(`${team}/webhooks`);
        await person.page.getByLabel("Address", { exact: true }).fill("http://hooks.example.com/");
        person.expectProblem(`400 POST ${team}/webhooks.data`);
        await press(person, "Add the webhook");
        await see(person, "The address must begin with https://.");
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
      name: "an invitation, for a signed-out visitor",
      async open(person) {
        await person.visit(state().invitation);
        await see(person, "Join Harbour operations");
      },
    },
    {
      name: "an invitation, for the person who is invited",
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
      name: "an invitation by single sign-on",
      async open(person) {
        await person.visit(state().invitationBySso);
        await see(person, "Sign in with SSO");
      },
    },
    {
      name: "an account of single sign-on",
      async open(person) {
        await enterAs(person, state().managed);
        await person.visit("/dashboard/account");
        await see(person, "Managed by your organisation");
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
