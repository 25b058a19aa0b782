import { afterEach, beforeAll, expect, test } from "vitest";
import type { RunningWorker } from "../../../scripts/lib/worker.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { makeFleet } from "../../support/servers/make-fleet.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { sharedWorker } from "../../support/site/own-site.ts";

let worker: RunningWorker;
beforeAll(async () => {
  worker = await sharedWorker();
});
afterEach(resetFakes);

const critical = "finding\tturn.udp.silent\tcritical\t\tnothing came back\t";
const person = "55555555-5555-4555-8555-555555555555";

/** A fleet of which so many servers page, and the link of the newest mail about it. */
async function pagedFleet(count = 1) {
  const address = `${crypto.randomUUID()}@example.com`;
  // Several fall silent in one moment, so that one mail says so of all.
  const fleet = await makeFleet(worker, {
    ...{ count, isStopped: count > 1, maker: { person, address } },
  });
  if (count === 1) await fleet.servers[0]?.report(2, [critical]);
  const minutes = count === 1 ? [0] : [4, 2];
  for (const each of minutes) await fleet.move(each);
  return { ...fleet, address, link: await linkTo(address) };
}

async function linkTo(address: string): Promise<string> {
  const [mail] = await mailsTo(address);
  return /https?:\/\/\S+\/acknowledge\?link=\S+/.exec(mail?.text ?? "")?.[0] ?? "";
}

const open = (link: string, method = "GET") => fetch(link, { method });

function press(link: string, fields: Record<string, string>, origin = new URL(link).origin) {
  const body = new URLSearchParams(fields);
  return fetch(link, { method: "POST", headers: { origin }, body, redirect: "manual" });
}

test("opening the link of a mail changes nothing; its button acknowledges once, for whoever got the mail", async () => {
  const { fleets, workspace, move, view, address, link } = await pagedFleet();
  for (const method of ["GET", "HEAD", "GET"]) expect((await open(link, method)).status).toBe(200);
  const page = await open(link);
  expect(page.headers.get("cache-control")).toMatch(/no-store|private/);
  expect(await page.text()).toContain("Nobody has acknowledged it yet.");
  expect((await press(link, { act: "acknowledge" }, "https://elsewhere.example")).status).toBe(403);
  expect((await press(link, { act: "anything" })).status).toBe(404);
  expect((await view())?.incident?.acknowledged).toBeUndefined();

  const pressed = await press(link, { act: "acknowledge", note: " restarting it " });
  expect(pressed.status).toBe(303);
  expect((await view())?.incident?.acknowledged).toMatchObject({
    ...{ by: person, who: address, note: "restarting it" },
  });
  const after = await (await open(link)).text();
  expect(after).toContain(address);
  expect(after).not.toContain(">Acknowledge<");

  // It acknowledges once, though that was taken back; the next message has a link of its own.
  const id = (await view())?.incident?.id ?? "";
  await fleets.unacknowledge(workspace, id);
  expect((await press(link, { act: "acknowledge" })).status).toBe(409);
  await move(16);
  const next = await linkTo(address);
  expect(next).not.toBe(link);
  expect((await press(next, { act: "snooze-hour" })).status).toBe(303);
  expect((await press(next, { act: "acknowledge" })).status).toBe(303);
  const now = (await fleets.overview(workspace)).readAt;
  expect((await view())?.incident?.snoozedUntil).toBeGreaterThan(now - 20 * 60_000);
});

test("one press on the link of a mail about several servers acknowledges all of them, whose page has the times of the mail (M4)", async () => {
  const { fleets, workspace, link } = await pagedFleet(3);
  const page = await (await open(link)).text();
  expect(page).toContain("Acknowledge 3 incidents");
  const [down] = (await fleets.overview(workspace)).servers;
  const since = down?.incident?.causes[0]?.since ?? 0;
  expect(since).toBeLessThan(down?.incident?.openedAt ?? 0);
  expect(page).toContain(`dateTime="${new Date(since).toISOString()}"`);
  expect((await press(link, { act: "acknowledge" })).status).toBe(303);
  const { servers } = await fleets.overview(workspace);
  expect(servers.map(({ incident }) => incident?.acknowledged?.by)).toEqual([
    ...[person, person, person],
  ]);
});

test("a link ends with its channel, after 72 hours, and where it was changed", async () => {
  const { fleets, workspace, move, link } = await pagedFleet();
  const forged = link.replace(/.(?=.{20}$)/, (letter) => (letter === "A" ? "B" : "A"));
  for (const wrong of [forged, link.slice(0, -3), link.replace(/link=.+/, "")]) {
    expect((await open(wrong)).status).toBe(404);
    expect((await press(wrong, { act: "acknowledge" })).status).toBe(404);
  }
  await move(72 * 60 - 1);
  expect((await open(link)).status).toBe(200);
  await move(2);
  expect((await open(link)).status).toBe(404);
  const other = await pagedFleet();
  const [mail] = (await other.fleets.channels(other.workspace)) ?? [];
  await other.fleets.removeChannel(other.workspace, mail?.id ?? "");
  expect((await open(other.link)).status).toBe(404);
  expect((await fleets.overview(workspace)).servers[0]?.incident?.acknowledged).toBeUndefined();
});
