import { afterAll, afterEach, beforeAll, expect, test } from "vitest";
import { exampleVariables } from "../../../fakes/dev-vars.ts";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes, steerMail } from "../../support/site/control-fakes.ts";
import { portBase, startOwnWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await startOwnWorker((siteUrl) => exampleVariables({ siteUrl, portBase }));
});
afterAll(() => worker[Symbol.asyncDispose]());
afterEach(resetFakes);

test("500 servers with 60 findings each make one mail, which says how many more there are", async () => {
  const person = crypto.randomUUID();
  const address = `${person}@example.com`;
  const { workspace, servers, move } = await makeFleet(worker, {
    ...{ count: 500, maker: { person, address } },
  });
  // Two minutes ahead of the machine's clock no alarm comes by itself, and all happens at one moment.
  await worker.stopFleetClock(workspace);
  await move(2);
  const found = "x".repeat(200);
  const findings = Array.from(
    { length: 60 },
    (_, at) => `finding\tturn.udp.silent\tcritical\tsubject-${at}\t${found}\t${found}`,
  );
  await steerMail({ resend: "down" });
  for (const server of servers) {
    expect(await server.report(2, findings)).toMatchObject({ status: 200 });
  }
  await move(0);
  expect(await mailsTo(address)).toEqual([]);
  worker.takeLogs();
  await steerMail({ resend: "well" });
  await move(1);
  const [mail, ...others] = await mailsTo(address);
  expect(mail?.subject).toBe("500 servers are not well");
  expect(mail?.text).toContain("And 488 more.");
  expect(others).toEqual([]);
  expect(worker.takeLogs().filter(({ level }) => level === "error")).toEqual([]);
});
