// A machine that has no IPv4 address at all, and people who have none either.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";
import { address } from "./world/network.ts";

let running: Running;
let key: Key;

beforeAll(async () => {
  running = await startMachine(
    { four: false, six: true, metadata: false, records: ["AAAA"] },
    { answers: { provider: "other", addresses: "ipv6" } },
  );
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("IPv6 only: the machine starts with its own address, and asks nobody for it", async () => {
  await running.machine.firstBoot();
  key = await keyOf(running.machine);
  expect(await running.machine.done("cat /opt/livekit/state/address.env")).toContain(
    `NODE_IP=${address.machine.six}\n`,
  );
  expect(running.world.network.stunAsked()).toBe(0);
});

test("IPv6 only: media arrives directly", async () => {
  const { heard, report, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "host", address: address.client.six });
  expect(new Set(report?.offered)).toEqual(new Set([address.machine.six]));
});

test("IPv6 only: media arrives over TURN/TLS where only 443 is open", async () => {
  running.world.network.letThrough("443-only");
  const { heard, report, output } = await call(running.world, key);
  expect(heard, output).toBe(true);
  for (const way of [report?.publisher, report?.subscriber])
    expect(way).toMatchObject({ local: "relay", relay: "tls", address: address.machine.six });
});

test("IPv6 only: the doctor finds nothing that does not work", async () => {
  const { output } = await running.machine.run("livekit-deploy doctor --report");
  expect(output).not.toContain("\tcritical\t");
});
