import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { serversMeaning } from "~/content/plan-words.ts";
import { planQuotas } from "~/content/plans.ts";
import { numberOf, tableOf } from "../../support/documentation/tables.ts";

/** The newest one that says something counts. */
const migrations = "supabase/migrations/*.sql";

/** Where each limit of the console is set, and in which part of the page's unit. */
const limitsOfConsole: Readonly<
  Record<string, readonly [files: string, figure: RegExp, unit?: number]>
> = {
  "Days that sessions, calls and what agents did are kept": [
    "app/features/servers/room-sessions/history.server.ts",
    /retentionMs = (\d+) \* dayMs/,
  ],
  "Days that figures are kept": [
    "app/features/servers/metrics/metrics-table.server.ts",
    /retentionDays = (\d+)/,
  ],
  "Alert channels of a workspace": [
    "app/features/servers/notifications/channels.server.ts",
    /maxChannels = (\d+)/,
  ],
  "Thresholds of a workspace": [
    "app/features/servers/state/thresholds.ts",
    /maxThresholds = (\d+)/,
  ],
  "Labels of a server": [
    "app/features/servers/pages/server-changes.server.ts",
    /maxLabels = (\d+)/,
  ],
  "Machines that one token connects": [
    "app/features/servers/connect/server-quota.ts",
    /maxMachines = (\d+)/,
  ],
  "Checks from outside that people ask for, of a deployment in an hour": [
    "app/features/servers/checks/check-limits.ts",
    /maxOfDeployment = (\d+)/,
  ],
  "The same of a workspace in an hour": [
    "app/features/servers/checks/check-limits.ts",
    /maxOfWorkspace = (\d+)/,
  ],
  "Hours that a link to a connection test works": [
    migrations,
    /connection_test_links \([^;]*expires_at timestamptz not null default now\(\) \+ interval '(\d+) hours'/,
  ],
  "Results by one link": [migrations, /t\.link_id = found_link\.id\) >= (\d+)/],
  "Links of a deployment that work at one time": [
    migrations,
    /l\.deployment_id = target and l\.ended_at is null and l\.expires_at > now\(\)\s+\) >= (\d+)/,
  ],
  "Embedded tests of a deployment at one time": [
    migrations,
    /e\.deployment_id = target and e\.ended_at is null\s+\) >= (\d+)/,
  ],
  "Sites that may show one embedded test": [
    "app/features/deployments/embedded-test/embed.ts",
    /maxOrigins = (\d+)/,
  ],
  "Results of an embedded test in 24 hours": [
    migrations,
    /t\.embed_id = embed and t\.ran_at > now\(\) - interval '24 hours'\s+\) >= (\d+)/,
  ],
  "Results of an embedded test that are kept": [
    migrations,
    /x\.embed_id = embed\s+order by x\.ran_at desc, x\.id offset (\d+)/,
  ],
  "Days that results of connection tests are kept": [
    migrations,
    /connection_tests x\s+where x\.ran_at < now\(\) - interval '(\d+) days'/,
  ],
  "Minutes that a token of live rooms is good for": [
    "app/features/deployments/live-rooms/rooms-token.ts",
    /maxSeconds = (\d+)/,
    60,
  ],
  "Evidence of calls that a server takes from one address in a minute": [
    "app/features/deployments/bundle/scripts/evidence.py",
    /MOST_IN_MINUTE = (\d+)/,
  ],
  "The same from all addresses": [
    "app/features/deployments/bundle/files/connection/call-evidence.ts",
    /maxInMinute = (\d+)/,
  ],
  "Days that a server stores agent insights, at most": [
    "app/features/deployments/bundle/options/table/features.ts",
    /days: numberField\(1, (\d+)/,
  ],
  "GB of agent insights on a server, at most": [
    "app/features/deployments/bundle/options/table/features.ts",
    /gigabytes: numberField\(1, (\d+)/,
  ],
};

test("it has the limits of the console as the code has them, and no plan has others (8)", () => {
  const inCode = Object.entries(limitsOfConsole).map(([what, [files, figure, unit = 1]]) => {
    const text = globSync(files)
      .toSorted()
      .map((file) => readFileSync(file, "utf8"))
      .join("\n");
    const found = [...text.matchAll(new RegExp(figure, "g"))].at(-1)?.[1];
    return [what, Number(found) / unit];
  });
  const onPage = tableOf(
    "docs/limits",
    "What the console keeps and takes, the same in Basic and Pro",
  );
  expect(onPage.map(([what, max]) => [what, numberOf(max)])).toEqual(inCode);
  // Whatever differs between plans is here, or an option that the sentence about Pro names.
  expect(Object.keys(planQuotas.basic)).toHaveLength(
    tableOf("docs/limits", "What a plan includes").length,
  );
});

test("limits and several servers say what so many servers of Pro are for (14)", () => {
  const several = readFileSync("app/content/docs/several-servers.md", "utf8");
  const limits = readFileSync("app/content/docs/limits.md", "utf8");
  for (const text of [limits, several]) expect(text).toContain(serversMeaning);
});
