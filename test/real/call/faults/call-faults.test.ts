// Faults made for real under calls of Chromium, and how the console explains each: LiveKit, Caddy with a bundle's
// configuration, the machine's scripts, the console's tables and its rules.
import { afterAll, beforeAll, expect, test } from "vitest";
import type { Explanation } from "~/features/servers/explanation/facts.ts";
import { measured } from "../../../support/run/measured.ts";
import { appScript } from "../app-script.ts";
import { startCleanup } from "../cleanup.ts";
import { clientFaults } from "./client-faults.ts";
import type { Fault } from "./fault.ts";
import { healthyCalls } from "./healthy-calls.ts";
import { makeNetwork } from "./network.ts";
import { networkFaults } from "./network-faults.ts";
import { appSource, startPeople } from "./people.ts";
import { openScene, type World } from "./scene.ts";
import { startServer } from "./server.ts";
import { serverFaults } from "./server-faults.ts";

const faults: readonly Fault[] = [...networkFaults, ...serverFaults, ...clientFaults];

let world: World;
const stack = new AsyncDisposableStack();
beforeAll(async () => {
  const cleanup = stack.use(startCleanup());
  const network = makeNetwork(cleanup);
  const server = stack.use(await startServer({ network, cleanup }));
  const { folder, trusted } = server;
  const people = stack.use(startPeople({ folder, trusted, script: await appScript(appSource) }));
  world = { network, server, people };
});
afterAll(() => stack.disposeAsync());

type Result = { name: string; isRight: boolean; said: string; title: string };
const results: Result[] = [];

async function explained({ happen }: Pick<Fault, "happen">): Promise<Explanation[]> {
  await using scene = await openScene(world);
  await happen(scene);
  return scene.explain();
}

test.each(faults)("$name", async (fault) => {
  const [first] = await explained(fault);
  const isRight = first !== undefined && fault.causes.includes(first.code);
  results.push({
    ...{ name: fault.name, isRight, title: first?.title ?? "" },
    said: first ? `${first.confidence} ${first.code}` : "nothing",
  });
  // What is wrong is never said to be certain.
  expect(isRight || first?.confidence !== "certain", JSON.stringify(first)).toBe(true);
});

test.each(healthyCalls)("of a healthy call nothing is said: $name", async (call) => {
  expect(await explained(call)).toEqual([]);
});

test("of forty faults the right cause is first in at least thirty-six", () => {
  const right = results.filter(({ isRight }) => isRight).length;
  measured("call-faults-right", right);
  console.info(
    results
      .map(
        ({ name, isRight, said, title }) =>
          `${isRight ? "right" : "WRONG"}  ${name}: ${said}: ${title}`,
      )
      .join("\n"),
  );
  expect(results.length).toBe(faults.length);
  expect(faults.length).toBeGreaterThanOrEqual(40);
  expect(right).toBeGreaterThanOrEqual(Math.ceil(faults.length * 0.9));
});
