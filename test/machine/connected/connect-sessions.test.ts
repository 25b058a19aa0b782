// Sessions of a LiveKit that runs as it was: the program that takes its events, as people install it and take it away again.
import { once } from "node:events";
import { expect, test, vi } from "vitest";
import { maxSessionsBytes } from "../../../app/features/servers/connect-script/connect-script.ts";
import { parseReport } from "../../../app/features/servers/ingest/report.ts";
import { missingOf } from "../../../app/features/servers/layout/layout.ts";
import { token, well } from "../../support/deployments/console-machine.ts";
import { type ConsoleRequest, startConsole } from "../../support/deployments/console-server.ts";
import { allEvents, canary, signedEvent } from "../../support/deployments/webhook-spool.ts";
import { answeringLiveKit } from "../../support/servers/layouts/answering-livekit.ts";
import { sessionsText } from "../../support/servers/layouts/connect-text.ts";
import { type LayoutFiles, layoutMachine } from "../../support/servers/layouts/layout-machine.ts";
import { layouts } from "../../support/servers/layouts/layouts.ts";

vi.setConfig({ testTimeout: 60_000 });

const layoutAt = (name: string, port: number): LayoutFiles => {
  const made = layouts[name]?.({ livekit: port, metrics: port, tls: 1 });
  if (!made) throw new Error(name);
  return made;
};

/** A console that has the events that it is sent. */
const consoleOfSessions = () =>
  startConsole((request: ConsoleRequest) => {
    const { lines, status } = well(request);
    const [, spool, number] = /^events\t(\w+)\t(\d+)/m.exec(request.body) ?? [];
    return { status, lines: spool ? [...lines, `events ${spool} ${number}`] : lines };
  });

const readReport = (requests: readonly ConsoleRequest[]) => {
  const read = parseReport(requests.at(-1)?.body ?? "");
  if (!read.ok) throw new Error(`Line ${read.line} cannot be read.`);
  return read;
};

async function connected(files: LayoutFiles, url: string) {
  const machine = layoutMachine(files);
  const before = machine.tree();
  const { status, output } = await machine.run("dash", [url], { input: `${token}\n` });
  expect([status, output]).toEqual([0, expect.any(String)]);
  return { machine, before };
}

test("after a yes LiveKit's events are taken at an address of the machine, and the report has their times with hashes in the place of names, once; remove takes everything away", async () => {
  await using console = await consoleOfSessions();
  await using running = await answeringLiveKit();
  const files = layoutAt("systemd behind nginx", running.port);
  const { machine, before } = await connected(files, console.url);
  using _machine = machine;
  const { report } = readReport(console.requests);
  expect(report.layout?.facts.sessions).toBe("no");
  expect(missingOf(report.layout ?? never(), "a.example.com", "COMMAND")).toContainEqual(
    expect.objectContaining({ title: "Sessions", lines: "COMMAND" }),
  );

  const installed = await machine.runSessions(["install"], { input: "yes\n" });
  expect(installed).toMatchObject({ status: 0 });
  const [, address = ""] = /urls: \[http:\/\/([\d.:]+)\/events\]/.exec(installed.output) ?? [];
  expect(address).toMatch(/^127\.0\.0\.1:67(8[7-9]|9[0-6])$/);
  const receiver = machine.startSessions();
  const url = `http://${address}/events`;
  await expect.poll(() => fetch(url).catch(() => undefined)).toBeDefined();

  // The console says which lines LiveKit lacks, until its configuration has them.
  await machine.run("dash", ["report"], { installed: true });
  const waiting = readReport(console.requests).report.layout ?? never();
  expect(waiting.facts.sessions).toBe(address);
  expect(missingOf(waiting, "a.example.com", undefined)).toContainEqual(
    expect.objectContaining({ lines: expect.stringContaining(`urls: [http://${address}/events]`) }),
  );
  const { config } = waiting;
  const configuration = machine.read(config);
  const mode = Number.parseInt(machine.mode(config), 8);
  machine.write(config, `${configuration}webhook:\n  urls: [http://${address}/events]\n`, mode);

  const [[key, secret] = ["", ""]] = Object.entries(keysOf(configuration));
  const post = (body: string | Uint8Array<ArrayBuffer>, headers: Record<string, string> = {}) =>
    fetch(url, {
      ...{ method: "POST", body },
      headers: { "content-type": "application/webhook+json", ...headers },
    });
  const send = (event: unknown, signer: { key: string; secret: string }) => {
    const { body, jwt } = signedEvent(event, signer);
    return post(body, { authorization: jwt });
  };
  for (const event of allEvents()) expect((await send(event, { key, secret })).status).toBe(200);
  expect((await send(allEvents()[0], { key, secret: "somebody else's" })).status).toBe(200);
  const large = { ...Object(allEvents()[0]), room: { name: "x".repeat(300_000) } };
  expect((await send(large, { key, secret })).status).toBe(413);
  // What LiveKit does not send is not written: also not what a page in a browser may post unasked.
  const authorization = "made-up";
  expect((await post("{}")).status).toBe(404);
  expect((await post("{}", { authorization, "content-type": "text/plain" })).status).toBe(404);
  expect((await post(new Uint8Array([0xff]), { authorization })).status).toBe(400);

  await machine.run("dash", ["report"], { installed: true });
  const sent = console.requests.at(-1)?.body ?? "";
  const { report: after, events } = readReport(console.requests);
  expect(after.layout?.facts.sessions).toBe("yes");
  expect(events).toMatchObject({ through: 14, lost: 0, unverified: 1 });
  expect(events?.events.map(({ kind }) => kind)).toEqual([
    ...["room_started", "participant_joined", "track_published", "track_unpublished"],
    ...["participant_left", "participant_connection_aborted", "egress_started", "egress_updated"],
    ...["egress_ended", "ingress_started", "ingress_ended", "room_finished"],
  ]);
  expect(sent).not.toContain(canary);
  for (const hidden of [secret, key]) expect(sent).not.toContain(hidden);

  // What the console has is not sent again.
  await machine.run("dash", ["report"], { installed: true });
  expect(console.requests.at(-1)?.body).not.toMatch(/^events?\t/m);
  const found = await machine.runSessions(["find", `${canary} identity`], { installed: true });
  const [, hash = ""] = /identity +([0-9a-f]{12})/.exec(found.output) ?? [];
  expect(sent).toContain(hash || "no hash");

  receiver.kill();
  await once(receiver, "close");
  machine.write(config, configuration, mode);
  expect(await machine.run("dash", ["remove"], { installed: true })).toMatchObject({ status: 0 });
  expect(machine.tree()).toEqual(before);
});

test("a container in a network of its own finds the machine at its gateway, and its program waits there", async () => {
  await using console = await consoleOfSessions();
  await using running = await answeringLiveKit();
  const { machine, before } = await connected(
    layoutAt("a Compose file beside Traefik", running.port),
    console.url,
  );
  using _machine = machine;
  const installed = await machine.runSessions(["install"], { input: "yes\n" });
  expect(installed).toMatchObject({ status: 0 });
  expect(installed.output).toMatch(/urls: \[http:\/\/127\.0\.0\.2:\d+\/events\]/);
  expect(await machine.runSessions(["remove"], { installed: true })).toMatchObject({ status: 0 });
  expect(await machine.run("busybox sh", ["remove"], { installed: true })).toMatchObject({
    status: 0,
  });
  expect(machine.tree()).toEqual(before);
});

test.for([
  ["in the unit", "", "Environment=\"LIVEKIT_KEYS=APIunit: 'SECRET'\"\n"],
  [
    "in a file of the unit",
    "LIVEKIT_KEYS=APIunit: SECRET\n",
    "EnvironmentFile=/etc/default/livekit\n",
  ],
])(
  "keys that LiveKit has from its environment verify its events too: %s",
  async ([, file, line]) => {
    await using console = await consoleOfSessions();
    const files = layoutAt("systemd behind nginx", 1);
    const { machine } = await connected(files, console.url);
    using _machine = machine;
    const secret = "unit".repeat(10);
    machine.write("etc/default/livekit", file?.replace("SECRET", secret) ?? "", 0o600);
    const unit = "etc/systemd/system/livekit.service";
    const service = `[Service]\n${line?.replace("SECRET", secret)}`;
    machine.write(unit, machine.read(unit).replace("[Service]\n", service));
    await machine.runSessions(["install"], { input: "yes\n" });
    const { body, jwt } = signedEvent(allEvents()[0], { key: "APIunit", secret });
    machine.write(
      "var/lib/private/livekit-sessions/events.log",
      `${JSON.stringify({ ts: 1_795_313_698_000, jwt, event: body })}\n`,
    );
    await machine.run("dash", ["report"], { installed: true });
    expect(readReport(console.requests).events).toMatchObject({ through: 1, unverified: 0 });
    expect(console.requests.at(-1)?.body).not.toContain(secret);
  },
);

test("a full file goes once the console has it, and not before", async () => {
  await using console = await consoleOfSessions();
  const { machine } = await connected(layoutAt("systemd behind nginx", 1), console.url);
  using _machine = machine;
  await machine.runSessions(["install"], { input: "yes\n" });
  const folder = "var/lib/private/livekit-sessions";
  const full = `${folder}/events-2026-11-22T02-42-10.639-size.log`;
  machine.write(full, '{"ts":1,"jwt":"","event":"{}"}\n');
  await machine.run("dash", ["report"], { installed: true });
  expect(machine.has(full)).toBe(true);
  machine.write(`${folder}/events.log`, '{"ts":2,"jwt":"","event":"{}"}\n');
  await machine.run("dash", ["report"], { installed: true });
  expect([machine.has(full), machine.has(`${folder}/events.log`)]).toEqual([false, true]);
});

test.for([
  ["without a yes", "systemd behind nginx", "no\n", "That was no yes."],
  ["in a container without root", "rootless Podman", "yes\n", "without root"],
] as const)("%s nothing is changed", async ([_case, name, input, words]) => {
  await using console = await consoleOfSessions();
  await using running = await answeringLiveKit();
  const { machine } = await connected(layoutAt(name, running.port), console.url);
  using _machine = machine;
  const before = machine.tree();
  const refused = await machine.runSessions(["install"], { input });
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.output).toContain(words);
  expect(refused.output).toContain("Nothing was changed.");
  expect(machine.tree()).toEqual(before);
});

test("before a machine is connected it has no program for sessions", async () => {
  using machine = layoutMachine(layoutAt("systemd behind nginx", 1));
  const before = machine.tree();
  const refused = await machine.runSessions(["install"], { input: "yes\n" });
  expect(refused).toMatchObject({ status: 1 });
  expect(refused.output).toContain("Connect this machine first");
  expect(machine.tree()).toEqual(before);
});

test("the program has its limit, and is one that Python reads", () => {
  expect(Buffer.byteLength(sessionsText)).toBeLessThanOrEqual(maxSessionsBytes);
  expect(sessionsText).not.toMatch(/@[A-Z]+@/);
});

/** The keys of a configuration, as it is written in these layouts. */
function keysOf(text: string): Record<string, string> {
  const [, lines = ""] = /^keys:\n((?: +\S+: \S+\n?)+)/m.exec(text) ?? [];
  return Object.fromEntries(
    lines
      .trim()
      .split("\n")
      .map((line) => line.trim().split(": ") as [string, string]),
  );
}

function never(): never {
  throw new Error("The report has no layout.");
}
