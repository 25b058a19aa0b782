// A deployment that serves both address families.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";
import { address } from "./world/network.ts";

let running: Running;
let key: Key;

beforeAll(async () => {
  running = await startMachine(
    { six: true, records: ["A", "AAAA"] },
    { answers: { addresses: "dual" } },
  );
  await running.machine.firstBoot();
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("dual stack: media arrives at the public IPv4 address", async () => {
  running.world.network.letThrough("four-only");
  const { heard, report, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "host", address: address.client.four });
});

test("dual stack: media arrives at the IPv6 address", async () => {
  running.world.network.letThrough("six-only");
  const { heard, report, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "host", address: address.client.six });
  expect(new Set(report?.offered)).toEqual(new Set([address.machine.public, address.machine.six]));
});

test("dual stack: media arrives over TURN/TLS where only IPv6 and 443 are open", async () => {
  running.world.network.letThrough("six-443-only");
  const { heard, report, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "relay", relay: "tls" });
});
