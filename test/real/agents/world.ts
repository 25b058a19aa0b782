import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join, resolve } from "node:path";
import { createInterface } from "node:readline";
import { bundle } from "../../support/deployments/bundle.ts";
import { optionsFrom } from "../../support/deployments/bundle-cases.ts";
import { at, read, textOf } from "../../support/deployments/bundle-checks.ts";
import {
  insightsToken,
  receiverKey,
  startReceiver,
} from "../../support/deployments/insights/receiver.ts";
import { findAgentSdks } from "./requirements.ts";

const programs = findAgentSdks();
const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);
const livekitPort = portBase + 30;
const frontPort = portBase + 31;

/** A program that has written a line with this text. What it wrote is in the error where it ends before. */
async function started(
  child: ChildProcess,
  text: string,
  lines: string[] = [],
): Promise<ChildProcess> {
  const { promise, resolve: done, reject } = Promise.withResolvers<void>();
  for (const stream of [child.stdout, child.stderr]) {
    if (!stream) continue;
    createInterface({ input: stream }).on("line", (line) => {
      lines.push(line);
      if (line.includes(text)) done();
    });
  }
  child.once("exit", () => reject(new Error(lines.slice(-40).join("\n"))));
  await promise;
  return child;
}

/**
 * LiveKit with the setting of the bundle, its Caddy without TLS, which layer 4 ends on a machine, and its receiver.
 * Agents send as to a machine: by Caddy, to LiveKit's name.
 */
export async function startWorld() {
  const folder = mkdtempSync(join(tmpdir(), "agents-"));
  const receiver = await startReceiver();
  const made = bundle(
    optionsFrom({ domain: "livekit.example.com", insights: { kind: "machine" } }),
  );
  const servers = JSON.stringify(at(read(textOf(made, "caddy.yaml")), "apps.http.servers"))
    .replaceAll("127.0.0.1:7880", `127.0.0.1:${livekitPort}`)
    .replaceAll("127.0.0.1:7991", `127.0.0.1:${receiver.port()}`)
    .replaceAll("127.0.0.1:7992", `127.0.0.1:${frontPort}`);
  const front = { admin: { disabled: true }, apps: { http: { servers: JSON.parse(servers) } } };
  writeFileSync(join(folder, "caddy.json"), JSON.stringify(front));
  const livekit = {
    ...{ port: livekitPort, bind_addresses: ["127.0.0.1"] },
    keys: { [receiverKey.key]: receiverKey.secret },
    rtc: {
      ...{
        tcp_port: portBase + 32,
        port_range_start: portBase + 33,
        port_range_end: portBase + 60,
      },
      ...{ use_external_ip: false, node_ip: "127.0.0.1", enable_loopback_candidate: true },
    },
    agents: at(read(textOf(made, "livekit.yaml")), "agents"),
    logging: at(read(textOf(made, "livekit.yaml")), "logging"),
  };
  const livekitLog: string[] = [];
  const children = [
    await started(
      spawn(programs.livekit, ["--config-body", JSON.stringify(livekit)]),
      "starting LiveKit server",
      livekitLog,
    ),
    await started(
      spawn(programs.caddy, ["run", "--config", join(folder, "caddy.json")]),
      "serving initial configuration",
    ),
  ];
  const place = `127.0.0.1:${frontPort}`;
  const environment = {
    ...process.env,
    ...{ LIVEKIT_URL: `ws://${place}`, LIVEKIT_OBSERVABILITY_URL: `http://${place}` },
    ...{ LIVEKIT_API_KEY: receiverKey.key, LIVEKIT_API_SECRET: receiverKey.secret },
    KILLED_JOB: join(folder, "killed"),
  };
  const stop = async (child: ChildProcess) => {
    if (child.exitCode !== null || child.signalCode !== null) return;
    child.kill("SIGKILL");
    await once(child, "close");
  };
  return {
    receiver,
    livekitLog,
    /** Where a browser or an agent reaches the receiver, by Caddy; and an address of another origin. */
    ...{ front: `http://${place}`, elsewhere: `http://127.0.0.1:${livekitPort}/` },
    /** Of a job that does not end: its process and its id, once it has spoken. */
    unendedJob() {
      const [pid = "", job = ""] = existsSync(environment.KILLED_JOB)
        ? readFileSync(environment.KILLED_JOB, "utf8").trim().split(" ")
        : [];
      return job ? { pid: Number(pid), job } : undefined;
    },
    /** A worker of one of the SDKs, as long as it is used. */
    async startAgent(sdk: "python" | "javascript", canary: string) {
      const file = resolve(`test/real/agents/agent.${sdk === "python" ? "py" : "mjs"}`);
      const program = sdk === "python" ? programs.python : process.execPath;
      const port = String(portBase + (sdk === "python" ? 61 : 62));
      const child = await started(
        spawn(program, [file, "start"], {
          env: { ...environment, CANARY: canary, AGENT_PORT: port },
          detached: true,
        }),
        "registered worker",
      );
      return {
        async [Symbol.asyncDispose]() {
          // Its jobs are processes of its group.
          if (child.pid) process.kill(-child.pid, "SIGKILL");
          await once(child, "close");
          rmSync(environment.KILLED_JOB, { force: true });
        },
      };
    },
    async makeRoom(name: string): Promise<string> {
      const response = await fetch(`http://${place}/twirp/livekit.RoomService/CreateRoom`, {
        method: "POST",
        headers: {
          authorization: `Bearer ${insightsToken({ video: { roomCreate: true } })}`,
          "content-type": "application/json",
        },
        body: JSON.stringify({ name }),
      });
      const { sid } = (await response.json()) as { sid: string };
      return sid;
    },
    async [Symbol.asyncDispose]() {
      for (const child of children) await stop(child);
      await receiver[Symbol.asyncDispose]();
      rmSync(folder, { recursive: true });
    },
  };
}
