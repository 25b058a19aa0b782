// What LiveKit and apps post, through the real Caddy of a bundle until its files are full, and read by the machine's own
// program: none of LiveKit's events is lost, whatever apps post.
import { type ChildProcess, spawn } from "node:child_process";
import { once } from "node:events";
import { readdirSync, readFileSync, statSync, writeFileSync } from "node:fs";
import { connect } from "node:net";
import { join } from "node:path";
import { createInterface } from "node:readline";
import { text } from "node:stream/consumers";
import { afterAll, beforeAll, expect, test } from "vitest";
import { joinToken, signedEvent } from "../../support/deployments/webhook-spool.ts";
import { findProgram } from "./requirements.ts";
import { spoolFolders } from "./spool-folders.ts";

const portBase = Number(process.env.TEST_PORT_BASE ?? 24700);
const [eventsPort, evidencePort] = [portBase + 34, portBase + 35];

let machine: ReturnType<typeof spoolFolders>;
let caddy: ChildProcess;

beforeAll(async () => {
  machine = spoolFolders({ key: "APIkey", secret: "secret" });
  const config = JSON.parse(machine.caddy);
  // Of its apps the one that takes what is posted on loopback.
  const { logging, apps } = config;
  writeFileSync(
    join(machine.root, "caddy.json"),
    JSON.stringify({ admin: { disabled: true }, logging, apps: { http: apps.http } })
      .replaceAll("127.0.0.1:7990", `127.0.0.1:${eventsPort}`)
      .replaceAll("127.0.0.1:7993", `127.0.0.1:${evidencePort}`),
  );
  caddy = spawn(findProgram("caddy"), ["run", "--config", join(machine.root, "caddy.json")], {
    stdio: ["ignore", "ignore", "pipe"],
  });
  if (!caddy.stderr) throw new Error("Caddy's output is not there");
  for await (const line of createInterface({ input: caddy.stderr })) {
    if (line.includes("serving initial")) break;
  }
  caddy.stderr.resume();
});
afterAll(async () => {
  if (caddy.exitCode === null) {
    caddy.kill();
    await once(caddy, "exit");
  }
  machine[Symbol.dispose]();
});

const sidOf = (at: number) => `PA_person${String(at).padStart(6, "0")}`;

/** Somebody joins, with much metadata: a line of 5 kB. */
async function postJoin(at: number): Promise<void> {
  const participant = { sid: sidOf(at), identity: `person ${at}`, metadata: "m".repeat(4_000) };
  const event = { event: "participant_joined", createdAt: "1795313699", participant };
  const room = { sid: "RM_k3KR8L8i5SJd", name: "room-one" };
  const { body, jwt } = signedEvent({ ...event, room }, {});
  const response = await fetch(`http://127.0.0.1:${eventsPort}/events`, {
    ...{ method: "POST", headers: { authorization: jwt }, body },
  });
  expect(response.status).toBe(200);
  await response.arrayBuffer();
}

/** The report of now, which the console has then. */
function report(): string[][] {
  const lines = machine.reported();
  for (const [kind, id, number] of lines) {
    if (kind === "events" || kind === "evidence") machine.acknowledge(id ?? "", number ?? "");
  }
  return lines;
}

const of = (lines: readonly string[][], kind: string) => lines.filter(([each]) => each === kind);

test("10,000 events fill four files, and each comes once, whether it was read before its file was full or after", async () => {
  const received: string[] = [];
  const heads: string[][] = [];
  const take = () => {
    const lines = report();
    received.push(...of(lines, "event").map(([, , , , , , sid = ""]) => sid));
    heads.push(...of(lines, "events"));
    return of(lines, "event").length;
  };
  for (let first = 0; first < 10_000; first += 50) {
    await Promise.all(Array.from({ length: 50 }, (_, at) => postJoin(first + at)));
    if (first % 2_500 === 0) take();
  }
  for (let more = take(); more > 0; ) more = take();
  const names = readdirSync(machine.spool).filter((name) => name.startsWith("events-"));
  expect(names.length).toBeGreaterThanOrEqual(4);
  for (const name of names) expect(name).toMatch(/^events-[\dT.-]+-size\.log$/);
  expect(received).toEqual(Array.from({ length: 10_000 }, () => expect.any(String)));
  expect(new Set(received).size).toBe(10_000);
  expect(heads.at(-1)?.slice(2)).toEqual(["10000", "0", "0"]);
}, 300_000);

/** A request of an app that came from this address, as layer 4 passes it on; the status of its answer. */
async function postEvidence(body: string | Buffer, from: string): Promise<number> {
  const socket = connect(evidencePort, "127.0.0.1");
  socket.write(`PROXY TCP4 ${from} 127.0.0.1 40000 443\r\n`);
  const head = `POST /call-evidence HTTP/1.1\r\nHost: turn.example.com\r\nConnection: close`;
  socket.write(`${head}\r\nContent-Length: ${Buffer.byteLength(body)}\r\n\r\n`);
  socket.write(body);
  const answer = await text(socket);
  return Number(/^HTTP\/1\.1 (\d+)/.exec(answer)?.[1]);
}

test("what apps post has files of its own: what is not JSON is not written, and what is too much is counted", async () => {
  const exp = Math.floor(Date.now() / 1_000) + 600;
  const good = JSON.stringify({ token: joinToken({ exp }), state: "connected", way: "udp" });
  const events = () => statSync(join(machine.spool, "events.log")).size;
  const size = events();
  expect(await postEvidence(good, "198.51.100.1")).toBe(204);
  for (const bad of [
    `{"state":"${"\u0001".repeat(3_000)}"}`,
    Buffer.concat([Buffer.from('{"state":"'), Buffer.alloc(3_000, 0xff), Buffer.from('"}')]),
    "state=ended",
  ]) {
    expect(await postEvidence(bad, "198.51.100.1")).toBe(400);
  }
  // Caddy closes while the rest of it is on its way, so that its answer may not arrive.
  await postEvidence(`{"state":"${"x".repeat(8_000)}"}`, "198.51.100.1").catch(() => 0);
  // Of everything that is written this takes the most.
  const largest = JSON.stringify({ token: '"'.repeat(1_900), state: "ended" });
  expect(await postEvidence(largest, "198.51.100.1")).toBe(204);
  const written = readFileSync(join(machine.spool, "evidence.log"), "utf8").trimEnd().split("\n");
  expect(written).toHaveLength(4);
  expect(Math.max(...written.map(({ length }) => length))).toBeLessThan(2 * 4_096 + 600);
  for (let at = 0; at < 398; at += 1) {
    expect(await postEvidence(good, `198.51.100.${(at % 40) + 1}`)).toBe(204);
  }
  const lines = report();
  expect(of(lines, "call")).toHaveLength(299);
  expect(of(lines, "evidence").map((head) => head.slice(3))).toEqual([["100"]]);
  expect(of(lines, "events")).toEqual([]);
  expect(events()).toBe(size);
}, 120_000);
