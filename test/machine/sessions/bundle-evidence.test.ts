// What a customer's app says of its calls, from Caddy's spool to the report, by the real scripts.
import { createHmac } from "node:crypto";
import { expect, test, vi } from "vitest";
import {
  connect,
  machineAt,
  report,
  run,
  well,
} from "../../support/deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../../support/deployments/console-server.ts";
import {
  allEvents,
  canary,
  evidenceLine,
  evidenceTs,
  joinToken,
  spoolOf,
} from "../../support/deployments/webhook-spool.ts";

vi.setConfig({ testTimeout: 60_000 });

/** What the console is sent of calls when these lines are in the spool. */
async function reported(
  lines: readonly string[],
  options: Parameters<typeof machineAt>[1] = {},
): Promise<{
  events: string[][];
  body: string;
  key: string;
  find: (name: string) => Promise<string>;
}> {
  await using console = await startConsole((request: ConsoleRequest) => well(request));
  using server = machineAt(console, options);
  const spool = spoolOf(server);
  await connect(server);
  spool.add(allEvents().slice(0, 1));
  for (const line of lines) spool.addLine(line);
  await report(server);
  const body = console.requests.at(-1)?.body ?? "";
  const found: Record<string, string> = {};
  for (const name of ["alice", "198.51.100.20", "198.51.100.99", "::1"]) {
    found[name] = (await run(server, "livekit-deploy", ["find", name])).output;
  }
  return {
    body,
    key: server.read("opt/livekit/session-names.key"),
    events: body
      .split("\n")
      .map((line) => line.split("\t"))
      .filter(([kind, , , event]) => kind === "event" && event === "call_evidence"),
    find: async (name) => found[name] ?? "",
  };
}

const full = {
  state: "connected",
  way: "relay-tls",
  loss: 0.0123,
  rtt: 38.4,
  jitter: 4,
  browser: "chrome 141",
  sdk: "js 2.16.1",
  room: "RM_k3KR8L8i5SJd",
  participant: "PA_RzM4p5wQ44Va",
};

test("of a call the report has way, figures, program and hashes, and neither name, address nor token", async () => {
  const token = joinToken({ identity: "alice", room: "room-one" });
  const { events, body, key, find } = await reported([evidenceLine({ ...full, token })]);
  const hashOf = (kind: string, name: string) =>
    createHmac("sha256", key).update(`${kind}\n${name}`).digest("hex").slice(0, 12);
  const network = hashOf("network", "198.51.100.0/24");
  expect(events.map((event) => event.slice(2))).toEqual([
    [
      ...[String(evidenceTs), "call_evidence", full.room, hashOf("room", "room-one")],
      ...[full.participant, hashOf("identity", "alice"), "state=connected", "path=relay_tls"],
      ...["loss=12", "trip=38", "jitter=4", "browser=chrome/141", "client=js/2_16_1"],
      `network=${network}`,
    ],
  ]);
  for (const secret of ["alice", "room-one", "198.51.100", token.slice(0, 40)]) {
    expect(body).not.toContain(secret);
  }
  // What livekit-deploy find prints is what the console shows.
  expect(await find("alice")).toContain(`identity ${hashOf("identity", "alice")}\n`);
  expect(await find("198.51.100.20")).toContain(`network  ${network}\n`);
  expect(await find("198.51.100.99")).toContain(`network  ${network}\n`);
  expect(await find("alice")).not.toContain("network");
  expect(await find("::1")).not.toContain("network");
});

test("who chose Send names sends the identity, and still no address", async () => {
  const token = joinToken({ identity: "alice", room: "room-one" });
  const { events, body } = await reported([evidenceLine({ ...full, token })], {
    sessions: "named",
  });
  expect([events[0]?.[5], events[0]?.[7]]).toEqual(["=room-one", "=alice"]);
  expect(body).not.toContain("198.51.100");
});

test("what no list has is left out, and a canary in every field is nowhere on the wire", async () => {
  const token = joinToken({ identity: "alice", room: "room-one" });
  const bent = Object.fromEntries(Object.keys(full).map((name) => [name, `${canary}\n1`]));
  const { events, body } = await reported([
    evidenceLine({ ...bent, token, state: "failed", [canary]: canary, failure: canary }),
    evidenceLine({ token, state: "failed", loss: 7, rtt: -1, jitter: true, way: ["udp"] }),
    evidenceLine({ token, state: "connected", loss: "NaN", browser: "chrome 1.2.3.4.5" }),
  ]);
  expect(body).not.toContain(canary);
  expect(
    events.map((event) => event.slice(8).filter((field) => !field.startsWith("network="))),
  ).toEqual([["state=failed"], ["state=failed"], ["state=connected"]]);
});

test.each<[string, string | undefined]>([
  ["without a token", undefined],
  ["with a token of another secret", joinToken({ secret: "guessed" })],
  ["with a token of an unknown key", joinToken({ key: "APIother" })],
  ["with a token that joins no room", joinToken({ roomJoin: false })],
  ["with a token that ended two days before", joinToken({ exp: evidenceTs / 1_000 - 172_800 })],
  ["of a test's room", joinToken({ room: "livekit-deploy-test-1" })],
  ["with no JWT", "a.b.c"],
])("a request %s is passed over, and what comes after it is read", async (_, token) => {
  const good = joinToken({ identity: "bob" });
  const { events, body } = await reported([
    evidenceLine({ ...full, token }),
    evidenceLine([]),
    `${JSON.stringify({ ts: evidenceTs, evidence: "{", from: "198.51.100.20" })}\n`,
    `${JSON.stringify({ ts: evidenceTs, evidence: "[".repeat(3_000), from: "198.51.100.20" })}\n`,
    evidenceLine({ ...full, token: good }),
  ]);
  expect(events).toHaveLength(1);
  // Whoever posts there cannot make the console say that LiveKit's events are forged.
  expect(body).toMatch(/\nevents\t[0-9a-f]{16}\t6\t0\t0\n/);
});

test("a token may have ended while its call went on", async () => {
  const token = joinToken({ exp: evidenceTs / 1_000 - 3_600 });
  expect((await reported([evidenceLine({ ...full, token })])).events).toHaveLength(1);
});

test("of one address thirty a minute are taken, and others are not held up", async () => {
  const token = joinToken({});
  const lines = Array.from({ length: 40 }, () => evidenceLine({ ...full, token }));
  const { events } = await reported([
    ...lines,
    evidenceLine({ ...full, token }, { from: "203.0.113.9" }),
    evidenceLine({ ...full, token }, { ts: evidenceTs + 60_000 }),
  ]);
  expect(events).toHaveLength(32);
});
