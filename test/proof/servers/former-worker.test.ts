import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { formerServers, withoutRateLimits } from "../../support/deploy/former-build.ts";
import {
  type Answers,
  observedFleet,
  type Phase,
  phases,
} from "../../support/servers/fleet-history.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

// After a deploy the servers Worker finds what the one before it stored, and after a rollback that one finds what the
// later one stored: the site is answered the same, and in the end each channel knows the same.

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());
afterEach(resetFakes);

const builds = { former: formerServers, today: () => "build/servers/wrangler.json" };
/** A history's reports of an hour come within seconds. */
const buildOf = (version: Version) => withoutRateLimits(builds[version]());
type Version = keyof typeof builds;

/** One fleet's history, each phase of it under the version that is named for it. */
async function historyUnder(versions: Record<Phase, Version>) {
  const fleet = observedFleet(worker);
  let before: Answers | undefined;
  for (const phase of phases) {
    await worker.deployServers(buildOf(versions[phase]));
    // What was stored reads the same right after the deploy.
    if (before) expect(await fleet.answers()).toEqual(before);
    await fleet.run(phase, before);
    before = await fleet.answers();
  }
  const history = await fleet.history();
  await resetFakes();
  return history;
}

test("a fleet goes on as if nothing were deployed, from the former servers Worker to today's and back", async () => {
  const former = await historyUnder({ first: "former", second: "former", third: "former" });
  expect(await historyUnder({ first: "former", second: "today", third: "former" })).toEqual(former);
});

test("today's servers Worker goes on with what the former one stored after a rollback", async () => {
  const { messages: _, ...today } = await historyUnder({
    first: "today",
    second: "today",
    third: "today",
  });
  // The former version words messages otherwise, and repeats none.
  const { messages: __, ...back } = await historyUnder({
    first: "today",
    second: "former",
    third: "today",
  });
  expect(back).toEqual(today);
});
