import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { callServers, Machine } from "../../support/servers/machine.ts";
import { machine, reportText } from "../../support/servers/report-lines.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
const deployment = "44444444-4444-4444-8444-444444444444";

/** A workspace of the test's own with a token for so many machines. */
async function newFleet({ uses = 1, hours = 72 } = {}) {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const { token } = await fleets.makeToken({ workspace, deployment, uses, hours });
  return { fleets, workspace, token };
}

async function connected() {
  const fleet = await newFleet();
  const server = new Machine(worker);
  await server.enrol(fleet.token);
  return { ...fleet, server };
}

test("a machine introduces itself, reports, and is shown with what it said", async () => {
  const { fleets, workspace, token } = await newFleet();
  expect((await fleets.overview(workspace)).servers).toEqual([]);
  const server = new Machine(worker);
  expect(await server.enrol(token)).toMatchObject({ status: 200 });
  const [waiting] = (await fleets.overview(workspace)).servers;
  expect(waiting).toMatchObject({ name: "sfu-1", deployment, state: { code: "waiting" } });
  const lines = ["metric\tparticipants\t3", "load\t0.5"];
  expect(await server.report(1, lines)).toMatchObject({ status: 200, lines: { taken: "1" } });
  const page = await fleets.server(workspace, server.server);
  expect(page).toMatchObject({ state: { code: "healthy" }, participants: 3 });
  const { participants, load, memory } = page?.series.figures ?? {};
  expect(participants?.most.at(-1)).toBe(3);
  expect(load?.mean.at(-1)).toBe(0.5);
  expect(memory?.mean.at(-1)).toBeNaN();
});

testInProof(
  "a machine with older files, which says more when it introduces itself, is connected",
  async () => {
    const { token } = await newFleet();
    const introduction = `${new Machine(worker).introduction()}boot ${machine.boot}\nversion ${machine.version}\n`;
    expect(await callServers(worker, "/v1/enrol", token, introduction)).toMatchObject({
      status: 200,
    });
  },
);

test("a lost answer to an introduction burns nothing: the same machine asks again", async () => {
  const { fleets, workspace, token } = await newFleet();
  const server = new Machine(worker);
  const first = await server.enrol(token);
  expect(await server.enrol(token)).toEqual(first);
  expect((await fleets.overview(workspace)).servers).toHaveLength(1);
});

test("a token for one machine refuses the second, and says what to do", async () => {
  const { token } = await newFleet();
  await new Machine(worker).enrol(token);
  const second = await new Machine(worker, "i-second").enrol(token);
  expect(second).toMatchObject({ status: 410, lines: { refused: "token-used" } });
  expect(second.lines.say).toContain("Make a new one");
});

test("a token that has ended or was revoked refuses", async () => {
  const ended = await newFleet({ hours: 0 });
  const late = await new Machine(worker).enrol(ended.token);
  expect(late).toMatchObject({ status: 410, lines: { refused: "token-ended" } });
  const revoked = await newFleet();
  await revoked.fleets.endDeployment(revoked.workspace, deployment);
  const taken = await new Machine(worker).enrol(revoked.token);
  expect(taken).toMatchObject({ status: 410, lines: { refused: "token-revoked" } });
});

test.for([
  ["no credential", () => ""],
  ["a key of another form", () => "lkd_s_1"],
  ["a key whose tag was made up", (key: string) => key.replace(/.{16}$/, "0".repeat(16))],
  [
    "a key of another workspace",
    (key: string) => key.replace(/^lkd_s_.{32}/, `lkd_s_${"0".repeat(32)}`),
  ],
  ["another server's name in a key", (key: string) => key.replace(/(lkd_s_.{32}_)./, "$1x")],
] as const)("%s reports nothing", async ([, change]) => {
  const { fleets, workspace, server } = await connected();
  const made = change(server.key);
  expect(made).not.toBe(server.key);
  const answer = await callServers(worker, "/v1/report", made, reportText());
  expect(answer).toMatchObject({ status: 401, lines: { refused: "unknown-key" } });
  const [found] = (await fleets.overview(workspace)).servers;
  expect(found?.state).toEqual({ code: "waiting" });
});

test("a workspace finds none of another's servers", async () => {
  const [mine, other] = [await connected(), await connected()];
  expect(await mine.fleets.server(mine.workspace, other.server.server)).toBeUndefined();
  await mine.fleets.retire(mine.workspace, other.server.server);
  expect(await other.server.report(1)).toMatchObject({ status: 200 });
});

test.for([
  ["300 KiB", reportText({}, Array(1_000).fill(`service\t${"x".repeat(300)}`)), 413, "too-large"],
  ["a word for a number", reportText({ seq: "first" }), 400, "unreadable"],
  ["nothing", "", 400, "unreadable"],
] as const)("a report of %s is refused", async ([, text, status, refused]) => {
  const { server } = await connected();
  for (const [body, headers] of [
    [text, {}],
    [gzipSync(text), { "content-encoding": "gzip" }],
  ] as const) {
    const answer = await callServers(worker, "/v1/report", server.key, body, headers);
    expect(answer).toMatchObject({ status, lines: { refused } });
  }
});

testInProof("what is said to be packed and is not, or breaks off, is refused", async () => {
  const { server } = await connected();
  const whole = gzipSync(reportText());
  for (const body of ["no gzip", whole.subarray(0, 40)]) {
    const headers = { "content-encoding": "gzip" };
    const answer = await callServers(worker, "/v1/report", server.key, body, headers);
    expect(answer).toMatchObject({ status: 400, lines: { refused: "unreadable" } });
  }
});

test("sixty reports in a second: ten are taken, the others wait, and nothing is lost", async () => {
  const { fleets, workspace, server } = await connected();
  const answers: number[] = [];
  for (let seq = 1; seq <= 60; seq += 1) answers.push((await server.report(seq)).status);
  expect(answers.slice(0, 10)).toEqual(Array(10).fill(200));
  expect(answers).toContain(429);
  const refused = await server.report(60);
  expect(refused).toMatchObject({ status: 429, lines: { refused: "too-often" } });
  const waitMs = Number(refused.lines["not-before"]) * 1_000;
  await worker.moveFleetClock(workspace, waitMs);
  expect(await server.report(60)).toMatchObject({ status: 200, lines: { taken: "60" } });
  const page = await fleets.server(workspace, server.server);
  expect(page?.state).toEqual({ code: "healthy" });
});

test("a clone asks for permission, and after a yes its reports count", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1);
  const clone = new Machine(worker, "i-clone", machine.otherBoot);
  clone.key = server.key;
  const question = await clone.report(1);
  expect(question).toMatchObject({ status: 409, lines: { refused: "another-machine" } });
  expect(question.lines.say).toContain("Allow this one");
  const before = await fleets.server(workspace, server.server);
  expect(before?.request).toMatchObject({ instance: "i-clone" });
  const at = before?.request?.at ?? 0;
  expect(await fleets.answerRequest(workspace, server.server, true, at + 1)).toBe(false);
  expect(await clone.report(2)).toMatchObject({ status: 409 });
  expect(await fleets.answerRequest(workspace, server.server, true, at)).toBe(true);
  expect(await clone.report(2)).toMatchObject({ status: 200 });
  const after = await fleets.server(workspace, server.server);
  expect(after?.changes).toMatchObject([{ code: "boot" }, { code: "machine", to: "i-clone" }]);
});

test("a disconnected server reports no more, and what was reported stays", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, ["metric\tparticipants\t3"]);
  // A key alone ends nothing: whoever stole it would take the server out of everybody's sight (N3).
  for (const part of ["", `machine ${machine.machine}\n`, `instance ${server.instance}\n`]) {
    expect(await callServers(worker, "/v1/disconnect", server.key, part)).toMatchObject({
      status: 400,
      lines: { refused: "unreadable" },
    });
  }
  const left = await server.disconnect();
  expect(left).toMatchObject({ status: 200, lines: { disconnected: server.server } });
  for (const again of [await server.disconnect(), await server.report(2)]) {
    expect(again).toMatchObject({ status: 410, lines: { refused: "key-revoked" } });
  }
  const page = await fleets.server(workspace, server.server);
  expect(page).toMatchObject({ state: { code: "retired" }, participants: 3 });
});

test.for(
  sample(
    [
      ["its provider's name", { machine: machine.machine, instance: "i-copy" }],
      ["its own id", { machine: "f".repeat(64), instance: machine.instance }],
    ] as const,
    1,
  ),
)("a copy that differs by %s and disconnects leaves the server connected", async ([, copy]) => {
  const { fleets, workspace, server } = await connected();
  await server.report(1);
  const lines = (leaving: object) =>
    Object.entries(leaving)
      .map(([name, value]) => `${name} ${value}\n`)
      .join("");
  const left = await callServers(worker, "/v1/disconnect", server.key, lines(copy));
  expect(left).toMatchObject({ status: 200, lines: { kept: server.server } });
  expect(await server.report(2)).toMatchObject({ status: 200 });
  const broken = lines({ ...copy, machine: "no hash" });
  expect(await callServers(worker, "/v1/disconnect", server.key, broken)).toMatchObject({
    status: 400,
    lines: { refused: "unreadable" },
  });
  const identity = lines({ machine: machine.machine, instance: machine.instance });
  expect(await callServers(worker, "/v1/disconnect", server.key, identity)).toMatchObject({
    status: 200,
    lines: { disconnected: server.server },
  });
  expect(await fleets.server(workspace, server.server)).toMatchObject({
    state: { code: "retired" },
  });
});

testInProof(
  "a copy that asks for the place asks no longer once it disconnects, and another one's request stays",
  async () => {
    const { fleets, workspace, server } = await connected();
    await server.report(1);
    await server.report(2, [], { instance: "i-copy" });
    const leave = (instance: string) =>
      callServers(
        worker,
        "/v1/disconnect",
        server.key,
        `machine ${machine.machine}\ninstance ${instance}\n`,
      );
    const view = () => fleets.server(workspace, server.server);
    expect(await leave("i-other")).toMatchObject({ lines: { kept: server.server } });
    expect(await view()).toMatchObject({ request: { instance: "i-copy" } });
    expect(await leave("i-copy")).toMatchObject({ lines: { kept: server.server } });
    expect(await view()).toMatchObject({ request: undefined, state: { code: "healthy" } });
  },
);

testInProof(
  "a copy with both ids of its original that connects with a token of its own is a server of its own",
  async () => {
    const { fleets, workspace, server } = await connected();
    await server.report(1);
    const made = await fleets.makeToken({ workspace, deployment, uses: 1, hours: 72 });
    const copy = new Machine(worker, machine.instance, machine.otherBoot);
    expect(await copy.enrol(made.token)).toMatchObject({ status: 200 });
    expect(copy.server).not.toBe(server.server);
    for (const each of [server, copy])
      expect(await each.report(2)).toMatchObject({ status: 200, lines: { taken: "2" } });
    const { servers } = await fleets.overview(workspace);
    expect(servers.map(({ state }) => state.code)).toEqual(["healthy", "healthy"]);
  },
);

testInProof("a fleet that was forgotten knows no token and no key", async () => {
  const { fleets, workspace, token, server } = await connected();
  await fleets.forget(workspace);
  expect((await fleets.overview(workspace)).servers).toEqual([]);
  expect(await server.report(1)).toMatchObject({ status: 401 });
  expect(await new Machine(worker).enrol(token)).toMatchObject({ status: 401 });
});

test("no line of either Worker's log has a token that a person made, or a key", async () => {
  await resetFakes();
  const { askForToken } = await serverCustomer(worker, "pro");
  worker.takeLogs();
  const { token } = await askForToken();
  const server = new Machine(worker);
  expect(await server.enrol(token)).toMatchObject({ status: 200 });
  await server.report(1);
  await callServers(worker, "/v1/report", `${server.key}x`, "");
  await callServers(worker, "/v1/enrol", `${token}x`, "");
  const logs = JSON.stringify(worker.takeLogs());
  for (const secret of [token.slice(39, 82), server.secret]) expect(logs).not.toContain(secret);
});

testInProof.for([
  ["GET", "/v1/report"],
  ["POST", "/v1/other"],
  ["GET", "/"],
] as const)("%s %s is nothing", async ([method, path]) => {
  expect(await worker.askServers(path, { method })).toMatchObject({ status: 404 });
});

testInProof(
  "a fleet's clock can be moved: a server that says nothing for four minutes is down",
  async () => {
    const { fleets, workspace, server } = await connected();
    await server.report(1);
    await worker.moveFleetClock(workspace, 4 * 60_000);
    const page = await fleets.server(workspace, server.server);
    expect(page?.state.code).toBe("down");
  },
);
