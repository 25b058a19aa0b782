import { randomUUID } from "node:crypto";
import type { StoredIncident } from "../../../app/features/servers/incidents/stored-incident.ts";
import {
  dayKey,
  dayOf,
  firstFigures,
  laterFigures,
  minuteMs,
  minutesOfQuarter,
  packDay,
  quarterMs,
  quarterOf,
  quartersOfDay,
  spreadsOf,
  withSample,
} from "../../../app/features/servers/metrics/packed-figures.ts";
import type { Change } from "../../../app/features/servers/state/server-record.ts";
import {
  participantsAt,
  simulatedSample,
  type Usage,
} from "../../../app/features/servers/trial/simulated-past.ts";
import { PlainFailure } from "../../lib/terminal.mjs";
import { askConsole } from "../machine/local-console.ts";

const days = 21;
const dayMs = quartersOfDay * quarterMs;
/** Minutes are kept for so long; of the days before only what is packed. */
const minuteRetentionMs = 2 * dayMs;
const hourMs = 4 * quarterMs;

/** A server that reported for three weeks. */
export type Past = Usage & {
  server: string;
  /** Whether it was down for 26 minutes, six days ago. */
  wasDown: boolean;
};

type Statement = (string | number | { base64: string })[];

/**
 * Gives servers of a fleet three weeks of figures, and one an incident that has closed. Reports cannot do that: the console
 * counts when they arrive. So the rows are written as the fleet writes them, by a control that only the servers Worker of
 * `npm start` and of tests has. At `npm run dev`, which has none, servers have no past.
 */
export async function givePast(
  consoleUrl: string,
  workspace: string,
  pasts: readonly Past[],
): Promise<void> {
  const now = Date.now();
  for (const past of pasts) {
    const body = JSON.stringify(statementsOf(past, now));
    const path = `/_local/past?workspace=${workspace}`;
    const { status } = await askConsole(consoleUrl, path, "", body);
    if (status === 404) return;
    if (status !== 200) throw new PlainFailure(`The past of a server was answered ${status}.`);
  }
}

function statementsOf(past: Past, now: number): Statement[] {
  const { server, wasDown } = past;
  const today = dayOf(quarterOf(now));
  const begin = (today - days) * dayMs;
  const outage = wasDown ? downAt(now) : undefined;
  const rows: Statement[] = [];
  for (let day = today - days; day <= today; day += 1) {
    const quarters = Array.from({ length: quartersOfDay }, (_, at) => day * quartersOfDay + at)
      .filter((quarter) => quarter < quarterOf(now))
      .map((quarter) => ({ quarter, packed: quarterOfPast(past, quarter, outage) }));
    for (const { quarter, packed } of quarters) {
      if (quarter * quarterMs < now - minuteRetentionMs) continue;
      rows.push([quarterRow, quarter, ...packed.map(base64), server]);
    }
    const ofDay = lists.map((list, at) =>
      base64(
        packDay(
          quarters.map(({ packed }) => spreadsOf(packed[at] ?? nothing, list)),
          list,
        ),
      ),
    );
    if (day < today) rows.push([dayRow, dayKey(day, 0), ...ofDay, server]);
  }
  const participants = Array.from({ length: 48 }, (_, slot) =>
    participantsAt(past, now - (47 - slot) * 2 * quarterMs),
  );
  const slot = Math.floor(now / (2 * quarterMs));
  rows.push([
    recordOfPast,
    begin,
    JSON.stringify({ slot, most: participants }),
    changesOf(now, outage),
    server,
  ]);
  if (outage) rows.push(incidentRow(server, outage));
  return rows;
}

const ofServer = "from servers where id = ? on conflict do nothing";
const quarterRow = `insert into quarters (server, quarter, minutes, later) select number, ?, ?, ? ${ofServer}`;
/** With the key that the server of number 0 would have. */
const dayRow = `insert into days (id, quarters, later) select ? + number, ?, ? ${ofServer}`;
const recordOfPast = `update servers set record = json_set(record,
  '$.enrolledAt', ?, '$.day', json(?), '$.changes', json(?)) where id = ?`;

type Outage = { from: number; until: number };

const downAt = (now: number): Outage => {
  const from = now - 6 * dayMs - 3 * hourMs;
  return { from, until: from + 26 * minuteMs };
};

function changesOf(now: number, outage: Outage | undefined): string {
  const changes: Change[] = [
    ...(outage ? [{ at: outage.until, code: "boot" as const, subject: "", from: "", to: "" }] : []),
    {
      at: now - 9 * dayMs,
      code: "service",
      subject: "livekit",
      from: "livekit/livekit-server:v1.13.10 running",
      to: "livekit/livekit-server:v1.13.11 running",
    },
  ];
  return JSON.stringify(changes);
}

function incidentRow(server: string, { from, until }: Outage): Statement {
  const incident: StoredIncident = {
    id: randomUUID(),
    server,
    openedAt: from + 3 * minuteMs,
    closedAt: until + 5 * minuteMs,
    severity: "pages",
    causes: [{ code: "down", subject: "", severity: "pages", since: from, endedAt: until }],
    told: 2,
    untold: 0,
    toldAt: until + 5 * minuteMs,
    toldPages: false,
  };
  return [
    "insert into incidents values (?, ?, ?, ?, ?)",
    incident.id,
    server,
    incident.openedAt,
    incident.closedAt ?? 0,
    JSON.stringify(incident),
  ];
}

const lists = [firstFigures, laterFigures];
const nothing = new ArrayBuffer(0);

/** A quarter of an hour as fifteen reports make it, each list of figures by itself. */
function quarterOfPast(past: Past, quarter: number, outage: Outage | undefined): ArrayBuffer[] {
  return lists.map((list) => {
    let minutes: ArrayBuffer | undefined;
    for (let minute = 0; minute < minutesOfQuarter; minute += 1) {
      const at = quarter * quarterMs + minute * minuteMs;
      const isDown = outage !== undefined && at >= outage.from && at < outage.until;
      minutes = withSample(minutes, isDown ? { at } : simulatedSample(past, at), list);
    }
    return minutes ?? nothing;
  });
}

const base64 = (bytes: ArrayBuffer) => ({ base64: Buffer.from(bytes).toString("base64") });
