import { beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { askForSocket, type LiveSocket, openSocket } from "../../support/servers/live-socket.ts";
import { Machine } from "../../support/servers/machine.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
const deployment = "44444444-4444-4444-8444-444444444444";

function newViewer(person: string = crypto.randomUUID()) {
  return { person, session: crypto.randomUUID() };
}

/** A workspace of the test's own with a machine that has introduced itself. */
async function newFleet() {
  const fleets = await worker.fleets();
  const workspace = crypto.randomUUID();
  const wanted = { workspace, deployment, uses: 1, hours: 1 };
  const { token } = await fleets.makeToken(wanted);
  const machine = new Machine(worker);
  await machine.enrol(token);
  const ticketOf = async (viewer = newViewer()) =>
    (await fleets.overview(workspace, viewer)).ticket ?? "";
  return { fleets, workspace, machine, ticketOf };
}

const ask = (ticket: string, headers: Record<string, string> = {}) =>
  askForSocket(worker.url, ticket, headers);

const open = (ticket: string) => openSocket(worker.url, ticket);

const notificationOf = async (socket: LiveSocket) => JSON.parse(await socket.next());

test("a report notifies the open pages of its workspace, and names the server alone", async () => {
  const { machine, ticketOf } = await newFleet();
  const other = await newFleet();
  const [socket, elsewhere] = [await open(await ticketOf()), await open(await other.ticketOf())];
  await machine.report(1);
  expect(await notificationOf(socket)).toEqual({
    changed: [machine.server],
    reported: [],
    servers: 1,
  });
  await machine.report(2, ["metric\tparticipants\t3"]);
  expect(await notificationOf(socket)).toEqual({
    changed: [],
    reported: [machine.server],
    servers: 1,
  });
  await other.machine.report(1);
  expect(await notificationOf(elsewhere)).toMatchObject({ changed: [other.machine.server] });
});

testInProof("pages learn that a maintenance window begins and that it ends", async () => {
  const { fleets, workspace, machine, ticketOf } = await newFleet();
  const socket = await open(await ticketOf());
  for (const until of [Date.now() + 60_000, null]) {
    await fleets.setMaintenance(workspace, machine.server, until);
    expect(await notificationOf(socket)).toMatchObject({ changed: [machine.server] });
  }
});

testInProof(
  "ten reports at once are one page notification, and one more after two seconds",
  async () => {
    const { machine, ticketOf } = await newFleet();
    const socket = await open(await ticketOf());
    const began = Date.now();
    for (let seq = 1; seq <= 9; seq += 1) await machine.report(seq);
    await socket.next();
    const rest = await notificationOf(socket);
    // However long the reports took, the second notification is two seconds after the first.
    expect(Date.now() - began).toBeGreaterThan(1_900);
    expect(rest.reported).toEqual([machine.server]);
  },
);

testInProof("a page's ping is answered", async () => {
  const { ticketOf } = await newFleet();
  const socket = await open(await ticketOf());
  socket.send("ping");
  expect(await socket.next()).toBe("pong");
});

test.for(
  sample(
    [
      ["no ticket", () => ""],
      [
        "a made-up ticket",
        (ticket: string) => ticket.replace(/.$/, (last) => (last === "0" ? "1" : "0")),
      ],
      [
        "another workspace in a ticket",
        (ticket: string) => ticket.replace(/^lkd_t_.{32}/, `lkd_t_${"0".repeat(32)}`),
      ],
      [
        "a later end in a ticket",
        (ticket: string) => ticket.replace(/_1(\d+)_(?=.{64}$)/, "_2$1_"),
      ],
    ] as const,
    3,
  ),
)("%s opens no socket", async ([, change]) => {
  const { ticketOf } = await newFleet();
  const ticket = await ticketOf();
  expect(change(ticket)).not.toBe(ticket);
  expect(await ask(change(ticket))).toBe(401);
});

test("a ticket that has ended opens no socket", async () => {
  const { workspace, ticketOf } = await newFleet();
  const ticket = await ticketOf();
  await worker.moveFleetClock(workspace, 61_000);
  expect(await ask(ticket)).toBe(401);
});

testInProof.for([
  ["another site", "https://evil.example.com"],
  ["the hostname of the servers Worker", "http://servers.localhost"],
  ["no page", ""],
] as const)("from %s no socket is opened", async ([, origin]) => {
  const { ticketOf } = await newFleet();
  expect(await ask(await ticketOf(), { origin })).toBe(403);
});

testInProof("a request that asks for no socket is answered 426", async () => {
  const { status } = await worker.askServers("/v1/live");
  expect(status).toBe(426);
});

test("a push to an ended ticket closes the socket, and a renewed one goes on", async () => {
  const { workspace, machine, ticketOf } = await newFleet();
  const viewer = newViewer();
  const [lapsed, renewed] = [await open(await ticketOf()), await open(await ticketOf(viewer))];
  await worker.moveFleetClock(workspace, 59_000);
  renewed.send(`renew ${await ticketOf(viewer)}`);
  renewed.send("ping");
  expect(await renewed.next()).toBe("pong");
  await worker.moveFleetClock(workspace, 2_000);
  await machine.report(1);
  expect(await notificationOf(renewed)).toMatchObject({ changed: [machine.server] });
  expect(await lapsed.ended()).toBe(4401);
});

test("a socket is not renewed by somebody else's ticket, nor by one of another workspace", async () => {
  const [mine, other] = [await newFleet(), await newFleet()];
  const viewer = newViewer();
  for (const ticket of [await mine.ticketOf(), await other.ticketOf(viewer), "lkd_t_1"]) {
    const socket = await open(await mine.ticketOf(viewer));
    socket.send(`renew ${ticket}`);
    expect(await socket.ended()).toBe(4401);
  }
});

testInProof("what is no word of a page ends its socket", async () => {
  const { ticketOf } = await newFleet();
  for (const frame of ["renew", "x".repeat(100_000), '{"changed":[]}']) {
    const socket = await open(await ticketOf());
    socket.send(frame);
    expect(await socket.ended()).toBe(4400);
  }
});

test("the 21st socket of one person closes their oldest, and nobody else's", async () => {
  const { machine, ticketOf } = await newFleet();
  const { person } = newViewer();
  const other = await open(await ticketOf());
  const sockets = [];
  for (let count = 1; count <= 21; count += 1) {
    sockets.push(await open(await ticketOf(newViewer(person))));
  }
  expect(await sockets[0]?.ended()).toBe(4408);
  await machine.report(1);
  for (const socket of [other, ...sockets.slice(1)]) {
    expect(await notificationOf(socket)).toMatchObject({ changed: [machine.server] });
  }
});

testInProof("a page that left makes room for another", async () => {
  const { machine, ticketOf } = await newFleet();
  const { person } = newViewer();
  const first = await open(await ticketOf(newViewer(person)));
  for (let count = 1; count <= 19; count += 1) {
    const socket = await open(await ticketOf(newViewer(person)));
    await socket.close();
  }
  await open(await ticketOf(newViewer(person)));
  await machine.report(1);
  expect(await notificationOf(first)).toMatchObject({ changed: [machine.server] });
});

testInProof.for([
  ["a session", ({ session }: ReturnType<typeof newViewer>) => ({ session })],
  ["a person", ({ person }: ReturnType<typeof newViewer>) => ({ person })],
  ["everybody", () => "all" as const],
] as const)(
  "the sockets of %s are closed at once, and their tickets open none",
  async ([, which]) => {
    const { fleets, workspace, machine, ticketOf } = await newFleet();
    const viewer = newViewer();
    const [ticket, others] = [await ticketOf(viewer), await ticketOf()];
    const [socket, other] = [await open(ticket), await open(others)];
    const closed = which(viewer);
    await fleets.closeSockets(workspace, closed);
    expect(await socket.ended()).toBe(4403);
    expect(await ask(ticket)).toBe(401);
    if (closed === "all") {
      expect(await other.ended()).toBe(4403);
      return;
    }
    await machine.report(1);
    expect(await notificationOf(other)).toMatchObject({ changed: [machine.server] });
  },
);

testInProof("a person who is let in again gets a ticket that opens a socket", async () => {
  const { fleets, workspace, ticketOf } = await newFleet();
  const viewer = newViewer();
  await fleets.closeSockets(workspace, { person: viewer.person });
  await worker.moveFleetClock(workspace, 1);
  expect(await ask(await ticketOf(viewer))).toBe(101);
});

test("no line of the log has a ticket", async () => {
  worker.takeLogs();
  const { ticketOf } = await newFleet();
  const ticket = await ticketOf();
  await open(ticket);
  await ask(`${ticket}0`);
  expect(JSON.stringify(worker.takeLogs())).not.toContain(ticket.slice(0, 100));
});
