import { renderToStaticMarkup } from "react-dom/server";
import { expect, test } from "vitest";
import { SeriesOfRange } from "../../../app/features/servers/fleet/figures/series.ts";
import type { IncidentSummary } from "../../../app/features/servers/fleet/server-view.ts";
import { PastIncidents } from "../../../app/features/servers/incidents/incident-history.tsx";
import { FindingsList } from "../../../app/features/servers/page/findings-list.tsx";
import { serverDetails } from "../../../app/features/servers/page/server-view.server.ts";
import { shownServer } from "../../support/servers/shown-server.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

test("beside an open incident nobody reads that nothing was wrong", () => {
  const textOf = (isOneOpen: boolean) =>
    textOfHtml(renderToStaticMarkup(<PastIncidents past={[]} isOneOpen={isOneOpen} />)).trim();
  expect(textOf(true)).toBe("No other incident in the last 90 days.");
  expect(textOf(false)).toBe("No incident in the last 90 days.");
});

test("what the open incident says is not said once more below it, and everything else is", () => {
  const full = { code: "disk.filling", severity: "warning", subject: "/" } as const;
  const cause = { code: full.code, subject: "/", severity: "tells", since: 0 } as const;
  const incident: IncidentSummary = {
    ...{ id: "i-1", openedAt: 0, severity: "tells" as const, causes: [cause] },
    ...{ acknowledged: undefined, snoozedUntil: undefined },
  };
  const other = { ...full, subject: "/srv" };
  const view = shownServer("sfu-1", {
    ...{ incident, doctorAt: 1 },
    findings: [full, other].map((finding) => ({ ...finding, found: "85 %", wanted: "80 %" })),
  });
  const { findings, doctorAt } = serverDetails(
    {
      ...{ ...view, readAt: 1, changes: [] },
      series: new SeriesOfRange("48h", 1).series(),
      capacity: { cpus: undefined, memory: undefined, disk: undefined },
    },
    undefined,
  );
  const text = textOfHtml(
    renderToStaticMarkup(<FindingsList findings={findings} doctorAt={doctorAt} />),
  );
  expect(text).toMatch(/The disk fills up: \/ +What to do is said above\./);
  expect(text.match(/sudo docker image prune/g)).toHaveLength(1);
});
