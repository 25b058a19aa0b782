// A machine whose provider does not name its address: LiveKit asks STUN servers, as it does by itself.
import { expect, test } from "vitest";
import { call } from "./call.ts";
import { keyOf, startMachine } from "./running.ts";
import { address } from "./world/network.ts";

test("without metadata the address comes from STUN, and media arrives", async () => {
  await using running = await startMachine({ metadata: false, stun: true });
  await running.machine.firstBoot();
  expect(running.world.network.stunAsked()).toBeGreaterThan(0);
  const { heard, report, output } = await call(running.world, await keyOf(running.machine));
  expect(heard, output).toBe(true);
  expect(new Set(report?.offered)).toEqual(new Set([address.machine.public]));
});
