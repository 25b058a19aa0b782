import { renderToStaticMarkup } from "react-dom/server";
import { MemoryRouter } from "react-router";
import { expect, test } from "vitest";
import { causeWords } from "../../../app/features/servers/incidents/cause-words.ts";
import type { IncidentSummary } from "../../../app/features/servers/incidents/incident.ts";
import {
  NextStep,
  PastIncidents,
} from "../../../app/features/servers/incidents/incident-sections.tsx";
import {
  incidentView,
  logsCommand,
} from "../../../app/features/servers/incidents/incident-view.ts";
import { manyActs } from "../../../app/features/servers/incidents/many-words.ts";
import { untilMorning } from "../../../app/features/servers/incidents/morning.ts";
import { SeriesOfRange } from "../../../app/features/servers/metrics/series.ts";
import { serverDetails } from "../../../app/features/servers/pages/server-details.server.ts";
import { FindingsList, ServerFacts } from "../../../app/features/servers/pages/server-sections.tsx";
import { serverView } from "../../support/servers/shown-server.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

/** What a server's page has beside the server. */
const shownFigures = {
  ...{ readAt: 1, changes: [] },
  series: new SeriesOfRange("48h", 1).series(),
  capacity: { cpus: undefined, memory: undefined, disk: undefined },
};

test("beside an open incident nobody reads that nothing was wrong", () => {
  const textOf = (isOneOpen: boolean) =>
    textOfHtml(renderToStaticMarkup(<PastIncidents past={[]} isOneOpen={isOneOpen} />)).trim();
  expect(textOf(true)).toBe("No other incident in the last 90 days.");
  expect(textOf(false)).toBe("No incident in the last 90 days.");
});

test("what the open incident says is not said once more below it, and everything else is", () => {
  const full = { code: "disk.filling", severity: "warning", subject: "/" } as const;
  const cause = { code: full.code, subject: "/", severity: "notify", since: 0 } as const;
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: 0, severity: "notify" as const, causes: [cause] },
    ...{ acknowledged: undefined, snoozedUntil: undefined },
  };
  const other = { ...full, subject: "/srv" };
  const view = serverView("sfu-1", {
    ...{ incident, doctorAt: 1 },
    findings: [full, other].map((finding) => ({
      ...finding,
      found: "85 % <used>",
      wanted: "80 %",
    })),
  });
  const details = serverDetails({ ...view, ...shownFigures }, undefined);
  const text = textOfHtml(
    renderToStaticMarkup(
      <MemoryRouter>
        <FindingsList {...details} />
      </MemoryRouter>,
    ),
  );
  expect(text).toMatch(/The disk fills up: \/ +85 % &lt;used&gt; +What to do is said above\./);
  expect(text.match(/What to do: /g)).toHaveLength(1);
});

test("an advisory has a word and the command beside it, also where the open incident says it", () => {
  const affected = { code: "version.exposed", subject: "livekit" } as const;
  const wanted = "livekit=v1.13.11";
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: 0, severity: "page", acknowledged: undefined },
    ...{ snoozedUntil: undefined, causes: [{ ...affected, wanted, severity: "page", since: 0 }] },
  };
  const view = serverView("sfu-1", {
    ...{ incident, doctorAt: 1 },
    findings: [
      { code: "disk.filling", severity: "warning", subject: "/", found: "85 %", wanted: "" },
      { ...affected, severity: "critical", found: "v1.13.9 runs", wanted },
      { code: "unit.failed", severity: "critical", subject: "x", found: "failed", wanted: "" },
    ],
  });
  const details = serverDetails({ ...view, ...shownFigures }, undefined);
  const { findings } = details;
  expect(findings.map(({ badge }) => badge)).toEqual([
    "Update needed",
    "Does not work",
    "Look at it",
  ]);
  expect(findings[0]?.next).toBe("`sudo livekit-deploy update --to livekit=v1.13.11`");
  const markup = renderToStaticMarkup(
    <MemoryRouter>
      <FindingsList {...details} />
    </MemoryRouter>,
  );
  const isCritical = [...markup.matchAll(/<span class="(rounded-sm[^"]*)">/g)].map(([, classes]) =>
    classes?.includes("bg-failure "),
  );
  expect(isCritical).toEqual([true, true, false]);
});

test("an open incident has what the doctor found, beside each cause that it found", () => {
  const full = { code: "disk.filling", subject: "/", severity: "notify", since: 0 } as const;
  const down = { code: "down", subject: "", severity: "page", since: 0 } as const;
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: 0, severity: "page", acknowledged: undefined },
    ...{ snoozedUntil: undefined, causes: [down, { ...full, found: "88 % used" }] },
  };
  const { open } = incidentView({ incident, maintenanceUntil: undefined }, []);
  expect(open?.causes.map(({ found }) => found)).toEqual([undefined, "88 % used"]);
});

test("of a server that is down nobody reads that its doctor finds nothing wrong now (M9)", () => {
  const textOf = (code: "healthy" | "down") => {
    const state = code === "down" ? { code, since: 1 } : { code };
    const view = serverView("sfu-1", { state, doctorAt: 1 });
    const details = serverDetails({ ...view, ...shownFigures }, undefined);
    return textOfHtml(renderToStaticMarkup(<FindingsList {...details} />));
  };
  expect(textOf("healthy")).toContain("It found nothing wrong.");
  expect(textOf("down")).toContain("When it last reported, it had found nothing wrong.");
});

test("in what to do commands are set as such, and the sentence around them as a sentence", () => {
  const { next } = causeWords({ code: "down", subject: "" });
  const html = renderToStaticMarkup(<NextStep text={next} help={undefined} />);
  const commands = [...html.matchAll(/<code[^>]*>(.*?)<\/code>/g)].map(([, shown = ""]) =>
    shown.replaceAll(/<wbr\/>|<\/?span>/g, ""),
  );
  expect(commands).toEqual(["sudo livekit-deploy doctor"]);
  expect(textOfHtml(html)).toContain("whether the machine runs and has a network; then:");
  expect(html).not.toContain("`");
});

test("an incident has the command that shows the logs of when it began, of the service that it is about", () => {
  const openedAt = Date.parse("2026-11-28T03:15:20Z");
  const since = Date.parse("2026-11-28T03:12:40Z");
  const of = (...codes: string[]) =>
    logsCommand({
      openedAt,
      causes: codes.map((code) => ({ code, subject: "egress", severity: "page", since })),
    });
  const around = "--around 2026-11-28T03:12Z";
  expect(of("down")).toBe(`sudo livekit-deploy logs livekit ${around}`);
  expect(of("disk.full", "cert.ending")).toBe(`sudo livekit-deploy logs caddy ${around}`);
  expect(of("a.code.of.tomorrow")).toBe(`sudo livekit-deploy logs livekit ${around}`);
  // Of what lasts before what is over; an edge has no LiveKit.
  const edge = { id: "edge", name: "edge", role: "edge" } as const;
  const cause = { subject: "", severity: "page", since, machine: edge } as const;
  const causes = [
    { ...cause, code: "redis.lost", endedAt: openedAt },
    { ...cause, code: "down" },
  ];
  expect(logsCommand({ openedAt, causes })).toBe(`sudo livekit-deploy logs caddy ${around}`);
  const recorder = { id: "egress-1", name: "egress-1", role: "egress" } as const;
  const lost = { ...cause, code: "down", machine: recorder };
  expect(logsCommand({ openedAt, causes: [lost] })).toBe(
    `sudo livekit-deploy logs egress ${around}`,
  );
  const view = incidentView(
    {
      incident: {
        ...{ id: "i-1", openedAt, severity: "page", causes },
        ...{ acknowledged: undefined, snoozedUntil: undefined },
      },
      maintenanceUntil: undefined,
    },
    undefined,
  );
  expect(view.open?.logsOf).toBe("edge");
});

test("the details of a server mark a domain that is not its deployment's, and say when it booted (Low)", () => {
  const details = (domain: string) =>
    textOfHtml(
      renderToStaticMarkup(
        <MemoryRouter>
          <ServerFacts
            server={serverDetails(
              {
                ...serverView("sfu-1", { domain }),
                ...shownFigures,
                bootedAt: Date.UTC(2026, 10, 25, 12),
              },
              { name: "Production", version: 1, domain: "live.example.com" },
            )}
          />
        </MemoryRouter>,
      ),
    );
  expect(details("other.example.com")).toContain("Its deployment is for live.example.com.");
  expect(details("live.example.com")).not.toContain("Its deployment is for");
  expect(details("live.example.com")).toMatch(/First report since its boot.*Nov 25/);
});

test("a snooze until morning says by which clocks, UTC where a team has set no time zone", () => {
  expect([untilMorning(), untilMorning("Europe/Berlin")]).toEqual([
    "until 09:00 UTC",
    "until 09:00 Europe/Berlin",
  ]);
  const labels = manyActs("Europe/Berlin").map(({ label }) => label);
  expect(labels).toContain("Tell nobody until 09:00 Europe/Berlin");
});
