import { gzipSync } from "node:zlib";
import { beforeAll, expect, test } from "vitest";
import { maxMachines } from "~/features/servers/connect/server-quota.ts";
import type { RunningWorker } from "../../../../scripts/lib/worker.ts";
import { Machine } from "../../../support/servers/machine.ts";
import { serverCustomer } from "../../../support/servers/server-customer.ts";
import { resetFakes } from "../../../support/site/control-fakes.ts";
import { sharedWorker } from "../../../support/site/own-site.ts";
import { textOfHtml } from "../../../support/site/page-text.ts";

const count = 500;
const open = 50;
/** What a first screen may weigh, compressed. */
const maxBytes = 60_000;

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
  await resetFakes();
});

/** A customer with 500 servers, of which fifty have an open incident. */
async function largeFleet() {
  const customer = await serverCustomer(worker, "pro");
  const fleets = await worker.fleets();
  for (let at = 0; at < count; at += maxMachines) {
    const { token } = await fleets.makeToken({
      ...{ workspace: customer.workspace, deployment: customer.deployment },
      ...{ uses: maxMachines, hours: 72, domain: "media.example.com" },
    });
    for (let each = at; each < at + maxMachines; each += 1) {
      const name = `region-${each % 7}-sfu-${each}`;
      const machine = new Machine(worker, `i-${each}`, undefined, name);
      machine.address = `192.0.2.${each % 250}`;
      await machine.enrol(token);
      const wrong =
        each < open ? ["finding\tturn.udp.silent\tcritical\t\tnothing came back\t"] : [];
      await machine.report(1, [...wrong, `metric\tparticipants\t${each % 40}`]);
    }
  }
  return customer;
}

test("the first screens of 500 servers with 50 open incidents weigh at most 60 kB compressed, and are one call each", async () => {
  const { browser, workspace } = await largeFleet();
  const weights: Record<string, number> = {};
  for (const [path, method, shows] of [
    ["/dashboard", "overview", "something is wrong with 50"],
    ["/dashboard/incidents", "incidents", "50, 50 open"],
  ] as const) {
    const before = await worker.fleetCounts(workspace);
    const html = await (await browser.request(path)).text();
    const { calls } = await worker.fleetCounts(workspace);
    const { alarm: _, counts: __, ...called } = calls;
    const more = Object.entries(called).filter(
      ([name, times]) => times !== (before.calls[name as keyof typeof calls] ?? 0),
    );
    expect(textOfHtml(html), path).toContain(shows);
    expect(
      more.map(([name]) => name),
      path,
    ).toEqual([method]);
    weights[path] = gzipSync(html).length;
  }
  expect(Object.entries(weights).filter(([, bytes]) => bytes > maxBytes)).toEqual([]);
});
