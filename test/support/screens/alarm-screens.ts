import type { OpenPage } from "../browser/browser.ts";
import { mailedLink } from "./prepare-fleets.ts";
import { enterAs, press, type Screen, see } from "./screen.ts";
import type { ServerState } from "./server-screens.ts";

type Who = keyof ServerState["fleets"];

/** What the page shows that the link of a message leads to. `more`: of its address. */
const linked: readonly [name: string, who: Who, shows: string, more?: string][] = [
  ["of one incident", "down", "Nobody has acknowledged it yet."],
  ["of several incidents", "storm", "Acknowledge 3 incidents"],
  ["of one that somebody sees to", "handled", "Acknowledged by"],
  ["after a press", "handled", "Acknowledged. It is not told again.", "&done=acknowledge"],
  ["after a snooze", "snoozed", "Snoozed for 1 hour.", "&done=snooze-hour"],
  ["of one that is over", "back", "over since"],
];

/** What a browser's script says of push, by what the browser is. */
const browsers = [
  ["that may ask", "Tell this browser", "default"],
  ["that was forbidden to", "are forbidden in this browser", "denied"],
  ["that takes none", "This browser takes no push.", "none"],
  ["of a phone before it is on the home screen", "add this site to the Home Screen", "phone"],
] as const;

/** Makes a page's browser one that takes push messages or not. */
function pretend(browser: (typeof browsers)[number][2]): void {
  if (browser === "default" || browser === "denied") {
    Object.defineProperty(Notification, "permission", { get: () => browser });
    return;
  }
  Reflect.deleteProperty(window, "PushManager");
  if (browser === "phone") Object.defineProperty(navigator, "standalone", { value: false });
}

/** The screens of who is told, and of how they answer. `state` answers what they show. */
export function alarmScreens(state: () => ServerState): readonly Screen[] {
  const fleetOf = (who: Who) => state().fleets[who];
  const link = (who: Who) => mailedLink(`${who}@example.com`);

  /** A page of the console, for the team with three servers that are down. */
  const ofStorm = (
    name: string,
    path: () => string,
    then: (person: OpenPage) => Promise<void>,
  ): Screen => ({
    name,
    async open(person) {
      const { fleet, person: visitor } = fleetOf("storm");
      await fleet.refresh();
      await enterAs(person, visitor);
      person.allowProblem("WebSocket connection to");
      await person.visit(path());
      await then(person);
    },
  });
  const serverOfStorm = () => `/dashboard/servers/${fleetOf("storm").server}`;
  const unfold = (person: OpenPage, summary: string) =>
    person.page.getByRole("main").locator("summary", { hasText: summary }).first().click();

  return [
    ...linked.map(
      ([name, who, shows, more = ""]): Screen => ({
        name: `the link of a message ${name}`,
        async open(person) {
          await fleetOf(who).fleet.refresh();
          await person.visit((await link(who)) + more);
          await see(person, shows);
        },
      }),
    ),
    {
      name: "the link of a message that acknowledged before",
      async open(person) {
        await person.visit(await link("answered"));
        person.expectProblem("409 POST /acknowledge");
        await press(person, "Acknowledge");
        await see(person, "This link has done that already.");
      },
    },
    {
      name: "the link of a message that is not known",
      async open(person) {
        person.expectProblem("404 GET /acknowledge");
        await person.visit("/acknowledge?link=lkd_a_nothing");
        await see(person, "This link is not known, or it is too old.");
      },
    },
    {
      name: "the link of a message while servers cannot be reached",
      async open(person) {
        person.allowProblem("the server responded with a status of 503");
        await person.page.goto(state().unreached + (await link("down")));
        await see(person, "Your servers cannot be reached right now.");
      },
    },
    ofStorm(
      "dashboard with servers that wait for somebody, and the form for several",
      () => "/dashboard",
      async (person) => {
        await see(person, "Nobody has acknowledged what is wrong with 3 servers.");
        await unfold(person, "Acknowledge, snooze or work on several servers");
        await person.page.getByRole("checkbox").first().check();
      },
    ),
    ofStorm(
      "a server with labels and thresholds, and their forms",
      serverOfStorm,
      async (person) => {
        await see(person, "told at once, for servers of this deployment");
        await unfold(person, "Set a threshold");
        await unfold(person, "Labels");
        await person.page.getByLabel("Labels", { exact: true }).waitFor();
      },
    ),
    ofStorm(
      "alerts, by a channel of every kind, and the form of each",
      () => "/dashboard/alerts",
      async (person) => {
        await see(person, "#on-call of ntfy");
        const forms = person.page.getByRole("region", { name: "Add a channel" }).locator("summary");
        for (const form of await forms.all()) await form.click();
        await person.page.getByLabel("Routing key").waitFor();
      },
    ),
    ofStorm(
      "alerts, an address that is of another service",
      () => "/dashboard/alerts",
      async (person) => {
        // Above the forms a channel of Slack can be removed.
        await person.page.locator("#add summary", { hasText: "Slack" }).click();
        const field = person.page.getByLabel("Webhook URL").filter({ visible: true });
        await field.fill("https://chat.example.com/hook");
        person.expectProblem("400 POST /dashboard/alerts");
        await press(person, "Add Slack");
        await person.page
          .locator("[aria-invalid=true]")
          .or(person.page.getByRole("alert"))
          .first()
          .waitFor();
      },
    ),
    ...browsers.map(([name, shows, browser]): Screen => {
      const alerts = ofStorm(
        `alerts, push to a browser ${name}`,
        () => "/dashboard/alerts",
        async (person) => {
          await unfold(person, "Push to this browser");
          await see(person, shows);
        },
      );
      return {
        ...{ name: alerts.name, needsScript: true },
        async open(person) {
          await person.page.addInitScript(pretend, browser);
          await alerts.open(person);
        },
      };
    }),
  ];
}
