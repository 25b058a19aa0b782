// Whatever a machine or a page sends: the answer says what was wrong, is never a 5xx, and what was reported before stays.
import { gzipSync } from "node:zlib";
import { afterAll, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { askForSocket } from "../../support/servers/live-socket.ts";
import { callServers, Machine } from "../../support/servers/machine.ts";
import { reportText } from "../../support/servers/report-lines.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());

const deployment = "44444444-4444-4444-8444-444444444444";

async function connected() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const tokenRequest = { workspace, deployment, uses: 2, hours: 1 };
  const { token } = await fleets.makeToken(tokenRequest);
  const server = new Machine(worker);
  await server.enrol(token);
  return { fleets, workspace, token, server };
}

type Shape = { body: string | Uint8Array; headers?: Record<string, string> };
const packed = { "content-encoding": "gzip" };
const megabytes = "a".repeat(20_000_000);

/** Bodies that no machine of ours sends, for every address. */
const shapes: Record<string, Shape> = {
  "zero bytes": { body: new Uint8Array(1_000) },
  "no UTF-8": { body: new Uint8Array([0xff, 0xfe, 0x80]) },
  "no UTF-8, packed": { body: gzipSync(new Uint8Array([0xff, 0xfe, 0x80])), headers: packed },
  "20 MB that were packed into a few kB": { body: gzipSync(megabytes), headers: packed },
  JSON: { body: '{"seq":1}', headers: { "content-type": "application/json" } },
  "a packing that nobody offers": { body: "x", headers: { "content-encoding": "br" } },
  "two packings": { body: "x", headers: { "content-encoding": "gzip, gzip" } },
  "a form": { body: "seq=1&boot=2" },
  "names of JavaScript": { body: "__proto__ x\nconstructor y\ntoString z\n" },
};

test.for(
  Object.entries(shapes).flatMap(([name, shape]) =>
    (["/v1/enrol", "/v1/report"] as const).map((path) => [name, path, shape] as const),
  ),
)("%s at %s is refused in words, and nothing is lost", async ([, path, { body, headers }]) => {
  const { fleets, workspace, token, server } = await connected();
  await server.report(1, ["metric\tparticipants\t3"]);
  const credential = path === "/v1/enrol" ? token : server.key;
  const { status, lines } = await callServers(worker, path, credential, body, headers);
  expect([400, 413]).toContain(status);
  expect(lines).toMatchObject({ "livekit-deploy": "1", say: expect.stringContaining(" ") });
  expect(await server.report(2, ["metric\tparticipants\t4"])).toMatchObject({ status: 200 });
  const page = await fleets.server(workspace, server.server);
  expect(page).toMatchObject({ state: { code: "healthy" }, participants: 4 });
});

test.for([
  ["from 1970", { at: 0 }],
  ["from the year 5138", { at: 99_999_999_999 }],
] as const)("a report %s is taken: the machine's clock orders nothing", async ([, fields]) => {
  const { fleets, workspace, server } = await connected();
  await server.report(1);
  const lines = ["metric\tparticipants\t4"];
  expect(await server.report(2, lines, fields)).toMatchObject({ status: 200 });
  const page = await fleets.server(workspace, server.server);
  expect(page).toMatchObject({ state: { code: "healthy" }, participants: 4 });
  expect(Date.now() - (page?.lastReportAt ?? 0)).toBeLessThan(60_000);
});

test("a report that comes twice, or after a later one, is answered well and changes nothing", async () => {
  const { fleets, workspace, server } = await connected();
  await server.report(1, ["metric\tparticipants\t1"]);
  await server.report(3, ["metric\tparticipants\t3"]);
  for (const seq of [3, 2, 1]) {
    const again = await server.report(seq, ["metric\tparticipants\t90"]);
    expect(again).toMatchObject({ status: 200, lines: { taken: String(seq) } });
  }
  const page = await fleets.server(workspace, server.server);
  expect(page).toMatchObject({ participants: 3, changes: [] });
  expect(Math.max(...(page?.series.figures.participants.most ?? []).filter(Number.isFinite))).toBe(
    3,
  );
});

test("a report with the largest that each line may say is taken, and the page is still made of it", async () => {
  const { fleets, workspace, server } = await connected();
  const [number, long, late] = ["9007199254740991", "x".repeat(200), "99999999999"];
  const lines = [
    `load\t999999999999999.999999`,
    `cpus\t${number}`,
    ...["memory", "disk", "network"].map((kind) => `${kind}\t${number}\t${number}`),
    ...["participants", "rooms"].map((name) => `metric\t${name}\t999999999999999`),
    ...Array.from({ length: 60 }, () => `finding\tdisk.full\tcritical\t${long}\t${long}\t${long}`),
    ...Array.from({ length: 60 }, () => `service\t${long}\t${long}\t${long}\t${long}`),
    ...Array.from({ length: 60 }, () => `certificate\t${long}\t${late}`),
    `stage\tready\t${late}`,
    `doctor\t${late}`,
    `backup\t${late}`,
  ];
  for (const seq of [1, 2, 3])
    expect(await server.report(seq, lines)).toMatchObject({ status: 200 });
  for (const range of ["48h", "7d", "90d"] as const) {
    const page = await fleets.server(workspace, server.server, range);
    expect(page?.findings.length).toBe(60);
  }
  expect((await fleets.overview(workspace)).servers).toHaveLength(1);
});

test.for([
  ["nothing", ""],
  ["another scheme", "Basic abc"],
  ["a name without a secret", "Bearer "],
  ["8 kB", `Bearer ${"x".repeat(8_000)}`],
  ["two credentials", "Bearer a, Bearer b"],
] as const)("with %s for a credential every address answers 401", async ([, authorization]) => {
  for (const path of ["/v1/enrol", "/v1/report", "/v1/disconnect"]) {
    const { status, body } = await worker.askServers(path, {
      method: "POST",
      headers: authorization ? { authorization } : {},
      body: reportText(),
    });
    expect([path, status]).toEqual([path, 401]);
    expect(body).toMatch(/^say \S+ \S/m);
  }
});

test("a token is no key, a key is no token, and neither is a ticket", async () => {
  const { token, server } = await connected();
  expect(await callServers(worker, "/v1/report", token, reportText())).toMatchObject({
    status: 401,
  });
  const introduction = server.introduction();
  expect(await callServers(worker, "/v1/enrol", server.key, introduction)).toMatchObject({
    status: 401,
  });
  for (const credential of [token, server.key])
    expect(await askForSocket(worker.url, credential)).toBe(401);
});

test.for([
  ["no name", "name ", ""],
  ["a name with a path", "name ", "../../etc/passwd"],
  ["a name with a tag", "name ", "<script>alert(1)</script>"],
  ["a name of 64 letters", "name ", "x".repeat(64)],
  ["a hash of another length", "key-hash ", "0".repeat(63)],
  ["an instance with spaces", "instance ", "i 0"],
] as const)("an introduction with %s uses up nothing of the token", async ([, line, value]) => {
  const { token, fleets, workspace } = await connected();
  const second = new Machine(worker, "i-second");
  const introduction = second
    .introduction()
    .replace(new RegExp(`^${line}.*$`, "m"), `${line}${value}`);
  const refused = await callServers(worker, "/v1/enrol", token, introduction);
  expect(refused).toMatchObject({ status: 400, lines: { refused: "unreadable" } });
  expect(await second.enrol(token)).toMatchObject({ status: 200 });
  expect((await fleets.overview(workspace)).servers).toHaveLength(2);
});

test.for([
  ["many protocols", `${"livekit-deploy-live, ".repeat(500)}lkd_t_1`],
  ["8 kB for a ticket", `livekit-deploy-live, ${"x".repeat(8_000)}`],
  ["a ticket alone", "lkd_t_1"],
] as const)("a request for a socket with %s is answered 401", async ([, offered]) => {
  expect(await askForSocket(worker.url, "", { "sec-websocket-protocol": offered })).toBe(401);
});
