import { fork } from "node:child_process";
import { once } from "node:events";
import {
  chmodSync,
  existsSync,
  globSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  statfsSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { fileURLToPath } from "node:url";
import { parseCLI, type TestProject } from "vitest/node";
import { trustFakes } from "../../../fakes/internet/trust.ts";
import { startNodeProgram } from "../../../scripts/lib/child.ts";
import { ensureChromium } from "../../../scripts/lib/chromium.ts";
import { buildSite, isBuildCurrent } from "../../../scripts/lib/site-build.ts";
import { offerPostgres } from "../database/offered-postgres.ts";
import { ensureDebianTools } from "../deployments/debian-tools.ts";
import { runsPureTestsAlone } from "./pure-tests.ts";

type Site = { url: string; portBase: number };

declare module "vitest" {
  interface ProvidedContext {
    /** One for each file that runs at a time; `own-site.ts` gives a file its own. */
    sites: readonly Site[];
    chromium: string;
    /** Where the run's PostgreSQL is offered; empty where SQL runs in PGlite. */
    postgres: string;
    /** A folder for the simulated machines that have booted. */
    bootedMachines: string;
  }
}

/**
 * Below the range from which outgoing connections take their ports. `TEST_PORT_BASE` lets two runs
 * share a machine.
 */
const firstPortBase = Number(process.env.TEST_PORT_BASE ?? 24700);
/** Fakes, the site, and from the tenth on the Workers that a file starts itself. */
const portsPerSite = 30;

/**
 * Before unit tests and the proof: the tools that examine a bundle, unless the tests named need none. Before all but unit tests: the build,
 * and a site with fakes for each file that runs at a time. With `TEST_SITE_URL` a site that runs
 * already is tested, its fakes at `TEST_PORT_BASE`.
 */
export default async function setup(project: TestProject) {
  // Whatever Node starts from here on finds the packages compiled.
  process.env.NODE_COMPILE_CACHE ??= resolve("node_modules/.cache/livekit-deploy/compiled");
  const names = project.vitest.projects.map(({ name }) => name);
  const arePure = await runsPureTestsAlone(project.vitest);
  if (
    ["unit", "machine", "proof"].some((name) => names.includes(name)) &&
    process.platform === "linux" &&
    !arePure
  )
    ensureDebianTools();
  await using started = new AsyncDisposableStack();
  keepTemporaryFilesInMemory(started);
  if (!arePure) trustFakes();
  const postgres = arePure ? undefined : started.use(offerPostgres());
  project.provide("postgres", postgres?.socketName ?? "");
  const bootedMachines = mkdtempSync(join(tmpdir(), "livekit-booted-"));
  started.defer(() => rmSync(bootedMachines, { recursive: true, force: true }));
  project.provide("bootedMachines", bootedMachines);

  const projects = project.vitest.projects.filter(
    ({ name }) =>
      ["real-call", "real-api"].includes(name) || !/^(unit|machine|real-.+)$/.test(name),
  );
  const inBrowsers = /^(journeys|gallery|proof|real-call|real-agents)$/;
  if (project.vitest.projects.some(({ name }) => inBrowsers.test(name)))
    project.provide("chromium", ensureChromium());
  const running = process.env.TEST_SITE_URL;
  if (running) {
    project.provide("sites", [{ url: running, portBase: firstPortBase }]);
  } else if (projects.length > 0) {
    if (!isBuildCurrent()) await buildSite(startNodeProgram);
    const count = await filesAtATime(project, projects);
    const starting = Array.from({ length: count }, (_, index) =>
      startSite(firstPortBase + index * portsPerSite, postgres?.socketName),
    );
    for (const site of await Promise.allSettled(starting))
      if (site.status === "fulfilled") started.defer(site.value.end);
    const sites = await Promise.all(starting);
    project.provide(
      "sites",
      sites.map(({ site }) => site),
    );
  }
  const resources = started.move();
  return () => resources.disposeAsync();
}

/**
 * Databases, Durable Objects, browsers and simulated machines write thousands of files that nobody reads after the run:
 * to a disk they cost a sixth of its time. `TMPDIR` says where else, or that there is no such place.
 */
function keepTemporaryFilesInMemory(started: AsyncDisposableStack): void {
  if (process.env.TMPDIR || process.platform !== "linux") return;
  const memory = "/dev/shm";
  const options = /^\S+ \/dev\/shm tmpfs (\S+)/m.exec(readFileSync("/proc/mounts", "utf8"))?.[1];
  // The scripts of simulated machines run there.
  if (!options || options.split(",").includes("noexec")) return;
  const { bavail, bsize } = statfsSync(memory);
  if (bavail * bsize < 6 * 1024 ** 3) return;
  // A run that was killed removed nothing, and would hold memory until the next boot.
  for (const left of globSync(join(memory, "livekit-tests-*"))) {
    const [, run] = /-(\d+)-\w+$/.exec(left) ?? [];
    if (run && !existsSync(`/proc/${run}`)) rmSync(left, { recursive: true, force: true });
  }
  const folder = mkdtempSync(join(memory, `livekit-tests-${process.pid}-`));
  started.defer(() => {
    delete process.env.TMPDIR;
    rmSync(folder, { recursive: true, force: true });
  });
  // As /tmp: PostgreSQL runs as a user of its own.
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
}

/** At most as many as run at a time; fewer where the command names fewer files, since a site costs seconds. */
async function filesAtATime({ vitest }: TestProject, projects: readonly TestProject[]) {
  const max = Math.max(...projects.map(({ config }) => config.maxWorkers));
  // Names of folders and parts of names count as Vitest itself counts them; unit tests take workers too.
  const { filter } = parseCLI(["vitest", ...process.argv.slice(2)]);
  if (filter.length === 0) return max;
  const files = await vitest.globTestSpecifications(filter);
  return Math.min(max, Math.max(1, files.length));
}

/** In a process of its own: its fakes wrap that process's `fetch`. */
async function startSite(
  portBase: number,
  postgresSocketName: string | undefined,
): Promise<{ site: Site; end(): Promise<void> }> {
  const program = fileURLToPath(new URL("./site-process.ts", import.meta.url));
  const child = fork(
    program,
    [String(portBase), ...(postgresSocketName ? [postgresSocketName] : [])],
    {
      execArgv: ["--no-warnings"],
      env: { ...process.env, WRANGLER_SEND_METRICS: "false", CLOUDFLARE_CF_FETCH_ENABLED: "false" },
    },
  );
  const exited = once(child, "exit");
  const url = await Promise.race([
    once(child, "message").then(([message]) => String(message)),
    exited.then(([code]) => {
      throw new Error(`The site for the tests did not start (code ${code}).`);
    }),
  ]);
  return {
    site: { url, portBase },
    async end() {
      child.disconnect();
      await exited;
    },
  };
}
