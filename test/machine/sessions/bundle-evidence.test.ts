// What a customer's app says of its calls, from Caddy's spool to the report, by the real scripts.
import { createHash, createHmac } from "node:crypto";
import { readFileSync } from "node:fs";
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
import { samplesOf } from "../../support/documentation/samples.ts";

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
  spool.addEvidence(lines);
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
      .filter(([kind]) => kind === "call"),
    find: async (name) => found[name] ?? "",
  };
}

const full = {
  state: "connected",
  way: "relay-tls",
  loss: 0.0123,
  sent: 0.004,
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
      ...["loss=12", "sent=4", "trip=38", "jitter=4", "browser=chrome/141", "client=js/2_16_1"],
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
    evidenceLine({ token, state: "failed", loss: 7, sent: 2, rtt: -1, jitter: true, way: ["udp"] }),
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
  ["with a token of the day after tomorrow", joinToken({ nbf: evidenceTs / 1_000 + 172_800 })],
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
  // Whoever posts there cannot make the console say that LiveKit's events are forged, or that any are missing.
  expect(body).toMatch(/\nevents\t[0-9a-f]{16}\t1\t0\t0\n/);
  expect(body).toMatch(/\nevidence\t[0-9a-f]{16}\t10\t0\n/);
});

test("a token may have ended while its call went on", async () => {
  const token = joinToken({ exp: evidenceTs / 1_000 - 3_600 });
  expect((await reported([evidenceLine({ ...full, token })])).events).toHaveLength(1);
});

test.each<[string, Parameters<typeof joinToken>[0], string | undefined]>([
  ["had ended", { exp: evidenceTs / 1_000 - 3_600 }, "token=ended"],
  ["begins in an hour, since a clock is ahead", { nbf: evidenceTs / 1_000 + 3_600 }, "token=early"],
  ["was within its time", {}, undefined],
])("of a token that LiveKit refused it is said that it %s", async (_, claims, field) => {
  const failed = { token: joinToken(claims), state: "failed", failure: "token" };
  const { events } = await reported([evidenceLine(failed)]);
  expect(events[0]?.find((each) => each.startsWith("token="))).toBe(field);
});

test("whether anything by UDP was answered is passed on", async () => {
  const token = joinToken({});
  const { events } = await reported([evidenceLine({ ...full, token, direct: "silent" })]);
  expect(events[0]).toContain("direct=silent");
});

test("of one address thirty a minute are taken, others are not held up, and how many were not is said", async () => {
  const token = joinToken({});
  const lines = Array.from({ length: 40 }, () => evidenceLine({ ...full, token }));
  const { events, body } = await reported([
    ...lines,
    evidenceLine({ ...full, token }, { from: "203.0.113.9" }),
    evidenceLine({ ...full, token }, { ts: evidenceTs + 60_000 }),
  ]);
  expect(events).toHaveLength(32);
  expect(surplusOf(body)).toBe(10);
});

test("behind a proxy on the machine all callers have its address, so that none of them is one too many", async () => {
  const token = joinToken({});
  const from = "127.0.0.1";
  const lines = Array.from({ length: 40 }, () => evidenceLine({ ...full, token }, { from }));
  const { events, body } = await reported(lines);
  expect(events).toHaveLength(40);
  expect(events.flat().some((field) => field.startsWith("network="))).toBe(false);
  expect(surplusOf(body)).toBe(0);
});

const surplusOf = (body: string) => Number(/\nevidence\t[0-9a-f]{16}\t\d+\t(\d+)/.exec(body)?.[1]);

/** A machine with a spool at a console that has what it is sent, as long as `takes` says so. */
async function atConsole(takes: () => boolean) {
  const console = await startConsole((request: ConsoleRequest) => {
    const { lines, status } = well(request);
    const heads = [...request.body.matchAll(/^(events|evidence)\t([0-9a-f]{16})\t(\d+)\t/gm)];
    const taken = takes() ? heads.map(([, log, spool, number]) => `${log} ${spool} ${number}`) : [];
    return { status, lines: [...lines, ...taken] };
  });
  const server = machineAt(console);
  const spool = spoolOf(server);
  await connect(server);
  return {
    server,
    spool,
    async report() {
      await report(server);
      const body = console.requests.at(-1)?.body ?? "";
      const numbersOf = (kind: string) =>
        [...body.matchAll(new RegExp(`^${kind}\\t(\\d+)\\t`, "gm"))].map(([, number]) =>
          Number(number),
        );
      return { body, events: numbersOf("event"), calls: numbersOf("call") };
    },
    async [Symbol.asyncDispose]() {
      server[Symbol.dispose]();
      await console[Symbol.asyncDispose]();
    },
  };
}

test("a flood of evidence while the console is away pushes none of LiveKit's events out, and how much of it was lost is said", async () => {
  let takes = false;
  await using machine = await atConsole(() => takes);
  const { spool } = machine;
  spool.add(allEvents().slice(0, 2));
  const said = { ...full, token: "x".repeat(8_000) };
  // Three files of 5 MB are what there is, and each minute a report counts the lines.
  for (let first = 0; first < 4_000; first += 500) {
    spool.addEvidence(
      Array.from({ length: 500 }, (_, at) =>
        evidenceLine(said, { ts: evidenceTs + (first + at) / 1_000 }),
      ),
    );
    await machine.report();
  }
  spool.addUnwritten(9_700);
  spool.add(allEvents().slice(2, 4));
  takes = true;
  const { events, body } = await machine.report();
  expect(events).toEqual([1, 2, 3, 4]);
  // All are of one address, of which thirty are taken in one report.
  expect(surplusOf(body)).toBeGreaterThanOrEqual(9_700 + 4_000 - 30 - 1);
  expect(surplusOf(body)).toBeLessThanOrEqual(9_700 + 4_000);
});

test("evidence and events are acknowledged each by itself: after a lost answer no new event has a number that was sent", async () => {
  let takes = false;
  await using machine = await atConsole(() => takes);
  const { spool } = machine;
  const line = evidenceLine({ ...full, token: joinToken({}) });
  spool.add(allEvents().slice(0, 2));
  spool.addEvidence([line]);
  expect(await machine.report()).toMatchObject({ events: [1, 2], calls: [2] });
  spool.add(allEvents().slice(2, 3));
  spool.addEvidence([line]);
  takes = true;
  expect(await machine.report()).toMatchObject({ events: [1, 2, 3], calls: [2, 4] });
  expect((await machine.report()).body).not.toMatch(/\n(events|evidence|event|call)\t/);
  spool.rollEvidence();
  spool.addEvidence([line]);
  expect(await machine.report()).toMatchObject({ events: [], calls: [6] });
});

test("what an earlier release left unread in the file of events is read to its end, by the numbers that it would have had", async () => {
  await using machine = await atConsole(() => true);
  const { server, spool } = machine;
  const line = evidenceLine({ ...full, token: joinToken({}) });
  spool.add(allEvents().slice(0, 2));
  spool.addLine(line);
  const file = server.read("opt/livekit/data/sessions/events.log");
  const [first = "", second = ""] = file.split("\n");
  const identifier = createHash("sha256").update(`${first}\n`).digest("hex").slice(0, 16);
  // As sessions.py wrote it, after it had sent the first line and the console had it.
  const place = { file: identifier, offset: first.length + 1, line: 1, number: 1 };
  const former = {
    spool: "0123456789abcdef",
    place: { ...place, lost: 0, unverified: 0 },
    counted: { [identifier]: [first.length + second.length + 2, 2] },
    known: [1, 0, 0],
  };
  server.write("opt/livekit/state/sessions.json", JSON.stringify(former), 0o600);
  const { body, events, calls } = await machine.report();
  expect(body).toContain("\nevents\t0123456789abcdef\t3\t0\t0\n");
  expect([events, calls]).toEqual([[2, 3], []]);
  expect(body).toMatch(/\nevent\t3\t\d+\tcall_evidence\t/);
});

const posted = samplesOf("call-evidence").filter(({ language }) => language === "json");
const languages = ["swift", "kotlin", "dart"] as const;
const codeIn = (wanted: string) =>
  samplesOf("call-evidence")
    .filter(({ language }) => language === wanted)
    .map(({ code }) => code)
    .join("\n");

test("what the samples for Swift, Kotlin and Flutter post is taken whole", async () => {
  const token = joinToken({ identity: "alice", room: "room-one" });
  expect(posted).toHaveLength(languages.length);
  const said = posted.map(({ code }) => JSON.parse(code) as Record<string, string | number>);
  const { events } = await reported(said.map((each) => evidenceLine({ ...each, token })));
  const names = { way: "path", rtt: "trip", sdk: "client" } as Record<string, string>;
  for (const [at, { room, participant, token: _, ...rest }] of said.entries()) {
    expect([events[at]?.[4], events[at]?.[6]]).toEqual([room, participant]);
    const taken = events[at]?.slice(8).map((field) => field.split("=")[0]);
    expect(taken?.toSorted()).toEqual(
      [...Object.keys(rest).map((name) => names[name] ?? name), "network"].toSorted(),
    );
  }
});

test.each(languages)(
  "the sample in %s writes the fields and the words that are taken",
  (wanted) => {
    const code = codeIn(wanted);
    const fields = Object.keys(JSON.parse(posted[0]?.code ?? "{}"));
    for (const field of fields) expect(code).toMatch(new RegExp(`["']${field}["']`));
    const script = readFileSync("app/features/deployments/bundle/scripts/evidence.py", "utf8");
    const listed = [...script.matchAll(/"(?:state|failure)": "([^"]+)"/g)].flatMap(([, words]) =>
      (words ?? "").split(" "),
    );
    const statistics = ["transport", "relay", "protocol", "macos"];
    const written = [...code.matchAll(/(["'])([a-z]{4,11})\1/g)].map(([, , word]) => word);
    expect(
      [...new Set(written)].filter(
        (word) => ![...listed, ...fields, ...statistics].includes(`${word}`),
      ),
    ).toEqual([]);
    expect(written).toContain("broken");
  },
);
