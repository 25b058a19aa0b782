import type { measureFleet } from "./fleet.ts";

const daysOfMonth = 30;
const reportsOfMonth = daysOfMonth * 24 * 60;
/** How many GB of memory Cloudflare counts for an object that runs. */
const memoryOfObject = 0.128;
/** Only Cloudflare can say for how long an object runs for a report: this is assumed, and generous. */
const assumedMsOfReport = 20;
const planDollars = 5;

type Figures = Awaited<ReturnType<typeof measureFleet>>;

/** A part of the bill: how much of it a server needs in a month, what the plan has, and dollars a million beyond it. */
type Part = { name: string; used: number; included: number; perMillion: number };

/** Cloudflare's prices as its pages said on 6 October 2026: docs/operations.md has their addresses. */
function partsOf({ report, hour, storage }: Figures): Part[] {
  const alarms = hour.alarmsPerThreeMinutes * (reportsOfMonth / 3);
  const seconds = (reportsOfMonth * assumedMsOfReport) / 1_000;
  return [
    part("rows written", storage.rowsWrittenADay * daysOfMonth, 50e6, 1),
    part("requests of the Worker", reportsOfMonth, 10e6, 0.3),
    // As if each server had a fleet of its own: alarms are those of an object.
    part("requests of objects, alarms among them", reportsOfMonth + alarms, 1e6, 0.15),
    part("GB-seconds of objects", seconds * memoryOfObject, 400_000, 12.5),
    part("ms of processor time", reportsOfMonth * report.cpuMs, 30e6, 0.02),
    part("rows read", storage.rowsReadADay * daysOfMonth, 25e9, 0.001),
    part("kB stored", storage.kBPerServer, 5e6, 0.2),
  ];
}

function part(name: string, used: number, included: number, perMillion: number): Part {
  return { name, used, included, perMillion };
}

const dollarsOf = ({ used, perMillion }: Part): number => (used / 1e6) * perMillion;

/** What so many servers cost in a month, the plan's fee and what it includes counted. */
function dollarsFor(parts: readonly Part[], servers: number): number {
  return parts.reduce((sum, { used, included, perMillion }) => {
    const beyond = Math.max(0, used * servers - included);
    return sum + (beyond / 1e6) * perMillion;
  }, planDollars);
}

const freeADay = { rows: 100_000, requests: 100_000 };

/** The table of docs/operations.md, from what was measured. */
export function costTable(figures: Figures & { measuredOn: string }): string {
  const parts = partsOf(figures);
  const sum = parts.reduce((dollars, each) => dollars + dollarsOf(each), 0);
  const [first] = parts.toSorted((one, other) => dollarsOf(other) - dollarsOf(one));
  const share = first ? Math.round((100 * dollarsOf(first)) / sum) : 0;
  const whole = (value: number) => Math.round(value).toLocaleString("en-US");
  const total = (servers: number) => {
    const dollars = dollarsFor(parts, servers);
    return `${whole(servers)} servers cost $${whole(dollars)} a month, $${(dollars / servers).toFixed(3)} each`;
  };
  const free = Math.floor(
    Math.min(
      freeADay.rows / figures.storage.rowsWrittenADay,
      freeADay.requests / (24 * 60 + figures.hour.alarmsPerThreeMinutes * 8 * 60),
    ),
  );
  const rows = parts.map(
    (each) =>
      `| ${each.name} | ${whole(each.used)} | ${whole(each.included)} | $${each.perMillion} | $${dollarsOf(each).toFixed(5)} |`,
  );
  return `| Of a server that reports each minute (${figures.measuredOn}) | a month | the plan has | a million more | costs |
|---|---|---|---|---|
${rows.join("\n")}
| **together** |  |  |  | **$${sum.toFixed(3)}** |

With the plan and what it includes, ${total(100)};
${total(10_000)};
${total(100_000)}.
The largest part are ${first?.name}, ${share} %. Workers Free bears ${free} servers. That an object runs for
${assumedMsOfReport} ms for a report is assumed; everything else was counted or measured.`;
}
