import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { gzipSync } from "node:zlib";
import { startNodeProgram } from "../local/child.ts";
import { localVariables } from "../local/dev-vars.ts";
import { buildSite, isBuildCurrent } from "../local/site-build.ts";
import { measureBundle } from "./bundle.ts";
import { load, type Measured, median } from "./load.ts";
import { startWorkerd } from "./workerd.ts";

const rounds = 5;
const seconds = 2;

/** Measures everything in turns, so that a busy moment of the machine meets all of it. */
async function measureThroughput(directory: string) {
  const variables = localVariables({ siteUrl: "http://127.0.0.1:24802", portBase: 54500 });
  await using servers = await startWorkerd(directory, variables);
  const targets = {
    constant: servers.constant,
    cached: `${servers.site}/pricing`,
    rendered: `${servers.site}/signup`,
  };
  const samples = { constant: [], cached: [], rendered: [] } as Record<
    keyof typeof targets,
    Measured[]
  >;
  for (const url of Object.values(targets)) await (await fetch(url)).text();
  const readsBefore = await servers.kvReads();
  for (let round = 0; round < rounds; round++) {
    for (const name of ["constant", "cached", "rendered"] as const) {
      samples[name].push(load(targets[name], seconds));
    }
  }
  return {
    constant: median(samples.constant),
    cached: median(samples.cached),
    rendered: median(samples.rendered),
    kvReadsWhileWarm: (await servers.kvReads()) - readsBefore,
  };
}

/** All modules together, as an upload counts them. */
function workerGzipBytes(): number {
  const modules = globSync("build/server/**/*.js").map((file) => readFileSync(file));
  return gzipSync(Buffer.concat(modules), { level: 9 }).length;
}

if (!isBuildCurrent()) await buildSite(startNodeProgram);
const directory = mkdtempSync(join(tmpdir(), "livekit-deploy-bench-"));
try {
  const throughput = await measureThroughput(directory);
  const { constant, cached, rendered, kvReadsWhileWarm } = throughput;
  const perSecond = ({ requestsPerSecond }: Measured) => requestsPerSecond;
  const generator = measureBundle();
  const results = {
    throughput,
    generator,
    ratios: {
      cachedToRendered: perSecond(cached) / perSecond(rendered),
      cachedToConstant: perSecond(cached) / perSecond(constant),
    },
    workerGzipBytes: workerGzipBytes(),
  };
  writeFileSync("bench/results.json", `${JSON.stringify(results, null, 2)}\n`);

  console.table({
    "constant Worker": constant,
    "cached page": cached,
    "uncached render": rendered,
  });
  console.log(`KV reads while warm: ${kvReadsWhileWarm}`);
  console.log(
    `Cached page to uncached render: ${results.ratios.cachedToRendered.toFixed(1)} (aim: 10)`,
  );
  console.log(
    `Cached page to constant Worker: ${results.ratios.cachedToConstant.toFixed(2)} (aim: 0.5)`,
  );
  console.log(
    `bundle(): ${generator.medianMs.toFixed(2)} ms median of ${generator.combinations} combinations, ${generator.slowestMs.toFixed(2)} ms in the slowest (aim: 2)`,
  );
  console.log(`Worker upload: ${(results.workerGzipBytes / 1024).toFixed(0)} KiB gzip (aim: 200)`);
} finally {
  rmSync(directory, { recursive: true, force: true });
}
