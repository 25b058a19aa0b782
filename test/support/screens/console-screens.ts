import { refuseAtAuthServer } from "../site/control-fakes.ts";
import type { Visitor } from "../site/visitor.ts";
import { enterAs, newcomer, openDialog, owner, page, press, type Screen, see } from "./screen.ts";

const noDeployment = "/dashboard/deployments/00000000-0000-4000-8000-000000000000";

/** What the screens of the console show, once it is there. */
export type ConsoleState = {
  /** The address of the owner's deployment. */
  deployment: string;
  /** Somebody with a plan, and nothing else. */
  beginner: Visitor;
  /** Somebody whose plan is paused. */
  paused: Visitor;
  /** Somebody whose invoices have all that an order by bank transfer needs. */
  company: Visitor;
  /** Somebody with a plan that was ordered so, and is due. */
  ordered: Visitor;
  /** Somebody whose servers all run. */
  operator: Visitor;
};

/** A page that somebody who signed in before opens, until it shows `shows`. */
const pageFor = (
  name: string,
  path: string | (() => string),
  who: () => Visitor,
  shows: string,
): Screen => ({
  name,
  async open(person) {
    await enterAs(person, who());
    await person.visit(typeof path === "string" ? path : path());
    await see(person, shows);
  },
});

/** The screens of the console. `state` answers what they show. */
export function consoleScreens(state: () => ConsoleState): readonly Screen[] {
  return [
    page("dashboard without a plan", "/dashboard", { as: newcomer, shows: "No plan yet" }),
    page("dashboard with a plan, on the way to the first server", "/dashboard", {
      as: owner,
      shows: "Not there yet",
    }),
    pageFor(
      "dashboard with a plan, before there is a server",
      "/dashboard",
      () => state().beginner,
      "0 of 5",
    ),
    pageFor(
      "dashboard with servers that run",
      "/dashboard",
      () => state().operator,
      "Your servers",
    ),
    pageFor(
      "deployments, before there is one",
      "/dashboard/deployments",
      () => state().beginner,
      "Your first server starts with a domain",
    ),
    pageFor(
      "a new deployment",
      "/dashboard/deployments/new",
      () => state().beginner,
      "Two things to begin with",
    ),
    pageFor(
      "moving in",
      "/dashboard/deployments/move-in",
      () => state().beginner,
      "You have a LiveKit: from its files",
    ),
    page("billing, without an invoice", "/dashboard/billing", {
      as: newcomer,
      shows: "No invoices yet",
    }),
    page("billing, with a card and an invoice", "/dashboard/billing", {
      as: owner,
      shows: "Visa ending in 4242",
    }),
    {
      name: "billing, with the details of its invoices",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/dashboard/billing");
        await person.page.getByText("Invoices: address, company").click();
        await see(person, "Save for new invoices");
      },
    },
    page("models, in the console", "/dashboard/models", { as: owner, shows: "Tokens for agents" }),
    page("usage, in the console", "/dashboard/usage", { as: owner, shows: "No usage from" }),
    {
      name: "the menu of the account",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/dashboard/deployments");
        await person.page.getByRole("banner").locator("summary").click();
        await see(person, "Signed in as");
      },
    },
    {
      name: "the command palette",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/dashboard/billing");
        await person.page.keyboard.press("ControlOrMeta+k");
        await openDialog(person);
        await person.page.getByRole("option", { name: "Sign out" }).waitFor();
      },
    },
    page("the plan, without one", "/dashboard/plan", { as: newcomer, shows: "No plan yet" }),
    {
      name: "the plan, and how to cancel it",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/dashboard/plan");
        await person.page.getByText("Cancel Pro", { exact: true }).click();
        await see(person, "Why do you cancel?");
      },
    },
    {
      name: "the plan, and how to pause it",
      async open(person) {
        await enterAs(person, state().beginner);
        await person.visit("/dashboard/plan");
        await person.page.getByText("Pause Basic instead of cancelling it").click();
        await see(person, "For how long?");
      },
    },
    pageFor(
      "the plan, to be ordered by bank transfer",
      "/dashboard/plan",
      () => state().company,
      "The invoice is made out to Okapi Ltd",
    ),
    pageFor(
      "the plan, ordered by bank transfer",
      "/dashboard/plan?done=ordered",
      () => state().ordered,
      "You have Pro. Stripe sends the invoice",
    ),
    pageFor("the plan, paused", "/dashboard/plan", () => state().paused, "It is paused until"),
    pageFor("dashboard, paused", "/dashboard", () => state().paused, "Your plan is paused until"),
    page("the plan, before a change to a smaller one", "/dashboard/plan?to=basic", {
      as: owner,
      shows: "What you lose on",
    }),
    page("deployments, with a deleted one", "/dashboard/deployments", {
      as: owner,
      shows: "Your server runs version 1",
    }),
    {
      name: "a deployment whose newest version is not on its server",
      async open(person) {
        await person.signIn(owner);
        await person.visit(state().deployment);
        await see(person, "Version 2 is not on your server");
      },
    },
    {
      name: "a step of the wizard, with machines and prices",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/edit?step=deployment`);
        await see(person, "c7i.xlarge · 4 vCPU");
      },
    },
    {
      name: "a step of the wizard, with an unsaved change that was saved otherwise elsewhere",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/edit?step=management`);
        await see(person, "Saving takes yours.");
      },
    },
    {
      name: "the review, with unsaved changes",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/edit?step=review`);
        await see(person, "Save all changes");
      },
    },
    {
      name: "versions, compared",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/versions`);
        await see(person, "Room for the conference");
      },
    },
    {
      name: "a copy of a deployment",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/duplicate`);
      },
    },
    {
      name: "a deletion with the wrong name",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/delete`);
        person.expectProblem(`400 POST ${state().deployment}/delete.data`);
        await press(person, "Delete it and its versions");
        await see(person, "This is not its name.");
      },
    },
    {
      name: "connect your app",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/connect`);
      },
    },
    {
      name: "a test call",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/call`);
      },
    },
    {
      name: "a test call that failed",
      async open(person) {
        await person.signIn(owner);
        person.expectProblem("net::ERR_NAME_NOT_RESOLVED");
        await person.visit(`${state().deployment}/call`);
        await person.page.getByLabel("API key").fill("APIabcdefghijkl");
        await person.page.getByLabel("API secret").fill("s".repeat(44));
        await person.page.getByLabel("API secret").press("Enter");
        await see(person, "Your browser cannot reach");
      },
    },
    {
      name: "the second tab of a test call",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/call?listen`);
        await press(person, "Listen");
        await see(person, "Waiting for a test call in another tab");
      },
    },
    {
      name: "a connection test",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/connection-test`);
      },
    },
    {
      name: "a connection test that failed",
      async open(person) {
        await person.signIn(owner);
        person.expectProblem("net::ERR_NAME_NOT_RESOLVED");
        await person.visit(`${state().deployment}/connection-test`);
        await person.page.getByLabel("API key").fill("APIabcdefghijkl");
        await person.page.getByLabel("API secret").fill("s".repeat(44));
        await person.page.getByLabel("API secret").press("Enter");
        await see(person, "The server was not reached");
      },
    },
    {
      name: "what an agent recorded, before a token",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/recordings/AJ_abcdefgh1234`);
      },
    },
    {
      name: "live rooms, before a token",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${state().deployment}/rooms`);
      },
    },
    page("the audit log, before there is a line", "/dashboard/audit", {
      as: newcomer,
      shows: "Nothing is noted yet",
    }),
    page("the audit log, with lines", "/dashboard/audit", {
      as: owner,
      shows: "Saved the deployment",
    }),
    page("the audit log, to its end", "/dashboard/audit?before=1", {
      as: owner,
      shows: "There is nothing older",
    }),
    page("support, without a message", "/dashboard/support", {
      as: newcomer,
      shows: "What you write here stands here",
    }),
    {
      name: "support, with a message and its answer",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/dashboard/support");
        await see(person, "Open 3478/udp");
      },
    },
    page("a deployment that is not there", noDeployment, {
      as: owner,
      problem: `404 GET ${noDeployment}`,
      shows: "This page is not here",
    }),
    page("a page of the console that does not exist", "/dashboard/nowhere", {
      as: owner,
      problem: "404 GET /dashboard/nowhere",
      shows: "This page is not here",
    }),
    page("a workspace that is not theirs", "/dashboard/w/nobodys-team", {
      as: owner,
      problem: "404 GET /dashboard/w/nobodys-team",
      shows: "This workspace is not yours",
    }),
    {
      name: "a page of the console that cannot be shown right now",
      async open(person) {
        await person.signIn(owner);
        await refuseAtAuthServer({
          path: "/auth/v1/user",
          status: 500,
          error_code: "unexpected_failure",
          msg: "The database is away",
        });
        person.expectProblem("503 GET /dashboard/account");
        await person.visit("/dashboard/account");
        await see(person, "This page cannot be shown right now");
      },
    },
  ];
}
