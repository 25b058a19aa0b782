import { spawn, spawnSync } from "node:child_process";
import { createHmac } from "node:crypto";
import { once } from "node:events";
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { type IncomingMessage, request } from "node:http";
import { tmpdir } from "node:os";
import { dirname, join } from "node:path";
import { createInterface } from "node:readline";
import { gzipSync } from "node:zlib";

const script = "app/features/deployments/bundle/scripts/insights.py";
/** The API key of the tests' machine. */
export const receiverKey = { key: "APIabcdefghijkl", secret: "s".repeat(43) };

/** Where the SDKs send what. */
export const insightsPaths = {
  traces: "/observability/traces/otlp/v0",
  logs: "/observability/logs/otlp/v0",
  metrics: "/observability/metrics/otlp/v0",
  recordings: "/observability/recordings/v0",
};

const base64url = (text: string | Buffer) => Buffer.from(text).toString("base64url");

/** A token as the SDKs make it: of the API key, with these claims. */
export function insightsToken(claims: object, signer = receiverKey): string {
  const now = Math.floor(Date.now() / 1000);
  const stated = { iss: signer.key, nbf: now - 10, exp: now + 600, ...claims };
  const text = [{ alg: "HS256", typ: "JWT" }, stated]
    .map((part) => base64url(JSON.stringify(part)))
    .join(".");
  return `${text}.${createHmac("sha256", signer.secret).update(text).digest("base64url")}`;
}

export const writing = { observability: { write: true } };
export const readingOf = (job: string) => ({ observability: { read: job } });

type Answer = { status: number; body: Buffer; headers: IncomingMessage["headers"] };

/** Runs a script of this folder, after these lines of Python. */
const patched = (python: string) => `import os, runpy, sqlite3, sys, threading, time
sys.path.insert(0, "${dirname(script)}")
import insights_incoming, insights_jobs, insights_store, insights_wire
${python}
sys.argv = sys.argv[1:]
runpy.run_path(sys.argv[0], run_name="__main__")`;

/** A disk that never comes back from a write. */
export const stuckDisk = "insights_incoming.Incoming.append = lambda *_: threading.Event().wait()";
/** Bodies are taken, and nobody reads them. */
export const readsNothing = "insights_store.Store.read = lambda *_: threading.Event().wait()";
/** A session counts as over as soon as nothing comes of it. */
export const endsAtOnce = "insights_store.QUIET = -1";

/** The receiver of agent insights as its unit starts it, in a folder of its own. */
export async function startReceiver({ days = 14, gigabytes = 5, patch = "" } = {}) {
  const root = mkdtempSync(join(tmpdir(), "insights-"));
  const folder = join(root, "stored");
  writeFileSync(
    join(root, "secrets"),
    `LIVEKIT_API_KEY=${receiverKey.key}\nLIVEKIT_API_SECRET='${receiverKey.secret}'\n`,
  );
  const environment = { ...process.env, CREDENTIALS_DIRECTORY: root, LIVEKIT_DEPLOY_ROOT: root };
  const start = async (python: string) => {
    const command = [script, "serve", folder, "0", `${days}`, `${gigabytes}`];
    const child = spawn("python3", python ? ["-c", patched(python), ...command] : command, {
      env: { ...environment, PYTHONDONTWRITEBYTECODE: "1" },
      stdio: ["ignore", "pipe", "inherit"],
    });
    const lines: string[] = [];
    const reader = createInterface(child.stdout).on("line", (line) => lines.push(line));
    await once(reader, "line");
    return { child, lines, port: Number(lines[0]?.split(":")[1]) };
  };
  let running = await start(patch);
  const send = (
    path: string,
    {
      method = "POST",
      token = insightsToken(writing),
      body = Buffer.alloc(0),
      type = "application/x-protobuf",
      isGzip = false,
      isChunked = false,
      range,
    }: {
      method?: string;
      token?: string;
      body?: Buffer | string;
      type?: string;
      isGzip?: boolean;
      isChunked?: boolean;
      range?: string;
    } = {},
  ): Promise<Answer> =>
    new Promise((resolve, reject) => {
      const content = isGzip ? gzipSync(body) : Buffer.from(body);
      const sent = request(
        {
          ...{ host: "127.0.0.1", port: running.port, method, path, agent: false },
          headers: {
            authorization: `Bearer ${token}`,
            ...(method === "POST" ? { "content-type": type } : {}),
            ...(range ? { range } : {}),
            ...(isGzip ? { "content-encoding": "gzip" } : {}),
            ...(isChunked || method !== "POST" ? {} : { "content-length": content.length }),
          },
        },
        (response) => {
          const parts: Buffer[] = [];
          response.on("data", (part: Buffer) => parts.push(part));
          response.on("end", () =>
            resolve({
              ...{ status: response.statusCode ?? 0, headers: response.headers },
              body: Buffer.concat(parts),
            }),
          );
        },
      );
      sent.on("error", reject);
      sent.end(content);
    });
  const stored = (name: string) => {
    const path = join(folder, name);
    return existsSync(path) ? readFileSync(path, "utf8") : "";
  };
  const counts = () => JSON.parse(stored("status.json") || "{}") as Record<string, number>;
  const ended = async () => {
    const { child } = running;
    if (child.exitCode === null && child.signalCode === null) await once(child, "close");
    return child.exitCode;
  };
  return {
    root,
    folder,
    stored,
    counts,
    send,
    port: () => running.port,
    exitCode: () => running.child.exitCode,
    /** What its journal has of it. */
    journal: () => running.lines.join("\n"),
    /**
     * Waits until the receiver has read so many bodies of a kind. It reads after it has answered, without a sign, so its
     * file is looked at again and again; the time limit of the test ends that.
     */
    async hasRead(kind: string, count: number): Promise<void> {
      for (;;) {
        if ((counts()[kind] ?? 0) >= count) return;
        if (running.child.exitCode !== null) throw new Error("The receiver ended");
        await new Promise((resolve) => setTimeout(resolve, 20));
      }
    },
    /** What a report of the machine has of it, when the console has all through this number. */
    report(acknowledged = 0): string {
      const file = join(root, "acknowledged");
      writeFileSync(file, `${acknowledged}\n`);
      return spawnSync("python3", [script, "report", folder, file], { encoding: "utf8" }).stdout;
    },
    async session(job: string) {
      const { body } = await send(`/observability/insights/${job}`, {
        method: "GET",
        token: insightsToken(readingOf(job)),
      });
      return JSON.parse(body.toString()) as Record<string, unknown>;
    },
    /** Ends it as a machine that fails does, unless it has ended, and starts it again. */
    async restart(python = ""): Promise<void> {
      running.child.kill("SIGKILL");
      await ended();
      running = await start(python);
    },
    ended,
    async [Symbol.asyncDispose]() {
      running.child.kill("SIGKILL");
      await ended();
      rmSync(root, { recursive: true });
    },
  };
}

/** The lines of a report, by their first field. */
export const reportLines = (report: string, kind: string) =>
  report
    .split("\n")
    .filter((line) => line.startsWith(`${kind}\t`))
    .map((line) => line.split("\t").slice(1));

/** The body of a recording: its parts in this order, as multipart. */
export function recording(parts: Record<string, Buffer | string>): { body: Buffer; type: string } {
  const boundary = "b0undary-of-a-recording";
  const body = Buffer.concat([
    ...Object.entries(parts).flatMap(([name, content]) => [
      Buffer.from(
        `--${boundary}\r\nContent-Disposition: form-data; name="${name}"; filename="${name}.bin"\r\nContent-Type: application/octet-stream\r\n\r\n`,
      ),
      Buffer.from(content),
      Buffer.from("\r\n"),
    ]),
    Buffer.from(`--${boundary}--\r\n`),
  ]);
  return { body, type: `multipart/form-data; boundary=${boundary}` };
}
