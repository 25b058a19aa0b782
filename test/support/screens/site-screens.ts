import { googleTools } from "../../../app/content/google-tools.ts";
import { services } from "../../../app/content/services.ts";
import { publicPaths } from "../site/site-routes.ts";
import { newcomer, openDialog, owner, page, press, type Screen, see } from "./screen.ts";

/** A checkout that the Stripe fake fails to look up. */
export const brokenCheckout = "cs_test_broken";

const addressed = (path: string): Screen => ({
  name: path,
  async open(person) {
    await person.visit(path);
    await openDialog(person);
  },
});

/** The public pages, and the way to a plan. `unpaid` says which checkout was not paid. */
export function siteScreens(unpaid: () => string): readonly Screen[] {
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
        await openDialog(person);
        await person.page.getByLabel("Provider").selectOption("AWS");
        await press(person, "Configure Service");
        await see(person, "1 choice is kept in this browser");
        await press(person, "Configure now");
        await openDialog(person);
      },
    },
    ...services.map(({ kind }) => addressed(`/services?service=${kind}`)),
    ...googleTools.flatMap(({ id, tabs }) =>
      tabs.map((tab) => addressed(`/google-services?tool=${id}&tab=${tab}`)),
    ),
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
        await openDialog(person);
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
        await openDialog(person);
      },
    },
    {
      name: "sign-up, choosing a plan",
      async open(person) {
        await person.signIn(newcomer);
        await person.visit("/signup");
        await openDialog(person);
      },
    },
    {
      name: "sign-up, with a failed checkout",
      async open(person) {
        await person.signIn(owner);
        await person.visit("/signup");
        await openDialog(person);
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
      open: (person) => person.visit(`/success?session_id=${unpaid()}`),
    },
    page("success, unknown payment", "/success?session_id=cs_test_unknown", {
      problem: "404 GET /success",
    }),
    page("success, Stripe not reached", `/success?session_id=${brokenCheckout}`, {
      problem: "503 GET /success",
    }),
    page("a page that does not exist", "/nowhere", {
      problem: "404 GET /nowhere",
      shows: "Unexpected Application Error!",
    }),
  ];
}
