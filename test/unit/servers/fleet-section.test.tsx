import { renderToStaticMarkup } from "react-dom/server";
import { createMemoryRouter, RouterProvider } from "react-router";
import { expect, test } from "vitest";
import type { IncidentSummary } from "../../../app/features/servers/incidents/incident.ts";
import { fleetList } from "../../../app/features/servers/pages/fleet-list.server.ts";
import { FleetSection } from "../../../app/features/servers/pages/fleet-section.tsx";
import type { ServerView } from "../../../app/features/servers/pages/server-view.ts";
import type { ServerState } from "../../../app/features/servers/state/state.ts";
import { serverView } from "../../support/servers/shown-server.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

const now = Date.UTC(2026, 10, 25, 12);
const healthy = { code: "healthy" } as const;
const ended = { code: "paused", why: "plan-ended", allowed: 0, isEnding: false } as const;

/** The markup of the overview's servers. `search`: of its address. */
function markupOf(servers: ServerView[], unreached?: string, search = ""): string {
  const names = new Map([["d-1", "Production"]]);
  const list = fleetList({ readAt: now, servers }, new URLSearchParams(search), names);
  const router = createMemoryRouter([
    {
      path: "/",
      element: (
        <FleetSection
          list={list}
          known={[]}
          unreached={unreached}
          live={{ state: "connecting", failedAt: undefined }}
        />
      ),
    },
  ]);
  return renderToStaticMarkup(<RouterProvider router={router} />);
}

const textOf = (servers: ServerView[], unreached?: string) =>
  textOfHtml(markupOf(servers, unreached));
const server = (name: string, state: ServerState, more: Partial<ServerView> = {}) =>
  serverView(name, { state, lastReportAt: now, ...more });

test("of servers that nobody watches the overview says so, and not that nothing is wrong", () => {
  const three = ["a", "b", "c"].map((name) => server(name, ended));
  const text = textOf(three);
  expect(text).toContain("3 servers · 3 paused, not watched");
  expect(text).not.toContain("nothing is wrong");
  expect(textOf([...three, server("d", healthy, { participants: 0 })])).toContain(
    "4 servers · nothing is wrong · 3 paused, not watched · 0 in calls",
  );
});

test("of a server that does not report now the last number of people in calls is said as such (M5)", () => {
  const down = { code: "down", since: now } as const;
  const text = textOf([server("a", down, { participants: 3 })]);
  expect(text).toContain("1 server · something is wrong with 1 Connecting…");
  expect(text).toContain(", 3 in calls then");
  const both = textOf([
    server("a", down, { participants: 3 }),
    server("b", healthy, { participants: 4 }),
  ]);
  expect(both).toContain("2 servers · something is wrong with 1 · 4 in calls");
});

test("in an outage of ours the overview says whose fault it is, and counts no server as wrong", () => {
  const silent = { code: "silent", since: now - 300_000 } as const;
  const text = textOf([server("sfu-1", silent, { ourFault: now - 240_000 })]);
  expect(text).toMatch(
    /Reports do not reach us since .*: our fault\. Your servers run as before, and nobody is paged\./,
  );
  expect(text).toContain("1 server · reports of 1 do not reach us");
  expect(text).not.toMatch(/Reporter silent|something is wrong|nothing is wrong/);
  const singleServer = textOf([server("sfu-1", silent)]);
  expect(singleServer).toContain("something is wrong with 1");
  expect(singleServer).toContain("Reporter silent since");
  expect(singleServer).not.toContain("our fault");
});

test("what is critical stands out from what only warns, and from an update (M14)", () => {
  const badge = (state: ServerState, more: Partial<ServerView> = {}) =>
    /<span class="([^"]*)"><span>(?:Down|Updating|Reporter|Degraded)/.exec(
      markupOf([server("a", state, more)]),
    )?.[1];
  const found = (code: string, severity: "critical" | "warning") =>
    badge(
      { code: "degraded", finding: code },
      { findings: [{ code, severity, subject: "", found: "", wanted: "" }] },
    );
  expect(found("disk.full", "critical")).toContain("bg-failure ");
  expect(found("disk.filling", "warning")).toContain("bg-warning-well");
  expect(badge({ code: "down", since: now })).toContain("bg-failure");
  expect(badge({ code: "updating", since: now })).toContain("bg-warning-well");
  expect(badge({ code: "silent", since: now })).toContain("bg-warning-well");
});

test("a server's line says what people have done about it", () => {
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: now, severity: "page" as const, causes: [] },
    ...{ acknowledged: { by: "p-1", at: now }, snoozedUntil: now + 1 },
  };
  const down = { code: "down", since: now } as const;
  expect(textOf([server("a", down, { incident, maintenanceUntil: now + 1 })])).toMatch(
    /Acknowledged\s+Snoozed\s+In maintenance/,
  );
  const over = { ...incident, acknowledged: undefined, snoozedUntil: now };
  expect(textOf([server("a", down, { incident: over })])).not.toMatch(
    /Acknowledged|Snoozed|In maintenance/,
  );
});

test("servers about which nobody is notified have a warning above them, with the way to mend it", () => {
  const markup = markupOf([server("a", healthy)], "Nobody is told when a server is down.");
  expect(textOfHtml(markup)).toMatch(/Nobody is told when a server is down\.\s+Alerts/);
  expect(markup).toContain('href="/dashboard/alerts"');
  expect(textOf([server("a", healthy)])).not.toContain("Alerts");
});

test("the line of a day says what was most, and a single figure is a dot", () => {
  const nothing = Array(47).fill(null);
  const one = markupOf([server("a", healthy, { day: [...nothing, 5] })]);
  expect(textOfHtml(one)).toContain("most 5 in 24 h");
  expect(one).toMatch(/d="M95\.0 [\d.]+h0"/);
  const two = markupOf([server("a", healthy, { day: [...nothing.slice(1), 4, 5] })]);
  expect(two).not.toContain("h0");
});

test("the overview leads to the servers that run a version with a known fault", () => {
  const finding = { severity: "warning", subject: "redis", found: "", wanted: "" } as const;
  const affected = server("sfu-1", healthy, {
    findings: [{ code: "version.affected", ...finding }],
  });
  expect(textOf([affected])).toContain("1 server runs a version with a known fault. Show it");
  expect(markupOf([affected])).toContain('href="/?show=affected"');
  expect(textOf([server("sfu-2", healthy)])).not.toContain("known fault");
});

test("servers of which nobody has acknowledged that they page have one button, and each a box to tick (M3)", () => {
  const down = { code: "down", since: now } as const;
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: now, severity: "page" as const, causes: [] },
    ...{ acknowledged: undefined, snoozedUntil: undefined },
  };
  const acknowledged = { by: "p-1", at: now };
  const paging = ["a", "b", "c"].map((name) => server(name, down, { incident }));
  const answered = server("d", down, { incident: { ...incident, acknowledged } });
  const snoozed = server("e", down, { incident: { ...incident, snoozedUntil: now + 1 } });
  const markup = markupOf([...paging, answered, snoozed]);
  expect(textOfHtml(markup)).toMatch(/wrong with 3 servers\.\s+Acknowledge all 3/);
  expect(markup.match(/name="server\./g)).toHaveLength(5);
  expect(textOf([answered, server("b", down, { incident })])).not.toContain("Acknowledge all");
  expect(markupOf(paging.slice(0, 1))).not.toContain("checkbox");
});

test("where servers stand by deployment its name is above them and not at each", () => {
  const many = Array.from({ length: 21 }, (_, at) => server(`sfu-${at}`, healthy));
  const timesNamed = (search: string) =>
    markupOf(many, undefined, search).match(/>Production</g)?.length;
  expect(timesNamed("")).toBe(21 + 1);
  expect(timesNamed("by=deployment")).toBe(1 + 1);
});
