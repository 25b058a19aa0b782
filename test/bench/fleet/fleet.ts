import { once } from "node:events";
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { text } from "node:stream/consumers";
import { gzipSync } from "node:zlib";
import {
  incidentQuery,
  maxIncidents,
} from "../../../app/features/servers/incidents/incident-query.ts";
import { parseReport } from "../../../app/features/servers/ingest/report.ts";
import type { Range } from "../../../app/features/servers/metrics/series.ts";
import type { FleetCounts } from "../../../scripts/lib/worker.ts";
import type { Fleets } from "../../../workers/servers/fleets.ts";
import { Machine, type Servers as ServersClient } from "../../support/servers/machine.ts";
import { pastIncidents } from "../../support/servers/past-incidents.ts";
import { machine, reportText } from "../../support/servers/report-lines.ts";
import { median, rounded } from "../median.ts";
import { startServers } from "./servers-workerd.ts";

/** How much is measured: a test that the benchmark runs at all takes less. */
const whole = { runs: 5, servers: 500, minutesCounted: 60, days: 90 };
type Extent = typeof whole;

const livedServers = 4;
const minuteMs = 60_000;
const atATime = 10;
const pagesAtOnce = 100;
const listsAtOnce = 20;
const incidentsOpen = 50;
const daysOf: Record<Range, number> = { "1h": 1 / 24, "6h": 0.25, "48h": 2, "7d": 7, "90d": 90 };

/** What a server of ours says when it runs LiveKit, Caddy, Redis, egress and ingress, with monitoring. */
const reportLines = [
  ...["livekit", "caddy", "redis", "egress", "ingress", "prometheus", "node-exporter"].map(
    (name) => `service\t${name}\texample.org/${name}:v99.0.0\trunning\thealthy`,
  ),
  ...["connected", "secrets", "packages", "tools", "images", "services", "ready"].map(
    (stage, at) => `stage\t${stage}\t${1_795_313_600 + 60 * at}`,
  ),
  "doctor\t1795313690",
  "finding\tdisk.filling\twarning\t/\t85 %\t80 %",
  "finding\tbackup.old\twarning\t\t9 days\t7 days",
  "certificate\tlivekit.example.com\t1800000000",
  "certificate\tturn.example.com\t1800000000",
  "address\t4\t203.0.113.10",
  "address\t6\t2001:db8::10",
  ...["load\t0.51", "cpus\t8", "memory\t8123456\t16384000", "disk\t40123456\t81920000"],
  ...["network\t123456789012\t987654321098", "node\tND_abcdefghijkl\t1795300000"],
  ...["participants", "rooms", "tracks-in", "tracks-out", "packets-lost", "egress", "ingress"].map(
    (name, at) => `metric\t${name}\t${17 * (at + 1)}`,
  ),
  "backup\t1795200000",
];

/** Where objects lie: Cloudflare's storage is no disk of the machine that is measured. */
const memory = existsSync("/dev/shm") ? "/dev/shm" : tmpdir();

type Servers = Awaited<ReturnType<typeof startServers>>;

/** What following servers costs: rows, alarms, processor time, storage, and what pages ask of an object. */
export async function measureFleet(port: number, extent: Extent = whole) {
  const directory = mkdtempSync(join(memory, "livekit-deploy-fleet-"));
  try {
    await using started = await startServers(directory, port);
    const large = await enrolled(started, extent.servers);
    return {
      runs: extent.runs,
      report: await reports(started, large.machines, extent),
      hour: await hour(started, extent),
      list: await list(started, large.workspace, extent),
      incidents: await incidents(started, large, extent),
      storage: await storage(started, extent),
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

/** A workspace with so many machines. */
async function enrolled(started: Servers, count: number) {
  const workspace = crypto.randomUUID();
  const token = await post(started, `/_bench/token?workspace=${workspace}&uses=${count}`);
  const client = {
    async askServers(path: string, { body, ...init }: Parameters<ServersClient["askServers"]>[1]) {
      const sent = typeof body === "string" ? body : new Uint8Array(body);
      const response = await fetch(started.url + path, { ...init, body: sent });
      return { status: response.status, body: await response.text() };
    },
  };
  const machines = Array.from({ length: count }, (_, at) => new Machine(client, `i-${at}`));
  for (const each of machines) {
    const { status, lines } = await each.enrol(token);
    if (status !== 200) throw new Error(`A machine was refused: ${lines.say}`);
  }
  return { workspace, machines };
}

/**
 * Processor time of a report, in the Worker and in the object together. A machine may report ten times at once: two of
 * them are not measured, as the code is slow at first.
 */
async function reports(started: Servers, machines: readonly Machine[], { runs }: Extent) {
  let seq = 0;
  async function all(): Promise<void> {
    seq += 1;
    const waiting = [...machines];
    const reporter = async () => {
      for (let next = waiting.pop(); next; next = waiting.pop()) {
        const { status, lines } = await next.report(seq, reportLines);
        if (status !== 200) throw new Error(`A report was refused: ${lines.say}`);
      }
    };
    await Promise.all(Array.from({ length: atATime }, reporter));
  }
  await all();
  const cpuMs = await cpuOf(started, { runs, times: machines.length }, all);
  return { cpuMs, bytes: gzipSync(reportText({}, reportLines)).length };
}

/** An hour of one server that reports each minute: rows of a report, and alarms. */
async function hour(started: Servers, { minutesCounted }: Extent) {
  const { workspace, machines } = await enrolled(started, 1);
  const [server] = machines;
  if (!server) throw new Error("No machine was enrolled");
  await server.report(1, reportLines);
  const before = await countsOf(started, workspace);
  let rowsPerReport = 0;
  for (let minute = 1; minute <= minutesCounted; minute += 1) {
    await post(started, `/_local/clock?workspace=${workspace}&ms=${minuteMs}`);
    const { rows } = await countsOf(started, workspace);
    await server.report(minute + 1, reportLines);
    rowsPerReport = Math.max(rowsPerReport, (await countsOf(started, workspace)).rows - rows);
  }
  const after = await countsOf(started, workspace);
  const alarms = (after.calls.alarm ?? 0) - (before.calls.alarm ?? 0);
  return {
    rowsPerReport,
    alarmsPerThreeMinutes: rounded((3 * alarms) / minutesCounted, 2),
  };
}

/** What a server takes in 90 days of a report each minute, and what its page then costs in the object. */
async function storage(started: Servers, { days, runs }: Extent) {
  const read = parseReport(reportText({}, reportLines));
  if (!read.ok) throw new Error(`Line ${read.line} of the report cannot be read`);
  const { report } = read;
  const one = { name: "sfu-1", machine: machine.machine, instance: machine.instance };
  await using _ = staysInMemory(started);
  const found = await post(started, "/_bench/found", { servers: livedServers, machine: one });
  const lived: { bytes: number; alarms: number; rows: number; rowsRead: number }[] = [];
  for (let day = 0; day < days; day += 1) {
    lived.push(JSON.parse(await post(started, "/_bench/live", { days: 1, report })));
  }
  const largest = Math.max(...lived.map(({ bytes }) => bytes));
  const { alarms = 0, rows = 0, rowsRead = 0 } = lived.at(-1) ?? {};
  const page = (range: Range) =>
    cpuOf(started, { runs, times: pagesAtOnce }, async () => {
      const full = Number(await post(started, "/_bench/pages", { range, times: pagesAtOnce }));
      const expectedShare = Math.min(1, days / daysOf[range]);
      if (full < 0.99 * expectedShare)
        throw new Error(`Only ${full} of the chart of ${range} is there`);
    });
  return {
    servers: livedServers,
    days,
    kBPerServer: rounded((largest - Number(found)) / livedServers / 1_000, 1),
    /** Of a server, alarms that are set among them. */
    rowsWrittenADay: Math.round(rows / livedServers / days),
    rowsReadADay: Math.round(rowsRead / livedServers / days),
    /** Of the object. */
    alarmsADay: Math.round(alarms / days),
    chartMs: { "48h": await page("48h"), "7d": await page("7d"), "90d": await page("90d") },
  };
}

/** Keeps the object that lives through the days in memory, also where the machine is so busy that nobody asks it. */
function staysInMemory(started: Servers): AsyncDisposable {
  const stays = post(started, "/_bench/stay", {});
  return {
    async [Symbol.asyncDispose]() {
      await post(started, "/_bench/leave", {});
      await stays;
    },
  };
}

/** The page of all servers: how often the object is called for it, and the processor time of that. */
async function list(started: Servers, workspace: string, { runs }: Extent) {
  const before = await countsOf(started, workspace);
  const { servers } = await overview(started, workspace, 1);
  const after = await countsOf(started, workspace);
  const sum = ({ calls }: FleetCounts) =>
    Object.values(calls).reduce<number>((one, other) => one + (other ?? 0), 0);
  return {
    servers: servers.length,
    calls: sum(after) - sum(before),
    ms: await cpuOf(started, { runs, times: listsAtOnce }, async () => {
      await overview(started, workspace, listsAtOnce);
    }),
  };
}

/** Asks for a workspace's servers so often, as the site does by its binding; answers what came last. */
async function overview(started: Servers, workspace: string, times: number) {
  const method = "overview" satisfies keyof Fleets;
  const query = new URLSearchParams({ workspace, method, times: `${times}` });
  const answer = await post(started, `/_bench/ask?${query}`);
  return JSON.parse(answer) as Awaited<ReturnType<Fleets[typeof method]>>;
}

/** The page of incidents, of which some are open beside as many past ones as are read at once. */
async function incidents(
  started: Servers,
  { workspace, machines }: { workspace: string; machines: readonly Machine[] },
  { runs }: Extent,
) {
  const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
  const open = machines.slice(0, incidentsOpen);
  for (const each of open) await each.report(1_000, [...reportLines, critical]);
  const [first] = machines;
  const query = incidentQuery(new URLSearchParams());
  const past = { server: first?.server, count: maxIncidents - open.length };
  await post(started, `/_local/past?workspace=${workspace}`, pastIncidents(past));
  const ask = async (times: number) => {
    const method = "incidents" satisfies keyof Fleets;
    const answer = await post(
      started,
      `/_bench/ask?${new URLSearchParams({ workspace, method, times: `${times}` })}`,
      [query],
    );
    return JSON.parse(answer) as Awaited<ReturnType<Fleets[typeof method]>>;
  };
  const { count } = await ask(1);
  return {
    ...{ servers: machines.length, count },
    ms: await cpuOf(started, { runs, times: listsAtOnce }, async () => {
      await ask(listsAtOnce);
    }),
  };
}

/** Processor time of one of so many that `work` does: the median of the runs, after one that warms. */
async function cpuOf(
  { cpuMs }: Servers,
  { runs, times }: { runs: number; times: number },
  work: () => Promise<void>,
): Promise<number> {
  await work();
  const samples: number[] = [];
  for (let run = 0; run < runs; run += 1) {
    const before = cpuMs();
    await work();
    samples.push((cpuMs() - before) / times);
  }
  return rounded(median(samples), 3);
}

async function countsOf(started: Servers, workspace: string): Promise<FleetCounts> {
  return JSON.parse(await post(started, `/_local/counts?workspace=${workspace}`)) as FleetCounts;
}

/** Each on a connection of its own: what takes seconds outlives one that is kept for the next. */
async function post(started: Servers, path: string, body?: unknown): Promise<string> {
  const sent = request(started.url + path, { method: "POST", agent: false });
  sent.end(body === undefined ? "" : JSON.stringify(body));
  const [response] = (await once(sent, "response")) as [IncomingMessage];
  const answer = await text(response);
  if (response.statusCode === 200) return answer;
  throw new Error(`${path} answers ${response.statusCode}: ${answer}`);
}
