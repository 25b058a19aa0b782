import { spawn } from "node:child_process";
import { once } from "node:events";
import { cpSync, mkdirSync, writeFileSync } from "node:fs";
import { join, resolve } from "node:path";
import { compatibility, cpuMs, untilAnswering } from "../workerd.ts";

/** Lets everything pass: the benchmark is one address. */
const noLimit = "export default () => ({ limit: async () => ({ success: true }) });\n";

/** Runs the built servers Worker in workerd itself, with nothing between; its objects lie in `directory` too. */
export async function startServers(directory: string, port: number) {
  const objects = join(directory, "objects");
  mkdirSync(objects);
  cpSync("build/servers/index.js", join(directory, "index.js"));
  cpSync("scripts/lib/fleet-controls.js", join(directory, "fleet-controls.js"));
  cpSync("test/bench/fleet/entry.js", join(directory, "entry.js"));
  writeFileSync(join(directory, "limit.js"), noLimit);
  writeFileSync(join(directory, "config.capnp"), configuration(objects, port));
  const command = ["serve", "--experimental", join(directory, "config.capnp")];
  const child = spawn("node_modules/.bin/workerd", command, {
    stdio: ["ignore", "ignore", "inherit"],
  });
  const url = `http://127.0.0.1:${port}`;
  await untilAnswering(child, url);
  return {
    url,
    /** Milliseconds of processor time that it has used so far, in all its threads. */
    cpuMs: () => cpuMs(child.pid ?? 0),
    async [Symbol.asyncDispose]() {
      child.kill();
      await once(child, "exit");
    },
  };
}

function configuration(objects: string, port: number): string {
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [
    (name = "servers", worker = .servers),
    (name = "objects", disk = (path = ${JSON.stringify(resolve(objects))}, writable = true)),
    (name = "internet", network = (allow = ["private"])),
  ],
  sockets = [(name = "servers", address = "127.0.0.1:${port}", http = (), service = "servers")],
  extensions = [
    (modules = [(name = "bench:limit", internal = true, esModule = embed "limit.js")]),
  ],
);
const servers :Workerd.Worker = (
  modules = [
    (name = "entry.js", esModule = embed "entry.js"),
    (name = "fleet-controls.js", esModule = embed "fleet-controls.js"),
    (name = "index.js", esModule = embed "index.js"),
  ],
  ${compatibility()},
  durableObjectNamespaces = [
    (className = "Fleet", uniqueKey = "fleet", enableSql = true),
    (className = "History", uniqueKey = "history", enableSql = true),
    (className = "Outages", uniqueKey = "outages", enableSql = true),
    (className = "LivedFleet", uniqueKey = "lived", enableSql = true),
    (className = "LivedHistory", uniqueKey = "lived-history", enableSql = true),
  ],
  durableObjectStorage = (localDisk = "objects"),
  bindings = [
    (name = "VERSION", json = "{\\"id\\":\\"bench\\"}"),
    (name = "SERVER_KEY_SECRET", text = "b25seSBmb3IgdGhlIGJlbmNobWFyaywgMzIgYnl0ZXM="),
    (name = "SITE_URL", text = "http://127.0.0.1:24802"),
    (name = "MACHINE_LIMIT", wrapped = (moduleName = "bench:limit")),
    (name = "CREDENTIAL_LIMIT", wrapped = (moduleName = "bench:limit")),
    (name = "FLEETS", durableObjectNamespace = "Fleet"),
    (name = "HISTORIES", durableObjectNamespace = "History"),
    (name = "OUTAGES", durableObjectNamespace = "Outages"),
    (name = "LIVED", durableObjectNamespace = "LivedFleet"),
    (name = "LIVED_HISTORY", durableObjectNamespace = "LivedHistory"),
    (name = "FLEETS_OF_SITE", service = (name = "servers", entrypoint = "Fleets")),
  ],
);
`;
}
