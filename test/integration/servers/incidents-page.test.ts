import { beforeAll, beforeEach, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { newcomer } from "../../support/provider-faults/users.ts";
import { serverCustomer } from "../../support/servers/server-customer.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";
import { textOfHtml } from "../../support/site/page-text.ts";
import type { Visitor } from "../../support/site/visitor.ts";
import { addMember, personalWorkspace } from "../../support/workspaces/workspaces.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
beforeEach(resetFakes);

const formula = "=HYPERLINK(1)";
const critical = `finding\tturn.udp.silent\tcritical\t\t${formula}\t`;
const version = (of: string) => `service\tlivekit\tlivekit/livekit-server:${of}\trunning\t`;

async function textAt(visitor: Visitor, path: string): Promise<string> {
  const response = await visitor.request(path);
  expect(response.status, path).toBe(200);
  return textOfHtml(await response.text()).replaceAll(/\s+/g, " ");
}

test("the page of incidents, each incident and the file have who, how long, how many people, what was found and what changed before (M10)", async () => {
  const customer = await serverCustomer(worker, "pro");
  const { browser, email } = customer;
  expect(await textAt(browser, "/dashboard/incidents")).toContain(
    "No server reports to the console yet",
  );
  const machine = await customer.connect("i-1");
  await machine.report(1, [version("v1.13.11"), "metric\tparticipants\t12"]);
  expect(await textAt(browser, "/dashboard/incidents")).toContain(
    "Nothing was wrong in the last 90 days.",
  );
  await machine.report(2, [version("v1.13.12"), "metric\tparticipants\t12"]);
  await machine.report(3, [version("v1.13.12"), critical]);

  const html = await (await browser.request("/dashboard/incidents")).text();
  const [, id = ""] = /\/dashboard\/incidents\/([0-9a-f-]{36})/.exec(html) ?? [];
  const list = textOfHtml(html).replaceAll(/\s+/g, " ");
  expect(list).toContain("sfu-1: TURN over UDP gives no relay");
  expect(list).toContain("12 in calls when it began nobody acknowledged it");
  expect(list).toContain("1, 1 open");
  expect(list).toContain("100.00 %");
  const server = `/dashboard/servers/${machine.server}`;
  const answered = await browser.post(server, {
    ...{ intent: "acknowledge", incident: id, note: "TURN is being looked at" },
  });
  expect(answered.status).toBe(303);
  expect(await textAt(browser, "/dashboard/incidents?state=open")).toContain(
    `acknowledged by ${email} less than a minute after it paged`,
  );
  expect(await textAt(browser, "/dashboard/incidents?state=past")).toContain(
    "No incident matches.",
  );

  const page = await textAt(browser, `/dashboard/incidents/${id}`);
  for (const shown of [
    "In calls when it began 12",
    `Found then: ${formula}`,
    "Updated livekit from v1.13.11 to v1.13.12",
    `acknowledged by ${email} less than a minute after it paged: TURN is being looked at`,
    "What we do so that it does not happen again",
  ]) {
    expect(page).toContain(shown);
  }
  expect(page.match(/A service changed/g)).toBeNull();

  const csv = await browser.request("/dashboard/incidents.csv");
  expect(csv.headers.get("content-disposition")).toContain("incidents.csv");
  const [head, row, ...rest] = (await csv.text()).trim().split("\r\n");
  expect(head).toMatch(/^id,server,deployment,severity,began,ended,minutes,in calls,/);
  expect(row).toContain(`,12,TURN over UDP gives no relay,'${formula},`);
  expect(row).toMatch(new RegExp(`,${email},0,$`));
  expect(rest).toEqual([]);
  const uptime = await (await browser.request("/dashboard/incidents.csv?of=uptime")).text();
  expect(uptime.trim().split("\r\n")[1]).toMatch(/^sfu-1,[^,]+,,,100$/);
});

test("a viewer sees the incidents of the workspace, and who is no member of it finds nothing", async () => {
  const customer = await serverCustomer(worker, "pro");
  const machine = await customer.connect("i-1");
  await machine.report(1, [critical]);
  const team = await personalWorkspace(customer.email);
  const [viewer, stranger] = [
    `${crypto.randomUUID()}@example.com`,
    `${crypto.randomUUID()}@example.com`,
  ];
  const member = await newcomer(worker.url, viewer);
  await addMember(team, viewer, "viewer");
  const outsider = await newcomer(worker.url, stranger);
  await outsider.browser.request("/dashboard");
  const base = `/dashboard/w/${team.slug}`;
  const [incident] = (await (await worker.fleets()).overview(customer.workspace)).servers;
  const address = `${base}/incidents/${incident?.incident?.id}`;
  for (const path of [`${base}/incidents`, `${base}/incidents.csv`, address]) {
    expect(await (await member.browser.request(path)).text()).toContain("sfu-1");
    expect((await outsider.browser.request(path)).status, path).toBe(404);
  }
  const elsewhere = address.replace(base, "/dashboard");
  expect((await outsider.browser.request(elsewhere)).status).toBe(404);
});
