// From a client to the machine and back, by every path that LiveKit has, on a machine with a private IPv4 address,
// IPv6 that nobody asked for, no STUN server and `::1 localhost`.
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";
import { address } from "./world/network.ts";

let running: Running;
let key: Key;
const network = () => running.world.network;

beforeAll(async () => {
  running = await startMachine({ six: true, stun: false });
});
afterAll(() => running?.[Symbol.asyncDispose]());
afterEach(() => network().letThrough("all"));

test("a start without any STUN: the metadata name the address, and nobody else is asked", async () => {
  await running.machine.firstBoot();
  key = await keyOf(running.machine);
  expect(await running.machine.read("/opt/livekit/state/address.env")).toContain(
    `NODE_IP=${address.machine.public}\n`,
  );
  expect(network().stunAsked()).toBe(0);
});

test("the doctor finds nothing, apart from a clock that this machine has from its host", async () => {
  const { output } = await running.machine.run("livekit-deploy doctor --report");
  expect(output).toMatch(/^clock\.unsynchronized\t[^\n]*\n$/);
});

test("the doctor reports that TURN/TLS gives no relay where Caddy dials a localhost that is ::1", async () => {
  const dial = async (from: string, to: string) => {
    await running.machine.done(
      `cd /opt/livekit && sed -i s/${from}:5349/${to}:5349/ caddy.yaml && docker compose up -d --force-recreate --no-deps --wait caddy`,
    );
    const { output } = await running.machine.run("livekit-deploy doctor --report");
    const critical = output.split("\n").filter((line) => line.split("\t")[1] === "critical");
    return critical.map((line) => line.split("\t").slice(0, 4));
  };
  expect(await dial("127.0.0.1", "localhost")).toEqual([
    [
      ...["turn.tls.silent", "critical", "turn.livekit.example.com"],
      "Allocate was answered with 508",
    ],
  ]);
  expect(await dial("localhost", "127.0.0.1")).toEqual([]);
});

describe("media arrives", () => {
  test("directly, at the public address, and the bridge of Docker is offered to nobody", async () => {
    const { heard, report, output } = await call(running.world, key);
    expect(heard, output).toBe(true);
    for (const way of [report?.publisher, report?.subscriber])
      expect(way).toMatchObject({ local: "host", protocol: "udp" });
    expect(new Set(report?.offered)).toEqual(new Set([address.machine.public]));
  });

  test("over TURN/UDP", async () => {
    network().letThrough("443-and-turn-udp");
    const { heard, report, output } = await call(running.world, key, {
      servers: "udp",
      relay: true,
    });
    expect(heard, output).toBe(true);
    for (const way of [report?.publisher, report?.subscriber])
      expect(way).toMatchObject({ local: "relay", relay: "udp", address: address.machine.public });
  });

  test("443-only media on a machine with ::1 localhost", async () => {
    expect(await running.machine.read("/etc/hosts")).toMatch(/^::1 localhost$/m);
    network().letThrough("443-only");
    const { heard, report, output } = await call(running.world, key);
    expect(heard, output).toBe(true);
    for (const way of [report?.publisher, report?.subscriber])
      expect(way).toMatchObject({ local: "relay", relay: "tls", address: address.machine.public });
  });

  test("443-only media on a machine without ::1 localhost", async () => {
    await running.machine.done("sed -i /^::1/d /etc/hosts");
    await running.machine.done(
      "cd /opt/livekit && docker compose up -d --force-recreate --no-deps --wait caddy",
    );
    network().letThrough("443-only");
    const { heard, report, output } = await call(running.world, key);
    expect(heard, output).toBe(true);
    for (const way of [report?.publisher, report?.subscriber])
      expect(way).toMatchObject({ local: "relay", relay: "tls" });
  });
});

test("a client whose every path is shut hears nothing, and the proof says so", async () => {
  network().letThrough("443-only");
  const { heard, output } = await call(running.world, key, {
    servers: "none",
    patience: "8s",
  });
  expect(heard).toBe(false);
  expect(output).toContain("0 packets arrived");
});
