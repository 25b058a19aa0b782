import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { startNodeProgram } from "../../scripts/lib/child.ts";
import { readCommandLine } from "../../scripts/lib/command-line.ts";
import { buildSite, isBuildCurrent } from "../../scripts/lib/site-build.ts";
import { benchmarkTables, writeTables } from "./benchmark-tables.ts";
import { maxClusterMs, maxMedianMs, measureBundle } from "./bundle.ts";
import { measureBytes } from "./bytes.ts";
import { measureFleet } from "./fleet/fleet.ts";
import { maxEvidencePageMs, overLimit, overSessionLimit } from "./fleet/limits.ts";
import { measureCalls, measureSessions } from "./fleet/sessions.ts";
import { measureGrowth } from "./growth.ts";
import { measureLighthouse } from "./lighthouse.ts";
import { belowAim } from "./lighthouse-aims.ts";
import { measurePageLoads } from "./page-load.ts";
import { measureRequests } from "./requests.ts";
import { readResults, record } from "./results.ts";
import { recordBenchmark } from "./run.ts";
import { startSite } from "./site.ts";
import { measureStartUp } from "./start-up.ts";

const usual = ["generator", "start", "bytes", "requests", "growth", "fleet"];
/** Beside the ports of `site.ts` and `workerd.ts`. */
const startUpPort = 24805;
const fleetPort = 24806;
const parts = [...usual, "lighthouse", "page-load"];
const { words } = readCommandLine({
  usage: "npm run bench -- [PART…] [/PATH…]",
  about: `Measures how fast the site is, and writes test/bench/results.json and the tables of docs/benchmarks.md. Wants a quiet
machine, and takes a quarter of an hour. Parts: ${usual.join(", ")};
only where named: lighthouse, which takes half an hour, and page-load, which takes ten minutes, both for all pages or for
those of the paths. BEFORE=/another/checkout with page-load loads the pages of its build too, in turns with ours.`,
  takesWords: true,
});
const paths = words.filter((word) => word.startsWith("/"));
const named = words.filter((word) => !paths.includes(word));
const unknown = named.filter((part) => !parts.includes(part));
if (unknown.length > 0) {
  console.error(`There is no part "${unknown.join(" ")}". There are: ${parts.join(", ")}.`);
  process.exit(2);
}
const selected = new Set(named.length > 0 ? named : usual);

if (!isBuildCurrent()) await buildSite(startNodeProgram);
if (paths.length > 0 && selected.has("lighthouse")) {
  const { runs, scores } = await measureLighthouse(paths);
  record("lighthouse", { runs, scores: { ...readResults().lighthouse?.scores, ...scores } });
  writeTables();
  const low = belowAim(scores);
  if (low.length > 0) console.error(low.join("\n"));
  process.exit(low.length > 0 ? 1 : 0);
}
if (selected.has("generator")) {
  await recordBenchmark("generator", () => record("generator", measureBundle()));
}
if (selected.has("start")) record("start", await measureStartUp(startUpPort));
if (selected.has("lighthouse")) {
  await recordBenchmark("lighthouse", async () => record("lighthouse", await measureLighthouse()));
}
if (selected.has("page-load")) {
  const some = paths.length > 0 ? paths : undefined;
  record("page-load", await measurePageLoads(process.env.BEFORE, some));
}
if (selected.has("fleet")) {
  await recordBenchmark("fleet", async () => record("fleet", await measureFleet(fleetPort)));
  record("sessions", await measureSessions(fleetPort));
  record("calls", await measureCalls(fleetPort));
}
if (["bytes", "requests", "growth"].some((part) => selected.has(part))) {
  const directory = mkdtempSync(join(tmpdir(), "livekit-deploy-bench-"));
  try {
    await using site = await startSite(directory);
    if (selected.has("bytes")) record("bytes", await measureBytes(site.workerd.site));
    if (selected.has("requests")) {
      await recordBenchmark("requests", async () =>
        record("requests", await measureRequests(site)),
      );
    }
    if (selected.has("growth")) record("growth", await measureGrowth(site));
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
writeTables();
console.log(benchmarkTables(readResults()));
const { calls, fleet, generator, lighthouse, sessions } = readResults();
const low = selected.has("lighthouse") && lighthouse ? belowAim(lighthouse.scores) : [];
if (low.length > 0) {
  console.error(low.join("\n"));
  process.exitCode = 1;
}
if (selected.has("generator") && generator && generator.medianMs > maxMedianMs) {
  console.error(`A bundle takes ${generator.medianMs} ms, more than ${maxMedianMs}.`);
  process.exitCode = 1;
}
if (selected.has("generator") && generator && generator.clusterMs > maxClusterMs) {
  console.error(
    `A bundle of a cluster takes ${generator.clusterMs} ms, more than ${maxClusterMs}.`,
  );
  process.exitCode = 1;
}
const over = selected.has("fleet") && fleet ? overLimit(fleet) : [];
if (selected.has("fleet") && sessions) over.push(...overSessionLimit(sessions));
if (selected.has("fleet") && calls && calls.evidencePageMs > maxEvidencePageMs)
  over.push("evidencePageMs");
if (over.length > 0) {
  console.error(`Following servers costs more than it may: ${over.join(", ")}.`);
  process.exitCode = 1;
}
