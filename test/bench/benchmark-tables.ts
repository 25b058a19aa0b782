import { readFileSync, writeFileSync } from "node:fs";
import { costTable } from "./fleet/cost.ts";
import { limits, maxEvidencePageMs, sessionLimits } from "./fleet/limits.ts";
import { type Results, readResults } from "./results.ts";

const begin = "<!-- bench: what follows is written by `npm run bench` -->";
const end = "<!-- bench: end -->";

type Cost = { milliseconds: number; rowsRead: number };

/** Puts the last results between the marks of the README, of docs/benchmarks.md and of docs/operations.md. */
export function writeTables(): void {
  const results = readResults();
  write("README.md", threeFigures(results));
  write("docs/benchmarks.md", benchmarkTables(results));
  if (results.fleet) write("docs/operations.md", costTable(results.fleet));
}

function write(file: string, table: string): void {
  const [before, after] = aroundTable(readFileSync(file, "utf8"));
  writeFileSync(file, `${before}${begin}\n\n${table}\n\n${end}${after}`);
}

/** What stands between the marks of a document now. */
export function tableIn(document: string): string {
  const [before, after] = aroundTable(document);
  return document
    .slice(before.length + begin.length, document.length - after.length - end.length)
    .trim();
}

function aroundTable(document: string): [string, string] {
  const from = document.indexOf(begin);
  const to = document.indexOf(end);
  if (from < 0 || to < from) throw new Error("The marks of the benchmark's table are missing.");
  return [document.slice(0, from), document.slice(to + end.length)];
}

/** What the README says: a page, a phone, a server. A part that never ran is left out. */
export function threeFigures({
  requests: cachedPages,
  lighthouse,
  fleet: servers,
}: Results): string {
  const pages = Object.values(lighthouse?.scores ?? {});
  const full = pages.filter(({ performance }) => performance === 100).length;
  const lines = [
    cachedPages &&
      `- A public page costs ${cachedPages.kinds.warm.cpuMs} ms of processor time where it is in memory, and is answered ${count(cachedPages.kinds.warm.requestsPerSecond)} times a second.`,
    pages.length > 0 &&
      `- On Lighthouse's phone ${full} of ${pages.length} pages score 100 in performance, and none less than ${Math.min(...pages.map(({ performance }) => performance))}.`,
    servers &&
      `- Following a server costs ${servers.report.cpuMs} ms and ${servers.hour.rowsPerReport} rows for each report, one a minute.`,
  ];
  return lines.filter((line) => typeof line === "string").join("\n");
}

/** The results as docs/benchmarks.md shows them; a part that never ran is left out. */
export function benchmarkTables(results: Results): string {
  const parts = [
    requests(results),
    sizes(results),
    scores(results),
    loads(results),
    growth(results),
    fleet(results),
    sessions(results),
    calls(results),
  ];
  return parts.filter(Boolean).join("\n\n");
}

/** Bytes of script on a page that only reads. */
const readingLimit = 3_072;

const count = (value: number) => value.toLocaleString("en-US");

function table(head: readonly string[], rows: readonly (readonly string[])[]): string {
  const line = (cells: readonly string[]) => `| ${cells.join(" | ")} |`;
  return [line(head), `|${"---|".repeat(head.length)}`, ...rows.map(line)].join("\n");
}

function when({ measuredOn, machine }: { measuredOn: string; machine: string }): string {
  return `${measuredOn}, ${machine}`;
}

function requests({ requests: part }: Results): string {
  if (!part) return "";
  const { kinds, ratios, kv } = part;
  const rows = [
    ["a Worker that always answers the same", kinds.constant],
    ["a public page, in the isolate's memory", kinds.warm],
    ["a public page, from KV", kinds.cold],
    ["a page rendered for one visitor", kinds.rendered],
    ["the dashboard of a signed-in customer", kinds.dashboard],
  ] as const;
  return `${table(
    [`Raw workerd (${when(part)})`, "requests/s", "p50", "p99", "processor time each"],
    rows.map(([name, { requestsPerSecond, p50, p99, cpuMs }]) => [
      name,
      count(requestsPerSecond),
      `${p50} ms`,
      `${p99} ms`,
      `${cpuMs} ms`,
    ]),
  )}

A page in memory is answered ${ratios.warmToRendered} times as often as one is rendered (aim: 10), and ${ratios.warmToConstant}
times as often as the constant answer (aim: 0.5). For ${count(kv.warm.requests)} such pages KV was read ${kv.warm.reads} times, for a
page that is not in memory ${kv.readsPerColdRequest} times each. The dashboard waits for the local fake of the
database: only its processor time tells of the Worker.`;
}

function sizes({ bytes, start, generator }: Results): string {
  const rows: string[][] = [];
  if (bytes) {
    const pages = Object.entries(bytes.pages).sort(([, a], [, b]) => a.script - b.script);
    const range = (of: "html" | "css" | "script", among = pages) => {
      const values = among.map(([, page]) => page[of]);
      return `${count(Math.min(...values))} to ${count(Math.max(...values))} B`;
    };
    const reading = pages.filter(([, { script }]) => script <= readingLimit);
    const others = pages.slice(reading.length);
    const [heaviest = ""] = others.at(-1) ?? [];
    const { upload, modules, modulesOnStart, bytesOnStart } = bytes.worker;
    rows.push(
      [
        `JavaScript of the ${reading.length} pages that only read, without the inline`,
        range("script", reading),
        `${count(readingLimit)} B`,
      ],
      ["JavaScript of a page with React", `${range("script", others)} (${heaviest})`, "123,000 B"],
      ["CSS of a public page", range("css"), "12,000 B"],
      ["HTML of a public page", range("html"), ""],
      ["the Worker's upload", `${count(upload)} B in ${modules} modules`, "573,440 B"],
      [
        "what the Worker loads to start",
        `${count(modulesOnStart)} modules, ${count(bytesOnStart)} B not compressed`,
        "",
      ],
    );
  }
  if (start) {
    const { siteOnlyMs, emptyMs } = start;
    rows.push([
      "the Worker's start, processor time",
      `${siteOnlyMs} ms, and ${emptyMs} ms for any Worker`,
      "100 ms",
    ]);
  }
  if (generator) {
    const { medianMs, slowestMs, clusterMs } = generator;
    rows.push(
      ["`bundle()`", `${medianMs} ms, at most ${slowestMs} ms`, "2 ms"],
      ["the same of a cluster of nine", `${clusterMs} ms`, "10 ms"],
    );
  }
  const measured = bytes ?? start ?? generator;
  return measured
    ? table(
        [`Compressed sizes, the start and the generator (${when(measured)})`, "measured", "aim"],
        rows,
      )
    : "";
}

function scores({ lighthouse: part }: Results): string {
  if (!part) return "";
  const kinds = ["performance", "accessibility", "best-practices", "seo"] as const;
  const row = (name: string, isReading: boolean) => {
    const pages = Object.entries(part.scores).filter(([, page]) => page.isReading === isReading);
    const paints = pages.map(([, { largestPaintMs }]) => largestPaintMs);
    return [
      `${name}, ${pages.length}`,
      ...kinds.map((kind) => {
        const lowest = Math.min(...pages.map(([, page]) => page[kind]));
        const there = pages.filter(([, page]) => page[kind] === lowest).map(([path]) => path);
        const full = pages.filter(([, page]) => page[kind] === 100).length;
        if (full === pages.length) return "100";
        return `${full} at 100, lowest ${lowest} (${there.slice(0, 2).join(", ")}${there.length > 2 ? ", …" : ""})`;
      }),
      `${Math.min(...paints)} to ${Math.max(...paints)} ms`,
    ];
  };
  return table(
    [
      `Lighthouse on a simulated phone, median of ${part.runs} (${when(part)})`,
      "performance",
      "accessibility",
      "best practices",
      "SEO",
      "largest paint",
    ],
    [row("pages that only read", true), row("pages with React", false)],
  );
}

function loads({ "page-load": part }: Results): string {
  if (!part) return "";
  const pages = Object.values(part.pages);
  const range = (values: readonly number[]) => `${Math.min(...values)} to ${Math.max(...values)}`;
  const row = (name: string, of: "now" | "before") => {
    const measured = pages.flatMap((page) => page[of] ?? []);
    if (measured.length === 0) return [];
    return [
      [
        name,
        `${range(measured.map(({ largestPaint }) => largestPaint))} ms`,
        `${measured.filter(({ longTasks }) => longTasks > 0).length} of ${measured.length}`,
        String(Math.max(...measured.map(({ shift }) => shift))),
      ],
    ];
  };
  return table(
    [
      `Pages on a slow phone, median of ${part.runs} (${when(part)})`,
      "largest paint",
      "with tasks over 50 ms",
      "layout shift",
    ],
    [...row("this build", "now"), ...row("the build before it, in turns", "before")],
  );
}

function growth({ growth: part }: Results): string {
  if (!part) return "";
  const { deploymentList, dashboard, webhook, pageCache } = part;
  const database = (name: string, few: Cost, many: Cost, growth: Cost) => [
    name,
    `${few.milliseconds} ms, ${count(few.rowsRead)} rows`,
    `${many.milliseconds} ms, ${count(many.rowsRead)} rows`,
    `${growth.milliseconds}, ${growth.rowsRead}`,
  ];
  const cache = (name: string, few: number, many: number, growth: number) => [
    name,
    `${few} µs`,
    `${many} µs`,
    String(growth),
  ];
  const { rows10, rows100000 } = deploymentList;
  const { customers1, customers2080 } = dashboard;
  const { events1, events10000 } = webhook;
  const { pages10, pages10000 } = pageCache;
  return `${table(
    [`Cost of one request (${when(part)})`, "with few", "with many", "times"],
    [
      database(
        "list of deployments, 10 and 100,000 in the database",
        rows10,
        rows100000,
        deploymentList.growth,
      ),
      database("dashboard, 1 and 2,080 customers", customers1, customers2080, dashboard.growth),
      database("webhook, 1 and 10,000 events before it", events1, events10000, webhook.growth),
      cache(
        "page in memory, 10 and 10,000 kept",
        pages10.memory,
        pages10000.memory,
        pageCache.growth.memory,
      ),
      cache("page in KV, 10 and 10,000 kept", pages10.kv, pages10000.kv, pageCache.growth.kv),
    ],
  )}

Milliseconds are those of the fastest of many, rows what the database reads; the fake of the database
takes nearly all of the time. For the cache it is processor time.`;
}

function sessions({ sessions: part }: Results): string {
  if (!part) return "";
  return table(
    [
      `Sessions of ${count(part.participants)} participants of one server in ${part.days} days (${when(part)})`,
      "measured",
      "aim",
    ],
    [
      ["stored", `${part.mBStored} MB`, `${sessionLimits.mBStored} MB`],
      ["the first page", `${part.firstPageMs} ms`, `${sessionLimits.firstPageMs} ms`],
      ["the first part of the file", `${part.firstPartMs} ms`, `${sessionLimits.firstPartMs} ms`],
      [
        "a part of the file, of which one is in memory",
        `${part.mBPart} MB`,
        `${sessionLimits.mBPart} MB`,
      ],
    ],
  );
}

function calls({ calls: part }: Results): string {
  if (!part) return "";
  return table(
    [
      `The same of ${count(part.participants)}, with evidence and agents (${when(part)})`,
      "measured",
      "aim",
    ],
    [
      ["sessions stored", `${part.mBStored} MB`, ""],
      ["with what apps said of the call of each", `${part.mBWithCalls} MB`, ""],
      ["and with an agent in each tenth session", `${part.mBWithAgents} MB`, ""],
      ["the page why calls fail", `${part.evidencePageMs} ms`, `${maxEvidencePageMs} ms`],
    ],
  );
}

function fleet({ fleet: part }: Results): string {
  if (!part) return "";
  const { runs, report, hour, list, storage } = part;
  const { chartMs, kBPerServer, days, servers } = storage;
  return table(
    [`Following servers, medians of ${runs} (${when(part)})`, "measured", "aim"],
    [
      ["rows written for a report", String(hour.rowsPerReport), `${limits.rowsPerReport}`],
      [
        "alarms in three minutes",
        String(hour.alarmsPerThreeMinutes),
        `${limits.alarmsPerThreeMinutes}`,
      ],
      [
        `processor time of a report of ${count(report.bytes)} B, in the Worker and the object`,
        `${report.cpuMs} ms`,
        `${limits.reportMs} ms`,
      ],
      [
        `a server after ${days} days, of ${servers} in an object`,
        `${kBPerServer} kB`,
        `${limits.kBPerServer} kB`,
      ],
      [
        "a server's page with 48 hours, in the object",
        `${chartMs["48h"]} ms`,
        `${limits.chartMs} ms`,
      ],
      ["the same with 7 and 90 days", `${chartMs["7d"]} and ${chartMs["90d"]} ms`, ""],
      [
        `the list of ${list.servers} servers`,
        `${list.calls} call of an object, ${list.ms} ms`,
        `${limits.callsOfList} call`,
      ],
    ],
  );
}
