import { spawn } from "node:child_process";
import { once } from "node:events";
import {
  cpSync,
  globSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
} from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { rounded } from "./median.ts";
import { compatibility, untilAnswering } from "./workerd.ts";

const rounds = 9;
const emptyWorker = "export default { fetch: () => new Response() };\n";
/**
 * A Worker that has as much to read and to run at its start as a middling program: it shows how fast this machine does
 * such work just now, which an empty one, whose work fits into the caches of a processor, does not.
 */
const referenceWorker = `const kept = [];
${Array.from(
  { length: 4_000 },
  (_, at) => `function part${at}(more) {
  const shape = { id: ${at}, name: "part ${at}", list: [${at}, more, ${at + 1}], of: { part: ${at} } };
  return class { shape = shape; sum() { return this.shape.list.reduce((sum, each) => sum + each, ${at}); } };
}
kept.push(new (part${at}(${at}))().sum());
`,
).join("")}${emptyWorker}`;

/**
 * What the Worker costs before its first request: milliseconds of CPU, over all threads, that workerd
 * needs to start with the built Worker, with an empty one and with a reference, and how many modules are loaded then. The
 * least of some starts in turns: whatever else the machine does only adds to it. Linux only.
 */
export async function measureStartUp(port: number): Promise<{
  siteMs: number;
  emptyMs: number;
  /** The reference's own part, without what an empty one takes. */
  referenceMs: number;
  /** The Worker's own part: the difference of the two. */
  siteOnlyMs: number;
  modules: number;
}> {
  const directory = mkdtempSync(join(tmpdir(), "livekit-deploy-start-up-"));
  try {
    cpSync("build/server", join(directory, "site"), { recursive: true });
    const modules = ["index.js", ...globSync("assets/*.js", { cwd: "build/server" })];
    writeFileSync(join(directory, "empty.js"), emptyWorker);
    writeFileSync(join(directory, "reference.js"), referenceWorker);
    writeFileSync(
      join(directory, "reference.capnp"),
      configuration([["index.js", "reference.js"]], port),
    );
    writeFileSync(
      join(directory, "site.capnp"),
      configuration(
        modules.map((path) => [path, `site/${path}`]),
        port,
      ),
    );
    writeFileSync(join(directory, "empty.capnp"), configuration([["index.js", "empty.js"]], port));
    const site: number[] = [];
    const empty: number[] = [];
    const reference: number[] = [];
    for (let round = 0; round < rounds; round++) {
      empty.push(await cpuOfStart(join(directory, "empty.capnp"), port));
      reference.push(await cpuOfStart(join(directory, "reference.capnp"), port));
      site.push(await cpuOfStart(join(directory, "site.capnp"), port));
    }
    const [siteMs, emptyMs] = [Math.min(...site), Math.min(...empty)];
    return {
      referenceMs: rounded(Math.min(...reference) - emptyMs, 1),
      siteMs: rounded(siteMs, 1),
      emptyMs: rounded(emptyMs, 1),
      siteOnlyMs: rounded(siteMs - emptyMs, 1),
      modules: modules.length,
    };
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}

function configuration(modules: readonly (readonly string[])[], port: number): string {
  const list = modules.map(([name, file]) => `(name = "${name}", esModule = embed "${file}")`);
  return `using Workerd = import "/workerd/workerd.capnp";
const config :Workerd.Config = (
  services = [(name = "worker", worker = .worker)],
  sockets = [(name = "worker", address = "127.0.0.1:${port}", http = (), service = "worker")],
);
const worker :Workerd.Worker = (
  modules = [${list.join(", ")}],
  ${compatibility()},
);
`;
}

/** Starts workerd once, and says what it had used when it first answered. */
async function cpuOfStart(config: string, port: number): Promise<number> {
  const child = spawn("node_modules/.bin/workerd", ["serve", config], {
    stdio: "ignore",
  });
  const ended = once(child, "exit");
  try {
    await untilAnswering(child, `http://127.0.0.1:${port}/`);
    return cpuMilliseconds(child.pid);
  } finally {
    child.kill();
    await ended;
  }
}

/** All threads of a process; the kernel counts them in nanoseconds. */
function cpuMilliseconds(pid: number | undefined): number {
  const threads = readdirSync(`/proc/${pid}/task`);
  const nanoseconds = threads.map((thread) => {
    const [used] = readFileSync(`/proc/${pid}/task/${thread}/schedstat`, "utf8").split(" ");
    return Number(used);
  });
  return nanoseconds.reduce((sum, one) => sum + one, 0) / 1e6;
}
