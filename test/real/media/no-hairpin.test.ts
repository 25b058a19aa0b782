// A cloud whose NAT does not lead the machine back to its own public address.
import { afterAll, beforeAll, expect, test } from "vitest";
import { call, type Key } from "./call.ts";
import { keyOf, type Running, startMachine } from "./running.ts";

let running: Running;
let key: Key;

beforeAll(async () => {
  running = await startMachine({ hairpin: false });
  await running.machine.firstBoot();
  key = await keyOf(running.machine);
});
afterAll(() => running?.[Symbol.asyncDispose]());

test("without hairpin media arrives directly", async () => {
  const { heard, said } = await call(running.world, key);
  expect(heard, said).toBe(true);
});

test.for(["udp", "tls"] as const)(
  "without hairpin no media passes a relay: %s",
  async (servers) => {
    const { heard, said } = await call(running.world, key, {
      servers,
      relay: true,
      patience: "8s",
    });
    expect(heard).toBe(false);
    expect(said).toContain("0 packets arrived");
  },
);
