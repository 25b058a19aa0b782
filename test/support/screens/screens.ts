import { beforeAll } from "vitest";
import { googleTools } from "../../../app/content/google-tools.ts";
import { services } from "../../../app/content/services.ts";
import { addressOf } from "../../../app/features/google/dialog/tool-address.ts";
import { buy } from "../billing/hosted-pages.ts";
import type { OpenPage } from "../browser/browser.ts";
import { database, userIdOf } from "../database/database.ts";
import { fullOptions, storeDeployment, storeVersion } from "../deployments/deployments.ts";
import { resetFakes, stripeControl } from "../site/control-fakes.ts";
import { publicPaths } from "../site/site-routes.ts";
import { Visitor } from "../site/visitor.ts";

const owner = "customer.one@example.com";
const newcomer = "customer.two@example.com";

/** A screen of the product in one state, and how a person gets there. */
export type Screen = { name: string; open(person: OpenPage): Promise<void> };

/**
 * Every screen, with its dialogs open. All share one state, which opening them does not change: a person with a plan,
 * a person without one, and a checkout that was not paid.
 */
export function prepareScreens(): readonly Screen[] {
  let unpaidSession = "";
  let deployment = "";

  beforeAll(async () => {
    await resetFakes();
    const buyer = new Visitor();
    await buyer.signInWithGoogle(owner);
    await buy(buyer, "pro");
    const id = await storeDeployment(owner, fullOptions());
    deployment = `/dashboard/deployments/${id}`;
    await buyer.post(`${deployment}/versions`, { applied: "1" });
    await storeVersion(owner, id, { ...fullOptions(), size: "large", updates: "weekly" }, 1);
    const unsaved = { step: "management", version: "1", updates: "monthly" };
    await buyer.post(`${deployment}/unsaved`, unsaved);
    const given = { noted: "2", note: "Room for the conference" };
    await buyer.post(`${deployment}/versions`, given);
    const deleted = await storeDeployment(owner, fullOptions(), "Staging");
    await buyer.post(`/dashboard/deployments/${deleted}/delete`, { name: "Staging" });
    const address = { new_ipv4: "198.41.0.4", new_ipv6: "", of_version: 1 };
    const server = { owner: await userIdOf(owner), target: id, ...address };
    await database.rpc("set_server_address", server).throwOnError();
    const sent = await buyer.post("/dashboard/support", {
      topic: "support",
      deployment: deployment.split("/").at(-1) ?? "",
      message: "Doctor says that 3478/udp is closed. What do I open?",
    });
    const message = new URL(sent.headers.get("location") ?? "", buyer.siteUrl).searchParams.get(
      "sent",
    );
    await database
      .rpc("answer_contact_message", {
        message: message ?? "",
        answer: "Open 3478/udp in the firewall.",
      })
      .throwOnError();
    const guest = new Visitor();
    const start = await guest.post("/pricing", { plan: "basic" });
    unpaidSession = start.headers.get("location")?.split("/").at(-1) ?? "";
    await stripeControl("faults", { mode: "error500", match: `/v1/checkout/sessions/${broken}` });
  });

  const dialog = (person: OpenPage) => person.page.locator("dialog:modal").waitFor();
  const addressed = (path: string): Screen => ({
    name: path,
    async open(person) {
      await person.visit(path);
      await dialog(person);
    },
  });
  const see = (person: OpenPage, text: string) => person.page.getByText(text).first().waitFor();
  /** A page that somebody signed in as `as` opens, until it shows `shows`. `problem`: what its browser reports. */
  const page = (
    name: string,
    path: string,
    { as, problem, shows }: { as?: string; problem?: string; shows?: string } = {},
  ): Screen => ({
    name,
    async open(person) {
      if (as) await person.signIn(as);
      if (problem) person.expectProblem(problem);
      await person.visit(path);
      if (shows) await see(person, shows);
    },
  });
  const press = (person: OpenPage, name: string) =>
    person.page.getByRole("button", { name }).first().click();

  return [
    ...publicPaths().map((path) => page(path, path)),
    {
      name: "a menu on a phone",
      async open(person) {
        await person.page.setViewportSize({ width: 320, height: 640 });
        await person.visit("/");
        await person.page.getByRole("banner").locator("summary").click();
        await person.page.getByRole("navigation", { name: "Main" }).waitFor();
      },
    },
    {
      name: "the questions of a service, and what is kept of the answers",
      async open(person) {
        await person.visit("/services");
        await press(person, "Configure now");
        await dialog(person);
        await person.page.getByLabel("Provider").selectOption("AWS");
        await press(person, "Configure Service");
        await see(person, "1 choice is kept in this browser");
        await press(person, "Configure now");
        await dialog(person);
      },
    },
    ...services.map(({ kind }) => addressed(`/services?service=${kind}`)),
    ...googleTools.flatMap((tool) => tool.tabs.map((tab) => addressed(addressOf({ tool, tab })))),
    {
      name: "a Google tool that succeeded",
      async open(person) {
        await person.visit("/google-services?tool=gmail&tab=send");
        await press(person, "Send email");
        await see(person, "Operation completed successfully!");
      },
    },
    {
      name: "a Google tool that failed",
      async open(person) {
        await person.visit("/google-services?tool=calendar&tab=create");
        await person.page.getByLabel("Start").fill("2027-03-29T10:00");
        await person.page.getByLabel("End", { exact: true }).fill("2027-03-29T09:00");
        await press(person, "Create event");
        await see(person, "Error: The event must end after it starts.");
      },
    },
    {
      name: "a model configuration that was updated",
      async open(person) {
        await person.visit("/openai-config");
        await press(person, "Update Configuration");
        await see(person, "Configuration updated successfully!");
      },
    },
    {
      name: "a model configuration that was refused",
      async open(person) {
        await person.visit("/openai-config");
        await person.page.getByLabel("Model", { exact: true }).fill("no such model");
        await press(person, "Update Configuration");
        await see(person, "Error: The name of a model has no spaces.");
      },
    },
    {
      name: "a customer story",
      async open(person) {
        await person.visit("/spotlight");
        await press(person, "Learn more");
        await dialog(person);
      },
    },
    {
      name: "prices, waiting for the checkout",
      async open(person) {
        await person.visit("/pricing");
        await person.hold("/pricing.data");
        await press(person, "Get started");
        await see(person, "Redirecting to secure checkout...");
      },
    },
    {
      name: "prices, with a failed checkout",
      async open(person) {
        await person.visit("/pricing");
        person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
        await person.page.route("**/pricing.data", (route) => route.abort("internetdisconnected"));
        await press(person, "Get started");
        await see(person, "Something went wrong. Please try again.");
      },
    },
    page("prices, for somebody with a plan", "/pricing", { as: owner, shows: "Change to Basic" }),
    page("sign-up", "/signup"),
    {
      name: "sign-up, signing in",
      async open(person) {
        await person.visit("/signup");
        await press(person, "Sign up with Google");
        await dialog(person);
      },
    },
    {
      name: "sign-up, choosing a plan",
      async open(person) {
        await person.signIn(newcomer);
        await person.visit("/signup");
        await dialog(person);
      },
    },
    {
      name: "sign-up, with a failed checkout",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/signup");
        await dialog(person);
        person.expectProblem("409 POST /api/create-checkout-session");
        await press(person, "Subscribe Now");
        await see(person, "You already have an active subscription");
      },
    },
    page("sign-in", "/signin"),
    page("sign-in, after a problem", "/signin?problem=cancelled"),
    {
      name: "success",
      async open(person) {
        // The countdown ends, but leads nowhere while somebody looks.
        await person.hold("/dashboard.data");
        await person.visit("/success");
      },
    },
    {
      name: "success, not paid",
      open: (person) => person.visit(`/success?session_id=${unpaidSession}`),
    },
    page("success, unknown payment", "/success?session_id=cs_test_unknown", {
      problem: "404 GET /success",
    }),
    page("success, Stripe not reached", `/success?session_id=${broken}`, {
      problem: "503 GET /success",
    }),
    page("dashboard without a plan", "/dashboard", { as: newcomer, shows: "No plan yet" }),
    page("dashboard with a plan, on the way to the first server", "/dashboard", {
      as: owner,
      shows: "Not there yet",
    }),
    page("billing, without an invoice", "/dashboard/billing", {
      as: newcomer,
      shows: "No invoices yet",
    }),
    page("billing, with a card and an invoice", "/dashboard/billing", {
      as: owner,
      shows: "Visa ending in 4242",
    }),
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
        await person.page.keyboard.press("Control+k");
        await dialog(person);
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
        await person.visit(deployment);
        await see(person, "Version 2 is not on your server");
      },
    },
    {
      name: "a step of the wizard, with machines and prices",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/edit?step=deployment`);
        await see(person, "c7i.xlarge · 4 vCPU");
      },
    },
    {
      name: "a step of the wizard, with an unsaved change that was saved otherwise elsewhere",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/edit?step=management`);
        await see(person, "Saving takes yours.");
      },
    },
    {
      name: "the review, with unsaved changes",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/edit?step=review`);
        await see(person, "Save all changes");
      },
    },
    {
      name: "versions, compared",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/versions`);
        await see(person, "Room for the conference");
      },
    },
    {
      name: "a copy of a deployment",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/duplicate`);
      },
    },
    {
      name: "a deletion with the wrong name",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/delete`);
        person.expectProblem(`400 POST ${deployment}/delete.data`);
        await press(person, "Delete it and its versions");
        await see(person, "This is not its name.");
      },
    },
    {
      name: "connect your app",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/connect`);
      },
    },
    {
      name: "a test call",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/call`);
      },
    },
    {
      name: "the second tab of a test call",
      async open(person) {
        await person.signIn(owner);
        await person.visit(`${deployment}/call?listen`);
        await press(person, "Listen");
        await see(person, "Waiting for a test call in another tab");
      },
    },
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
    page("a page that does not exist", "/nowhere", {
      problem: "404 GET /nowhere",
      shows: "Unexpected Application Error!",
    }),
  ];
}

/** A checkout that the Stripe fake fails to look up. */
const broken = "cs_test_broken";

const noDeployment = "/dashboard/deployments/00000000-0000-4000-8000-000000000000";
