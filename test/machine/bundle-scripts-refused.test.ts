// What a connected machine does with its key, its token and its time where the console refuses it or asks it to wait.
import { rmSync } from "node:fs";
import { expect, test, vi } from "vitest";
import {
  connect,
  machineAt,
  refusing,
  report,
  token,
  well,
} from "../support/deployments/console-machine.ts";
import { startConsole } from "../support/deployments/console-server.ts";
import type { Machine } from "../support/deployments/machine.ts";
import { amount, testInProof } from "../support/run/variants.ts";

vi.setConfig({ testTimeout: 60_000 });

const notBefore = "run/livekit-console/not-before";
/** Lets the machine run for so many seconds since its boot. A new one has run for 100. */
const runsFor = (server: Machine, seconds: number) =>
  server.write("proc/uptime", `${seconds}.00 1.00\n`);
/** A console that takes tokens, and answers each report so. */
const answering = (status: number, code: string, ...lines: string[]) =>
  startConsole((request) =>
    request.path === "/v1/report" ? refusing(status, code, ...lines)() : well(request),
  );

test("with the token of its user data a machine connects by itself, and forgets it", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console, {}, true);
  expect(server.mode("opt/livekit/enrolment-token")).toBe("600");
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
});

test("a machine that was connected by another token forgets the one of its user data", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  await connect(server);
  server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
  expect(console.requests.map(({ path }) => path)).toEqual(["/v1/enrol", "/v1/report"]);
});

test("a token that has ended is not tried again, and why is said once", async () => {
  await using console = await startConsole(refusing(410, "token-ended"));
  using server = machineAt(console, {}, true);
  expect(await report(server)).toEqual({
    status: 1,
    output: "Not connected. What to do about it.\n",
  });
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests).toHaveLength(1);
});

test.for([
  [401, "unknown-key", 3600],
  [410, "key-revoked", 3600],
  [409, "another-machine", 300],
  [429, "too-often", 40],
] as const)("after %s %s the machine keeps its key and waits", async ([status, code, seconds]) => {
  await using console = await answering(status, code, "not-before 40");
  using server = machineAt(console);
  await connect(server);
  expect(await report(server)).toEqual({
    status: 1,
    output: "Not reported. What to do about it.\n",
  });
  expect(Number(server.read(notBefore))).toBe(100 + seconds);
  runsFor(server, 99 + seconds);
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests).toHaveLength(2);
  expect(server.has("opt/livekit/server.key")).toBe(true);
  runsFor(server, 100 + seconds);
  expect(await report(server)).toMatchObject({ status: 1 });
});

test("a wait ends at its time though the clock was hours ahead and is set back meanwhile", async () => {
  await using console = await answering(429, "too-often", "not-before 40");
  using server = machineAt(console);
  await connect(server);
  server.command("date", 'exec /bin/date -d "+5 hours" "$@"');
  await report(server);
  server.command("date", 'exec /bin/date "$@"');
  runsFor(server, 140);
  expect(await report(server)).toMatchObject({ status: 1 });
  expect(console.requests).toHaveLength(3);
});

test("a machine waits for a day at most, whatever the answer or an earlier version of its files says", async () => {
  for (const seconds of ["86401", "9".repeat(30)]) {
    await using console = await answering(429, "too-often", `not-before ${seconds}`);
    using server = machineAt(console);
    await connect(server);
    // A time of day, as files of before kept it.
    server.write(notBefore, `${Math.floor(Date.now() / 1_000) + 3_600}\n`);
    await report(server);
    expect(server.read(notBefore)).toBe(`${100 + 86_400}\n`);
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(console.requests).toHaveLength(2);
  }
});

testInProof("what is no number of seconds is no time to wait", async () => {
  let seconds = "";
  await using console = await startConsole((request) =>
    request.path === "/v1/report"
      ? refusing(429, "too-often", `not-before ${seconds}`)()
      : well(request),
  );
  using server = machineAt(console);
  await connect(server);
  for (seconds of ["-1", "09", "0", "1 or 2", "$(id)", "0x10"]) {
    const output = "Not reported. What to do about it.\n";
    expect(await report(server), seconds).toMatchObject({ output });
    expect(server.has(notBefore), seconds).toBe(false);
  }
});

test.for([
  [410, "key-revoked"],
  [401, "unknown-key"],
] as const)(
  "a machine whose key is answered %s introduces itself with the token that a bundle brought, in the same minute",
  async ([status, code]) => {
    let hasEnded = true;
    await using console = await startConsole((request) =>
      request.path === "/v1/report" && hasEnded ? refusing(status, code)() : well(request),
    );
    using server = machineAt(console);
    await connect(server);
    const ended = server.read("opt/livekit/server.key");
    // It has nothing else to prove itself with, so it waits for an hour.
    await report(server);
    server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(server.has("opt/livekit/enrolment-token")).toBe(false);
    expect(server.read("opt/livekit/server.key")).not.toBe(ended);
    hasEnded = false;
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(console.requests.map(({ path }) => path)).toEqual([
      ...["/v1/enrol", "/v1/report", "/v1/report", "/v1/enrol", "/v1/report"],
    ]);
    expect(`${console.requests.at(-1)?.credential}\n`).toBe(server.read("opt/livekit/server.key"));
  },
);

test("where key and token have both ended, the key is kept, and the machine goes on to ask each hour", async () => {
  await using console = await startConsole(({ path }) =>
    refusing(410, path === "/v1/enrol" ? "token-ended" : "key-revoked")(),
  );
  using server = machineAt(console);
  const key = `lkd_s_${"0".repeat(32)}_${"1".repeat(32)}_${"B".repeat(43)}_${"3".repeat(16)}\n`;
  server.write("opt/livekit/server.key", key, 0o600);
  server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
  expect((await report(server)).output).toBe("Not connected. What to do about it.\n");
  expect(Number(server.read(notBefore))).toBe(700);
  runsFor(server, 700);
  expect((await report(server)).output).toBe("Not reported. What to do about it.\n");
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(server.read("opt/livekit/server.key")).toBe(key);
  expect(Number(server.read(notBefore))).toBe(4_300);
});

/** The script knows no difference between them. */
const refusals = [
  [503, "unavailable"],
  [403, "plan-limit"],
  [429, "too-often"],
] as const;

test.for(refusals.slice(0, amount({ inTest: 1, inProof: refusals.length })))(
  "a token beside a key that has ended is tried each ten minutes where it is answered %s, and a newer one at once",
  async ([status, code]) => {
    await using console = await startConsole(({ path }) =>
      path === "/v1/enrol" ? refusing(status, code)() : refusing(410, "key-revoked")(),
    );
    using server = machineAt(console);
    const key = `lkd_s_${"0".repeat(32)}_${"1".repeat(32)}_${"B".repeat(43)}_${"3".repeat(16)}\n`;
    server.write("opt/livekit/server.key", key, 0o600);
    server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
    const tries = () => console.requests.filter(({ path }) => path === "/v1/enrol").length;
    await report(server);
    expect(await report(server)).toEqual({ status: 0, output: "" });
    runsFor(server, 699);
    expect(await report(server)).toEqual({ status: 0, output: "" });
    expect(tries()).toBe(1);
    runsFor(server, 700);
    await report(server);
    expect(tries()).toBe(2);
    server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
    await report(server);
    expect(tries()).toBe(3);
  },
);

test("a token is kept while nobody has said whether the key holds", async () => {
  let isAway = true;
  await using console = await startConsole((request) =>
    isAway && request.path === "/v1/report" ? refusing(503, "unavailable")() : well(request),
  );
  using server = machineAt(console);
  await connect(server);
  server.write("opt/livekit/enrolment-token", `${token}\n`, 0o600);
  expect(await report(server)).toMatchObject({ status: 1 });
  expect(server.has("opt/livekit/enrolment-token")).toBe(true);
  isAway = false;
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
  expect(console.requests.filter(({ path }) => path === "/v1/enrol")).toHaveLength(1);
});

test.for([
  ["server.key.pending", 0, "Nothing can be written to "],
  ["server.key", 1, "The key could not be stored. Is the disk full?"],
] as const)(
  "a disk that takes no %s costs no token: the same one connects afterwards, as the same server",
  async ([file, calls, message]) => {
    await using console = await startConsole(well);
    using server = machineAt(console);
    // A folder in its place refuses the file as a full disk does.
    const inTheWay = `opt/livekit/${file}.new/kept`;
    server.write(inTheWay, "");
    const failed = await connect(server);
    expect(failed).toMatchObject({ status: 1, output: expect.stringContaining(message) });
    expect(console.requests).toHaveLength(calls);
    rmSync(server.path(`opt/livekit/${file}.new`), { recursive: true });
    expect(await connect(server)).toMatchObject({ status: 0 });
    const hashes = console.requests.map(({ body }) => /^key-hash (.*)$/m.exec(body)?.[1]);
    expect(new Set(hashes).size).toBe(1);
  },
);

test("disconnect takes the token away from a machine that has not connected yet", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console, {}, true);
  expect(server.run("console", ["disconnect"])).toMatchObject({
    status: 0,
    output: expect.stringContaining("was not connected yet, and stays so"),
  });
  expect(server.has("opt/livekit/enrolment-token")).toBe(false);
  expect(await report(server)).toEqual({ status: 0, output: "" });
  expect(console.requests).toEqual([]);
});

test("a connect while a report is under way is refused and sends nothing", async () => {
  await using console = await startConsole(well);
  using server = machineAt(console);
  server.command("flock", "exit 1");
  expect(await connect(server)).toMatchObject({
    status: 1,
    output: expect.stringContaining("A report is under way."),
  });
  expect(console.requests).toEqual([]);
});
