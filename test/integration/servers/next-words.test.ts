import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { fullOptions, storeVersion } from "../../support/deployments/deployments.ts";
import { Machine } from "../../support/servers/machine.ts";
import { machine } from "../../support/servers/report-lines.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textAt } from "../../support/site/page-text.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(resetFakes);

const call = "metric\tparticipants\t3";
const full = "finding\tdisk.full\tcritical\t/\t97 %\t";

test("the overview, the list, the palette and the deployment's page say the same of it, whatever its servers are like (H1, H2, M12)", async () => {
  const { askForToken, browser, connect, deployment, email, page, workspace } =
    await serverCustomer(worker, "pro");
  const expectEverywhere = async (words: string) => {
    for (const path of ["/dashboard", "/dashboard/deployments", page]) {
      const text = await textAt(browser, path);
      // Below connected servers the overview lists what wants something, and is silent about the rest.
      const isLeftOut = path === "/dashboard" && words === "Everything is done";
      if (isLeftOut) {
        expect.soft(text, path).not.toMatch(/What is next|Everything is done/);
        continue;
      }
      expect.soft(text.includes(words), `${path}: ${words}`).toBe(true);
      const isDone = text.includes("Everything is done");
      expect.soft(isDone, `${path}: ${words}`).toBe(words === "Everything is done");
    }
  };
  const runs = (version: number) => {
    return `made-from\t${deployment}\t${version}\t${machine.version}`;
  };
  const first = await connect("i-first");
  await expectEverywhere("sfu-1 waits for its first report. Next: set the DNS records");
  await first.report(1, [call, runs(1)]);
  await expectEverywhere("Everything is done");
  await first.report(2, [call, runs(1), full]);
  await expectEverywhere("sfu-1: The disk is nearly full");
  const names = await browser.request("/deployments/names?with=servers");
  expect(await names.json()).toEqual({
    deployments: [{ id: deployment, name: "Production" }],
    servers: [{ id: first.server, name: "sfu-1", state: "Degraded: The disk is nearly full" }],
  });
  await storeVersion(email, deployment, { ...fullOptions(), ingress: "none" }, 1);
  await first.report(3, [runs(1)]);
  await expectEverywhere("Your server runs version 1. Next: bring version 2 to it");
  const second = new Machine(worker, "i-second", machine.boot, "sfu-2");
  await second.enrol((await askForToken()).token);
  await second.report(1, [call, runs(2)]);
  await expectEverywhere("sfu-1 runs version 1, sfu-2 version 2. Next: bring version 2 to sfu-1");
  expect(await textAt(browser, `${page}/versions`)).toMatch(/v2 .*on sfu-2 .*v1 .*on sfu-1/);
  const fleets = await worker.fleets();
  await fleets.retire(workspace, first.server);
  await fleets.retire(workspace, second.server);
  await expectEverywhere("sfu-1 and sfu-2 are disconnected, not watched");
});

test("a deployment's page says whether it is live once there is something to follow: a token, or a server (Low)", async () => {
  const { askForToken, browser, page } = await serverCustomer(worker, "pro");
  expect(await textAt(browser, page)).not.toContain("Last read");
  await askForToken();
  expect(await textAt(browser, page)).toContain("Last read");
});
