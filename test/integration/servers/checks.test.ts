import { afterEach, beforeAll, beforeEach, expect, test } from "vitest";
import type { CheckTarget, RungResult } from "~/features/deployments/checks/check.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { testInProof } from "../../support/run/variants.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import {
  resetFakes,
  resolverRequests,
  steerInternet,
  steerMachine,
  steerServer,
} from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const minute = 60_000;
const domain = "rtc.example.com";
const turn = `turn.${domain}`;
const address = "198.41.0.4";
const target: CheckTarget = { domain, turn, addresses: [address], readsCertificate: true };
const well = { dns: "ok", tcp: "ok", tls: "ok", https: "ok", turn: "ok", ice: "ok" };
const deployment = "44444444-4444-4444-8444-444444444444";

beforeEach(async () => {
  await steerServer(domain, "livekit");
  await steerInternet({ name: turn, A: [address] });
  await steerMachine(address);
});

async function preflight(of: CheckTarget = target): Promise<RungResult[]> {
  const fleets = await worker.fleets();
  const answer = await fleets.preflight(crypto.randomUUID(), deployment, of);
  if ("waitMs" in answer) throw new Error("Too many checks");
  return answer.results;
}

const outcomes = (results: readonly RungResult[]) =>
  Object.fromEntries(results.map(({ rung, outcome, code }) => [rung, code ?? outcome]));

test("a server with which all is well is reached by every rung, over sockets of the Worker", async () => {
  const results = await preflight();
  expect(outcomes(results)).toEqual(well);
  const ends = new Date(Date.now() + 60 * 86_400_000).toISOString().slice(0, 10);
  expect(results.find(({ rung }) => rung === "tls")?.sentence).toContain(`trusted until ${ends}`);
  expect((await preflight({ ...target, turn: null }))[4]).toMatchObject({ outcome: "skipped" });
});

test.for([
  ["443 closed", { https: "refused" }, "nothing", { tcp: "port.closed", ice: "ok" }],
  ["7881 closed", { ice: "refused" }, "livekit", { ...well, ice: "ice.closed" }],
  ["a certificate that ended", { certificate: "ended" }, "no-certificate", { tls: "cert.invalid" }],
  [
    "one that nobody trusts",
    { certificate: "untrusted" },
    "no-certificate",
    { tls: "cert.invalid" },
  ],
  ["one of another name", { certificate: "other-name" }, "no-certificate", { tls: "cert.invalid" }],
  ["no certificate", { certificate: "none" }, "nothing", { tls: "cert.missing" }],
  [
    "one that ends in two days",
    { certificate: "ending" },
    "livekit",
    { ...well, tls: "cert.ending" },
  ],
  ["a web server for TURN", { turn: "website" }, "livekit", { ...well, turn: "turn.tls.silent" }],
  ["a TURN without a realm", { turn: "other-realm" }, "livekit", { turn: "turn.tls.silent" }],
  ["another site", {}, "website", { ...well, https: "livekit.silent" }],
] as const)("what is wrong has its code: %s", async ([, machine, answers, expected]) => {
  await steerMachine(address, machine);
  await steerServer(domain, answers);
  expect(outcomes(await preflight())).toMatchObject(expected);
});

testInProof("what answers nothing is waited for five seconds, and said to be dropped", async () => {
  await steerMachine(address, { https: "silent", ice: "silent" });
  await steerServer(domain, "nothing");
  const results = await preflight();
  expect(outcomes(results)).toMatchObject({
    tcp: "port.closed",
    ice: "ice.closed",
    turn: "skipped",
  });
  expect(results[1]?.sentence).toContain("a firewall drops what comes");
});

test("an ended certificate is said with its day, which our own ClientHello reads", async () => {
  await steerMachine(address, { certificate: "ended" });
  await steerServer(domain, "no-certificate");
  const ended = new Date(Date.now() - 2 * 86_400_000).toISOString().slice(0, 10);
  const [, , tls] = await preflight();
  expect(tls?.sentence).toBe(`The certificate of ${domain} ended on ${ended}.`);
});

test.for([
  ["a private network", { A: ["10.0.0.5"] }],
  ["a public and a private address", { A: [address, "192.168.1.1"] }],
  ["an IPv4 address in IPv6", { A: [address], AAAA: ["::ffff:127.0.0.1"] }],
  ["the metadata of a cloud", { A: ["169.254.169.254"] }],
] as const)("no name that leads to %s is asked: LiveKit's and TURN's", async ([, records]) => {
  for (const name of [domain, turn]) {
    await steerInternet({ name: domain, A: [address], AAAA: [] });
    await steerInternet({ name: turn, A: [address], AAAA: [] });
    await steerInternet({ name, ...records });
    // Also where the server is said to be there.
    const results = await preflight({ ...target, addresses: [address, ...records.A] });
    expect(outcomes(results)).toMatchObject({ [name === turn ? "turn" : "dns"]: "dns.wrong" });
  }
  const requests = await resolverRequests();
  const refused = [/sockets\/turn\./, /sockets\/(10|192|169)\./];
  expect(requests.filter((path) => refused.some((each) => each.test(path)))).toEqual([]);
});

test("names of ours, and what is no name or address of the internet, are asked by nobody", async () => {
  const site = new URL(worker.url).hostname;
  for (const of of [
    { ...target, domain: site },
    { ...target, domain: `servers.${site}` },
    { ...target, domain: "localhost" },
    { ...target, domain: "http://rtc.example.com/x" },
    { ...target, addresses: ["127.0.0.1"] },
    { ...target, addresses: [] },
  ]) {
    const results = await preflight(of);
    expect(new Set(results.map(({ outcome }) => outcome))).toEqual(new Set(["skipped"]));
  }
  expect((await resolverRequests()).filter((path) => !path.startsWith("/dns-query"))).toEqual([]);
});

test("of one deployment ten are run in an hour, of a workspace thirty, and others have their own", async () => {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const elsewhere: CheckTarget = { ...target, addresses: ["198.41.0.9"] };
  const run = async (count: number, of: string) => {
    const answers = [];
    for (let at = 0; at < count; at += 1)
      answers.push(await fleets.preflight(workspace, of, elsewhere));
    return answers.filter((answer) => "waitMs" in answer).length;
  };
  expect(await run(11, "one")).toBe(1);
  expect(await run(11, "two")).toBe(1);
  expect(await run(11, "three")).toBe(1);
  expect(await run(1, "four")).toBe(1);
  expect(await fleets.preflight(crypto.randomUUID(), "one", elsewhere)).toHaveProperty("results");
  // Nothing of it stays once the workspace is gone.
  await fleets.forget(workspace);
  expect(await run(1, "four")).toBe(0);
});

test("a trial checks nothing", async () => {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const deployments = { production: crypto.randomUUID(), staging: crypto.randomUUID() };
  await fleets.beginTrial(workspace, Date.now() + 3_600_000, deployments);
  const checking = async () => await fleets.preflight(workspace, deployments.production, target);
  await expect(checking()).rejects.toThrow("a trial's");
  expect(await resolverRequests()).toEqual([]);
});

const report = (seq: number, addresses = [address], more: readonly string[] = []) =>
  [
    seq,
    [
      `domain\t${domain}`,
      "turn\tyes",
      `turn-name\t${turn}`,
      ...[domain, turn].map((name) => `certificate\t${name}\t${1_900_000_000 + seq}`),
      ...addresses.map((each) => `address\t4\t${each}`),
      ...more,
    ],
  ] as const;

/** A server that says where it is, and reports each minute. */
async function checkedFleet(lines: readonly string[] = []) {
  const fleet = await makeFleet(worker, { isStopped: true });
  let seq = 1;
  const minutes = async (count: number, changed = lines) => {
    for (let at = 0; at < count; at += 1) {
      seq += 1;
      await fleet.first.report(...report(seq, [address], changed));
      await fleet.move(1);
    }
  };
  const page = async () => fleet.fleets.server(fleet.workspace, fleet.first.server);
  const view = async () => outcomes((await page())?.outside?.results ?? []);
  return { ...fleet, minutes, page, outside: view, state: fleet.view };
}

const sockets = async () =>
  (await resolverRequests()).filter((path) => path.startsWith(`/sockets/${address}/443`)).length;

test("a server whose name leads to it is checked every five minutes, and a good check writes no row of its own", async () => {
  const { minutes, page, workspace, outside } = await checkedFleet();
  await minutes(10);
  expect(await outside()).toEqual(well);
  const before = await worker.fleetCounts(workspace);
  const [checks, at] = [await sockets(), (await page())?.outside?.at ?? 0];
  await minutes(60);
  const after = await worker.fleetCounts(workspace);
  expect((await sockets()) - checks).toBe(12);
  // Each report writes two. Its alarm rings every three minutes for all else that is due.
  expect(after.rows - before.rows).toBeLessThanOrEqual(60 * 2 + 2);
  expect(after.alarmsSet - before.alarmsSet).toBeLessThanOrEqual(2 * (20 + 12));
  const { outside: latest } = (await page()) ?? {};
  expect((latest?.at ?? 0) - at).toBe(60 * minute);
  expect(latest?.changedAt).toBeLessThanOrEqual(at);
});

test("what fails in two checks in a row is a finding and an incident, in one it is neither, and a good check ends it", async () => {
  const { minutes, outside, state, incidents } = await checkedFleet();
  await minutes(6);
  await steerMachine(address, { ice: "refused" });
  await minutes(5);
  expect(await outside()).toMatchObject({ ice: "ice.closed" });
  expect((await state())?.state.code).toBe("healthy");
  await minutes(5);
  expect(await state()).toMatchObject({
    state: { code: "degraded", finding: "ice.closed" },
    incident: { severity: "tells", causes: [{ code: "ice.closed", subject: "7881/tcp" }] },
  });
  await steerMachine(address);
  await minutes(11);
  expect(await outside()).toEqual(well);
  expect(await state()).toMatchObject({ state: { code: "healthy" }, incident: undefined });
  expect(await incidents()).toHaveLength(1);
});

test("a server that reports well and is closed to the internet pages", async () => {
  const { minutes, state } = await checkedFleet();
  await minutes(6);
  await steerMachine(address, { https: "refused", ice: "refused" });
  await steerServer(domain, "nothing");
  await minutes(10);
  expect(await state()).toMatchObject({
    state: { code: "degraded", finding: "port.closed" },
    incident: { severity: "pages" },
  });
});

test("silent and unreachable is down and nothing more; silent but answering is the reporter, and is still checked", async () => {
  const down = await checkedFleet();
  await down.minutes(6);
  await steerMachine(address, { https: "refused" });
  await steerServer(domain, "nothing");
  await down.move(30);
  const dead = await down.state();
  expect(dead?.state.code).toBe("down");
  expect(dead?.incident?.causes.map(({ code }) => code)).toEqual(["down"]);
  await steerMachine(address, { certificate: "ending" });
  await steerServer(domain, "livekit");
  const silent = await checkedFleet();
  await silent.minutes(6);
  expect(await silent.outside()).toEqual(well);
  await silent.move(20);
  expect((await silent.state())?.state.code).toBe("silent");
  // Nobody else says any more when its certificate ends.
  const { incident } = (await silent.state()) ?? {};
  expect(incident?.causes.map(({ code }) => code).toSorted()).toEqual(["cert.ending", "silent"]);
});

test("before its name leads to it a server is only looked up, and one that boots or restarts is not checked", async () => {
  await steerInternet({ name: domain, A: ["198.41.0.9"] });
  const elsewhere = await checkedFleet();
  await elsewhere.minutes(12);
  expect(await elsewhere.page()).not.toHaveProperty("outside");
  expect((await elsewhere.state())?.state.code).toBe("healthy");
  await steerInternet({ name: domain, A: [address] });
  const seconds = Math.floor(Date.now() / 1_000);
  for (const lines of [[`stage\tconnected\t${seconds}`], ["going\treboot"]]) {
    const { minutes, page } = await checkedFleet(lines);
    await minutes(8);
    expect(await page()).not.toHaveProperty("outside");
  }
  expect(await sockets()).toBe(0);
  await elsewhere.minutes(6);
  expect(await elsewhere.outside()).toEqual(well);
});

test("somebody may ask for a check of a server now, ten times in an hour, and wakes nobody by it", async () => {
  const { fleets, workspace, first, outside, state } = await checkedFleet();
  await steerMachine(address, { https: "refused" });
  await steerServer(domain, "nothing");
  expect(await fleets.checkServer(workspace, first.server)).toBeUndefined();
  await first.report(...report(2));
  const answers = [];
  for (let at = 0; at < 11; at += 1)
    answers.push(await fleets.checkServer(workspace, first.server));
  expect(answers.slice(0, 10)).toEqual(Array(10).fill("checked"));
  expect(answers[10]).toMatchObject({ waitMs: expect.any(Number) });
  expect(await outside()).toMatchObject({ dns: "ok", tcp: "port.closed" });
  expect(await state()).toMatchObject({ state: { code: "healthy" }, incident: undefined });
  expect(await fleets.checkServer(workspace, crypto.randomUUID())).toBeUndefined();
  expect(await fleets.checkServer(crypto.randomUUID(), first.server)).toBeUndefined();
});

test("the server's page shows each step with its sentence, and checks now without script", async () => {
  await resetFakes();
  const customer = await serverCustomer(worker, "pro");
  const machine = await customer.connect("i-1");
  const path = `/dashboard/servers/${machine.server}`;
  const words = async () => {
    const html = await (await customer.browser.request(path)).text();
    return textOfHtml(html.replaceAll(/<wbr\/?>/g, "").replaceAll("&#x27;", "'"));
  };
  expect(await words()).toContain("It was not checked yet.");
  await steerServer(domain, "livekit");
  await steerInternet({ name: turn, A: [address] });
  await steerMachine(address, { ice: "refused" });
  await machine.report(...report(1));
  const answer = await customer.browser.post(path, { intent: "check" });
  expect([answer.status, answer.headers.get("location")]).toEqual([303, `${path}?notice=check`]);
  const shown = await words();
  expect(shown).toContain(`https://${domain} answers: LiveKit runs.`);
  expect(shown).toContain(`7881/tcp of ${address} refuses connections`);
  expect(shown).toContain("What to do: open 7881/tcp in your provider's firewall");
  expect(shown).toContain("It is checked every five minutes.");
  for (let at = 0; at < 9; at += 1) await customer.browser.post(path, { intent: "check" });
  const refused = await customer.browser.post(path, { intent: "check" });
  expect(refused.status).toBe(429);
  expect(await refused.text()).toContain("Ten checks of one deployment are run in an hour");
});
