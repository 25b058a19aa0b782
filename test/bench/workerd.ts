import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, globSync, mkdirSync, readFileSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import type { Variables } from "../../fakes/dev-vars.ts";
import { serversVariables } from "../../scripts/lib/servers-variables.ts";

/** How many versions take turns at the site whose memory never has a page. */
export const versionsInTurn = 250;

/** Answers the same bytes to everybody: how fast workerd can be here at all. */
const constantWorker = `
const body = "x".repeat(24_000);
export default { fetch: () => new Response(body, { headers: { "content-type": "text/html" } }) };
`;

/** KV as workerd asks for it: GET and PUT by path, kept in memory, reads counted. */
const kvWorker = `
const values = new Map();
let reads = 0;
export default {
  async fetch(request) {
    const { pathname } = new URL(request.url);
    if (pathname === "/__reads") return new Response(String(reads));
    if (request.method === "PUT") {
      values.set(pathname, await request.arrayBuffer());
      return new Response();
    }
    reads += 1;
    const value = values.get(pathname);
    return value ? new Response(value) : new Response(null, { status: 404 });
  },
};
`;

/**
 * A binding whose `id` differs each time it is read. The page cache keeps pages under it, and its memory
 * holds 200: with 250 versions in turn, each request meets an isolate that does not have the page yet.
 */
const turningVersions = `
let asked = 0;
export default () => ({ get id() { return "v" + (asked++ % ${versionsInTurn}); } });
`;

/**
 * Runs both built Workers in workerd itself, with nothing between, beside a Worker that always answers
 * the same. `wrangler dev` and Miniflare cost so much of their own that everything looks alike there.
 */
export async function startWorkerd(directory: string, variables: Variables) {
  const ports = { constant: 24801, site: 24802, kv: 24803, forgetful: 24804 };
  cpSync("build/server", join(directory, "site"), { recursive: true });
  cpSync("build/servers", join(directory, "servers"), { recursive: true });
  mkdirSync(join(directory, "objects"));
  writeFileSync(join(directory, "constant.js"), constantWorker);
  writeFileSync(join(directory, "versions.js"), turningVersions);
  writeFileSync(join(directory, "kv.js"), kvWorker);
  writeFileSync(join(directory, "config.capnp"), configuration(variables, ports, directory));
  const child = spawn("node_modules/.bin/workerd", ["serve", join(directory, "config.capnp")], {
    stdio: ["ignore", "ignore", "inherit"],
  });
  await untilAnswering(child, `http://127.0.0.1:${ports.site}/healthz`);
  return {
    constant: `http://127.0.0.1:${ports.constant}/`,
    site: `http://127.0.0.1:${ports.site}`,
    /** The same build, never with the page it is asked for in memory. */
    forgetful: `http://127.0.0.1:${ports.forgetful}`,
    /** Milliseconds of processor time that workerd has used so far, in all its threads. */
    cpuMs: () => cpuMs(child.pid ?? 0),
    async kvReads() {
      return Number(await (await fetch(`http://127.0.0.1:${ports.kv}/__reads`)).text());
    },
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}

/** The servers Worker's bindings to its Durable Objects, with their classes. */
const objects = [
  ["FLEETS", "Fleet"],
  ["HISTORIES", "History"],
  ["OUTAGES", "Outages"],
];

function configuration(
  variables: Variables,
  ports: Record<string, number>,
  directory: string,
): string {
  const texts = (of: Variables) =>
    Object.entries(of)
      .map(([name, value]) => `(name = ${JSON.stringify(name)}, text = ${JSON.stringify(value)}),`)
      .join("\n    ");
  // The first module is the entry; the others keep the paths by which it imports them.
  const modules = ["index.js", ...globSync("assets/*.js", { cwd: "build/server" })].map(
    (path) => `(name = "${path}", esModule = embed "site/${path}")`,
  );
  const worker = (name: string, version: string) => `const ${name} :Workerd.Worker = (
  modules = [${modules.join(", ")}],
  ${compatibility()},
  bindings = [
    (name = "PAGE_CACHE", kvNamespace = "kv"),
    (name = "VISITOR_STATE", kvNamespace = "kv"),
    (name = "ASSETS", service = "assets"),
    (name = "BUNDLES", service = (name = "servers", entrypoint = "Bundles")),
    (name = "SERVERS", service = "servers"),
    (name = "FLEETS", service = (name = "servers", entrypoint = "Fleets")),
    ${version},
    ${texts(variables)}
  ],
);`;
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "constant", worker = .constant),
    (name = "site", worker = .site),
    (name = "forgetful", worker = .forgetful),
    (name = "servers", worker = .servers),
    (name = "kv", worker = .kv),
    (name = "objects", disk = (path = ${JSON.stringify(join(directory, "objects"))}, writable = true)),
    (name = "assets", disk = ${JSON.stringify(resolve("build/client"))}),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [
    (name = "constant", address = "127.0.0.1:${ports.constant}", http = (), service = "constant"),
    (name = "site", address = "127.0.0.1:${ports.site}", http = (), service = "site"),
    (name = "forgetful", address = "127.0.0.1:${ports.forgetful}", http = (), service = "forgetful"),
    (name = "kv", address = "127.0.0.1:${ports.kv}", http = (), service = "kv"),
  ],
  extensions = [
    (modules = [(name = "bench:versions", internal = true, esModule = embed "versions.js")]),
  ],
);
const constant :Workerd.Worker = (
  modules = [(name = "constant.js", esModule = embed "constant.js")],
  ${compatibility()},
);
const servers :Workerd.Worker = (
  modules = [(name = "index.js", esModule = embed "servers/index.js")],
  ${compatibility()},
  bindings = [
    (name = "VERSION", json = "{\\"id\\":\\"bench\\"}"),
    ${texts(serversVariables(variables))}
    ${objects.map(([binding, name]) => `(name = "${binding}", durableObjectNamespace = "${name}"),`).join("\n    ")}
  ],
  durableObjectNamespaces = [
    ${objects.map(([, name]) => `(className = "${name}", uniqueKey = "${name}", enableSql = true),`).join("\n    ")}
  ],
  durableObjectStorage = (localDisk = "objects"),
);
const kv :Workerd.Worker = (
  modules = [(name = "kv.js", esModule = embed "kv.js")],
  ${compatibility()},
);
${worker("site", '(name = "VERSION", json = "{\\"id\\":\\"bench\\"}")')}
${worker("forgetful", '(name = "VERSION", wrapped = (moduleName = "bench:versions"))')}
`;
}

/** The compatibility date and flags with which the Worker is deployed, as workerd's configuration has them. */
export function compatibility(): string {
  const deployed: { compatibility_date: string; compatibility_flags: string[] } = JSON.parse(
    readFileSync("build/server/wrangler.json", "utf8"),
  );
  const { compatibility_date: date, compatibility_flags: flags } = deployed;
  return `compatibilityDate = ${JSON.stringify(date)}, compatibilityFlags = ${JSON.stringify(flags)}`;
}

/** From Linux's own account of a process, which counts in hundredths of a second. */
export function cpuMs(pid: number): number {
  const fields = readFileSync(`/proc/${pid}/stat`, "utf8").split(") ")[1]?.split(" ") ?? [];
  return 10 * (Number(fields[11]) + Number(fields[12]));
}

/** Waits until workerd answers; throws when it ends before, or says nothing for 20 seconds. */
export async function untilAnswering(child: ChildProcess, url: string): Promise<void> {
  const until = Date.now() + 20_000;
  while (Date.now() < until) {
    if (child.exitCode !== null) throw new Error(`workerd ended with ${child.exitCode}`);
    const answered = await fetch(url).then(
      (response) => response.text().then(() => true),
      () => false,
    );
    if (answered) return;
    // workerd does not report when it listens, so it is asked; seldom, because asking costs it time.
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
  throw new Error("workerd does not answer");
}
