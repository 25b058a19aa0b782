import { globSync, readFileSync } from "node:fs";
import { dirname, join } from "node:path";
import {
  convertV4MiniflareOptions,
  Log,
  LogLevel,
  Miniflare,
  type V4WorkerOptions,
} from "miniflare";
import { unstable_getMiniflareWorkerOptions } from "wrangler";
import type { Variables } from "../../fakes/dev-vars.ts";
import { serversVariables } from "./servers-variables.ts";

const shipped = "build/server/wrangler.json";
const shippedServers = "build/servers/wrangler.json";

const fleetControls = new URL("./fleet-controls.js", import.meta.url);

/**
 * Runs the shipped build in workerd: the site at `port`, and the servers Worker, which the site is bound to.
 * `variables` gets the site's URL; `onLog` each structured line at once. `await using` ends it.
 *
 * Miniflare itself, without the proxy of `wrangler dev`: that one keeps connections to the Worker for
 * reuse, and a POST on one that the Worker's side closes at that moment is lost.
 */
export async function startWorker(
  port: number,
  variables: (siteUrl: string) => Variables,
  configPath: string = shipped,
  serversPath: string = shippedServers,
  onLog?: (line: string) => void,
) {
  const url = `http://127.0.0.1:${port}`;
  let lines: string[] = [];
  let deployedServers = serversPath;
  const options = (vars: Variables) =>
    convertV4MiniflareOptions({
      host: "127.0.0.1",
      port,
      cf: false,
      log: new Log(LogLevel.NONE),
      handleStructuredLogs({ message }) {
        lines.push(message);
        onLog?.(message);
      },
      workers: [
        shippedWorker(configPath, vars),
        withFleetControls(shippedWorker(deployedServers, serversVariables(vars))),
      ],
    });
  const miniflare = new Miniflare(options(variables(url)));
  await miniflare.ready;
  /** Does something to a workspace's fleet that only tests do: `fleet-controls.js` says what. Answers its answer. */
  const control = async (
    path: "stand" | "clock" | "faults" | "record" | "counts",
    query: Record<string, string | number>,
    body?: string,
  ): Promise<string> => {
    const servers = await miniflare.getWorker(workerName(serversPath));
    const named = Object.entries(query).map(([name, value]) => [name, `${value}`]);
    const address = `https://servers.example.com/_local/${path}?${new URLSearchParams(named)}`;
    const response = await servers.fetch(address, { method: "POST", body: body ?? null });
    const answer = await response.text();
    if (!response.ok) throw new Error(`/_local/${path} failed: ${answer}`);
    return answer;
  };
  const historyOf = async (server: string) => {
    const of = workerName(serversPath);
    const histories = await miniflare.getDurableObjectNamespace("HISTORIES", of);
    return histories.getByName(server) as unknown as ReturnType<
      ServersEnv["HISTORIES"]["getByName"]
    >;
  };
  return {
    url,
    /** Triggers the Worker as Cloudflare's cron does, and waits for the end of its run. */
    async runScheduled(at = Date.now()): Promise<void> {
      const worker = await miniflare.getWorker();
      const { outcome } = await worker.scheduled({
        cron: "* * * * *",
        scheduledTime: new Date(at),
      });
      if (outcome !== "ok") throw new Error(`The scheduled run ended with ${outcome}`);
    },
    /** Sends a request to the Worker as if it were at this address, of any scheme and host. */
    async askAt(address: string, init: Parameters<typeof miniflare.dispatchFetch>[1] = {}) {
      const response = await miniflare.dispatchFetch(address, { redirect: "manual", ...init });
      const { status, headers } = response;
      return { status, headers, body: await response.text() };
    },
    /** Sends a request to the servers Worker, as a machine does at its hostname. */
    async askServers(path: string, init: Parameters<typeof miniflare.dispatchFetch>[1] = {}) {
      const servers = await miniflare.getWorker(workerName(serversPath));
      const response = await servers.fetch(`https://servers.example.com${path}`, init);
      return { status: response.status, body: await response.text() };
    },
    async askServersForBytes(path: string, init: Parameters<typeof miniflare.dispatchFetch>[1]) {
      const servers = await miniflare.getWorker(workerName(serversPath));
      const response = await servers.fetch(`https://servers.example.com${path}`, init);
      return { status: response.status, bytes: new Uint8Array(await response.arrayBuffer()) };
    },
    /** Moves the clock of a workspace's fleet forward, and does what is due by then; 0 does what is due now. */
    moveFleetClock: (workspace: string, ms: number) => control("clock", { workspace, ms }),
    /** The clock of a workspace's fleet stands still from now on, until it is moved. */
    stopFleetClock: (workspace: string) => control("clock", { workspace, ms: 0, stopped: 1 }),
    /** The clocks of fleets that `make` makes stand still from their first moment on, until they are moved. */
    async withStoppedFleets<Made>(make: () => Promise<Made>): Promise<Made> {
      await control("stand", { workspace: "none", stopped: 1 });
      try {
        return await make();
      } finally {
        await control("stand", { workspace: "none" });
      }
    },
    /** Makes everything throw that the next alarms of a workspace's fleet do after they have set the next one. */
    failFleetAlarms: (workspace: string, alarms: number) =>
      control("faults", { workspace, alarms }),
    /** Takes the alarm of a workspace's fleet away. */
    loseFleetAlarm: (workspace: string) => control("faults", { workspace, lost: 1 }),
    /** Writes over what a workspace's fleet keeps of a server, an incident, a channel or a message. */
    spoilRecord: (
      workspace: string,
      { table, id, record }: { table: string; id: string; record: string },
    ) => control("record", { workspace, table, id }, record),
    /** What a workspace's fleet did since its object was started. */
    async fleetCounts(workspace: string): Promise<FleetCounts> {
      return JSON.parse(await control("counts", { workspace })) as FleetCounts;
    },
    /** The fleets as the site's binding has them. */
    async fleets() {
      return (await miniflare.getBindings<Env>()).FLEETS;
    },
    /** What is stored of the sessions of a server, also of one that no fleet has any more. */
    historyOf,
    /** What the object of these sessions did since it was started. */
    async historyCounts(server: string): Promise<Omit<FleetCounts, "calls">> {
      const history = (await historyOf(server)) as unknown as {
        counts(): Promise<Omit<FleetCounts, "calls">>;
      };
      return history.counts();
    },
    /** The page cache's KV itself. */
    async pageCache(): Promise<KVNamespace> {
      return (await miniflare.getBindings<Env>()).PAGE_CACHE;
    },
    /** Gives the running Worker other variables, as a deploy does. */
    reconfigure: (vars: Variables) => miniflare.setOptions(options(vars)),
    /** Puts another build of the servers Worker into the place of this one, as a deploy does. What fleets store stays. */
    async deployServers(path: string): Promise<void> {
      deployedServers = path;
      await miniflare.setOptions(options(variables(url)));
    },
    /** The Worker's structured log lines since the last call. */
    takeLogs(): Record<string, unknown>[] {
      const written = lines;
      lines = [];
      return written.map((line) => {
        try {
          return JSON.parse(line);
        } catch {
          return { message: line };
        }
      });
    },
    [Symbol.asyncDispose]: () => miniflare.dispose(),
  };
}

function workerName(configPath: string): string {
  return JSON.parse(readFileSync(configPath, "utf8")).name;
}

/** What wrangler makes of its configuration, as Miniflare takes it; `bindings` are the variables. */
function shippedWorker(configPath: string, bindings: Variables): V4WorkerOptions {
  const { workerOptions, main = "" } = unstable_getMiniflareWorkerOptions(configPath);
  const modulesRoot = dirname(main);
  // The first module is the entry.
  const paths = new Set([
    main,
    ...globSync("**/*.js", { cwd: modulesRoot }).map((path) => join(modulesRoot, path)),
  ]);
  const modules = [...paths].map((path) => ({ type: "ESModule" as const, path }));
  return { ...workerOptions, name: workerName(configPath), modules, modulesRoot, bindings };
}

/** The servers Worker with the controls of `fleet-controls.js`, which is its entry; the shipped modules are its rest. */
function withFleetControls(worker: V4WorkerOptions): V4WorkerOptions {
  if (!("modules" in worker) || !Array.isArray(worker.modules)) return worker;
  const path = join(worker.modulesRoot ?? "", "fleet-controls.js");
  const entry = { type: "ESModule" as const, path, contents: readFileSync(fleetControls, "utf8") };
  return { ...worker, modules: [entry, ...worker.modules] };
}

/** How often each method of a fleet was called, and what it wrote: `fleet-controls.js` counts it. */
export type FleetCounts = {
  calls: Partial<Record<string, number>>;
  /** Rows that were written. */
  rows: number;
  rowsRead: number;
  alarmsSet: number;
  /** The size of its database. */
  bytes: number;
};

export type RunningWorker = Awaited<ReturnType<typeof startWorker>>;
