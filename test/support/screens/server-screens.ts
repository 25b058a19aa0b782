import { webhookAddress } from "../servers/arrived.ts";
import { sessions as sessionIds } from "../servers/session-lines.ts";
import type { Fleets } from "./prepare-fleets.ts";
import { enterAs, press, type Screen, see } from "./screen.ts";

/** What the screens of servers show. */
export type ServerState = {
  fleets: Fleets;
  /** The address of a site that does not reach the fleets, beside the file's own. */
  unreached: string;
};

type Who = keyof Fleets;

const dashboards: readonly [name: string, who: Who, shows: string, query?: string][] = [
  ["a first server that waits for its first report", "waiting", "Waiting for its first report"],
  ["a first server that boots", "booting", "Booting: images"],
  ["servers in each stage of their first boot", "stepping", "Booting: the doctor looks"],
  ["one server that is healthy", "healthy", "1 server · nothing is wrong"],
  ["a server in use", "used", "17 in calls"],
  ["servers that are wrong, update and were disconnected", "wrong", "something is wrong with 2"],
  ["many servers and a filter", "many", "Name, label, deployment or state"],
  ["many servers and a filter that finds none", "many", "No server matches.", "?q=nobody"],
  ["many servers, by deployment and load", "many", "staging", "?by=deployment&sort=load"],
  ["a cluster", "cluster", "an edge, 3 media machines and 1 Egress machine"],
  ["a server that is down", "down", "Down since"],
  ["a server that does not report and answers", "silent", "Reporter silent since"],
  ["a server whose incident is snoozed", "snoozed", "Snoozed"],
  ["a server in maintenance", "handled", "In maintenance"],
  ["a server that another machine wants to replace", "copied", "wants to replace it"],
  ["two machines that use one key", "twice", "Two machines use one key"],
  ["a paused server", "paused", "1 paused, not watched"],
  ["servers whose reports do not reach us", "unheard", "our fault"],
];

const pages: readonly [name: string, who: Who, shows: string, query?: string][] = [
  ["that waits for its first report", "waiting", "Waiting for its first report"],
  ["that boots for the first time", "booting", "under way"],
  ["that is the edge of a cluster", "cluster", "Edge"],
  ["that is the Egress machine of a cluster", "recorder", "Recordings as a table"],
  ["that is healthy", "healthy", "It found nothing wrong."],
  ["in use", "used", "Participants as a table"],
  ["in use, over 7 days", "used", "7 days", "?range=7d"],
  ["in use, over 90 days", "used", "90 days", "?range=90d"],
  ["whose doctor found something", "wrong", "Nobody listens on a public port"],
  ["that is down", "down", "The server is down"],
  ["that does not report and answers", "silent", "The server does not report"],
  ["whose incident is snoozed", "snoozed", "Snoozed until"],
  ["that somebody sees to and maintains", "handled", "In maintenance until"],
  ["that was down before", "back", "The server is down"],
  ["that another machine wants to replace", "copied", "Another machine wants to replace"],
  ["whose key two machines use", "twice", "Two machines use one key"],
  ["that is paused", "paused", "Keep this server"],
  ["whose reports do not reach us", "unheard", "our fault"],
  ["that does not run the newest version", "behind", "Version 2 is saved"],
  ["whose files somebody changed", "edited", "Its files are not those of version 1"],
  ["that was disconnected", "left", "Disconnected since"],
];

/** A screen may be opened several times, and no channel is there twice. */
let openings = 0;

const sessions: readonly [name: string, who: Who, shows: string, path?: string][] = [
  ["of a server", "used", "Participant-minutes"],
  ["of which none matches", "used", "No session matches.", "?name=ffffff"],
  ["before there are any", "healthy", "No session has been reported yet."],
  ["one by one", "used", "What happened", `/${sessionIds.room}`],
  [
    "explained, where the cause is likely",
    "used",
    "let no sound",
    `/${sessionIds.room}/PA_clice1234`,
  ],
  [
    "explained, where it cannot be known",
    "used",
    "Why cannot be known",
    `/${sessionIds.room}/PA_alice1234`,
  ],
  [
    "explained, where all was well",
    "used",
    "Nothing is known to have",
    `/${sessionIds.room}/PA_blice1234`,
  ],
];

const evidence: readonly [name: string, who: Who, shows: string, query?: string][] = [
  ["of a server", "used", "Worst networks"],
  ["of one person", "used", "The connection broke off during the call", "?who=aaaaaa"],
  ["of somebody who is bad each evening", "used", "most of their calls lose", "?who=999999"],
  ["of nobody", "used", "Nothing came of this person", "?who=ffffff"],
  ["before there is any", "healthy", "No app has said anything yet."],
];

const incidents: readonly [name: string, who: Who, shows: string, query?: string][] = [
  ["that are open", "wrong", "Nobody listens on a public port"],
  ["that somebody sees to", "handled", "acknowledged by"],
  ["that are over", "back", "lasted"],
  ["of which none is found", "back", "No incident matches.", "?server=nobody"],
  ["of which there are none", "healthy", "Nothing was wrong in the last 90 days."],
  ["before any server reports", "waiting", "No server reports to the console yet"],
];

/** The screens of servers. `state` answers what they show. */
export function serverScreens(state: () => ServerState): readonly Screen[] {
  const fleetOf = (who: Who) => state().fleets[who];
  const screen = (name: string, who: Who, path: () => string, shows: string): Screen => ({
    name,
    async open(person) {
      const { fleet, person: visitor } = fleetOf(who);
      await fleet.refresh();
      await enterAs(person, visitor);
      // A fleet whose clock was moved takes a page's ticket for one that has ended.
      person.allowProblem("WebSocket connection to");
      await person.visit(path());
      await see(person, shows);
    },
  });
  /** A page of the site that does not reach the fleets. */
  const unreachedScreen = (name: string, path: () => string): Screen => ({
    name,
    async open(person) {
      const url = state().unreached;
      await enterAs(person, fleetOf("healthy").person, url);
      person.allowProblem("the server responded with a status of 503");
      await person.page.goto(url + path());
      await see(person, "cannot be read right now");
    },
  });
  return [
    ...dashboards.map(([name, who, shows, query = ""]) =>
      screen(`dashboard with ${name}`, who, () => `/dashboard${query}`, shows),
    ),
    ...pages.map(([name, who, shows, query = ""]) =>
      screen(
        `a server ${name}`,
        who,
        () => `/dashboard/servers/${fleetOf(who).server}${query}`,
        shows,
      ),
    ),
    ...sessions.map(([name, who, shows, path = ""]) =>
      screen(
        `sessions ${name}`,
        who,
        () => `/dashboard/servers/${fleetOf(who).server}/sessions${path}`,
        shows,
      ),
    ),
    ...evidence.map(([name, who, shows, query = ""]) =>
      screen(
        `evidence of calls ${name}`,
        who,
        () => `/dashboard/servers/${fleetOf(who).server}/evidence${query}`,
        shows,
      ),
    ),
    ...incidents.map(([name, who, shows, query = ""]) =>
      screen(`incidents ${name}`, who, () => `/dashboard/incidents${query}`, shows),
    ),
    ...(["wrong", "handled", "back"] as const).map((who): Screen => {
      const list = screen("", who, () => "/dashboard/incidents", "Uptime");
      return {
        name: `an incident of a server: ${who}`,
        async open(person) {
          await list.open(person);
          const { page } = person;
          await page.getByRole("list", { name: "Incidents" }).getByRole("link").first().click();
          await see(person, "A text to send afterwards");
        },
      };
    }),
    screen(
      "a deployment whose plan has no room for another server",
      "healthy",
      () => `/dashboard/deployments/${fleetOf("healthy").deployment}`,
      "Your plan has one server, and it is connected.",
    ),
    screen(
      "a deployment with a cluster",
      "cluster",
      () => `/dashboard/deployments/${fleetOf("cluster").deployment}`,
      "A spare machine",
    ),
    unreachedScreen("dashboard while servers cannot be read", () => "/dashboard"),
    unreachedScreen(
      "a server that cannot be read",
      () => `/dashboard/servers/${fleetOf("healthy").server}`,
    ),
    unreachedScreen(
      "a deployment whose servers cannot be read",
      () => `/dashboard/deployments/${fleetOf("healthy").deployment}`,
    ),
    unreachedScreen(
      "sessions that cannot be read",
      () => `/dashboard/servers/${fleetOf("used").server}/sessions`,
    ),
    unreachedScreen(
      "evidence of calls that cannot be read",
      () => `/dashboard/servers/${fleetOf("used").server}/evidence`,
    ),
    unreachedScreen("incidents that cannot be read", () => "/dashboard/incidents"),
    unreachedScreen("alerts that cannot be read", () => "/dashboard/alerts"),
    {
      name: "a deployment with a token that was just made",
      async open(person) {
        const { person: visitor, deployment } = fleetOf("wrong");
        await enterAs(person, visitor);
        await person.visit(`/dashboard/deployments/${deployment}`);
        await person.page.locator("summary", { hasText: "Connect a server" }).click();
        await press(person, "Make a token");
        await see(person, "Copy the token now");
      },
    },
    {
      name: "a deployment with user data that was just made",
      async open(person) {
        const { person: visitor, deployment } = fleetOf("wrong");
        await enterAs(person, visitor);
        await person.visit(`/dashboard/deployments/${deployment}`);
        await person.page.locator("summary", { hasText: "Connect a server" }).click();
        await press(person, "Make user data");
        await see(person, "Copy the user data now");
      },
    },
    {
      name: "alerts, with the secret of a new webhook",
      // Pressed with script; test/proof/servers/notifications/alerts.test.ts adds one without.
      needsScript: true,
      async open(person) {
        await enterAs(person, fleetOf("copied").person);
        await person.visit("/dashboard/alerts");
        await person.page.locator("summary", { hasText: "Webhook" }).last().click();
        openings += 1;
        await person.page.getByLabel("Address").fill(webhookAddress(`shown-${openings}`));
        await press(person, "Add the webhook");
        await see(person, "Copy its secret now");
      },
    },
  ];
}
