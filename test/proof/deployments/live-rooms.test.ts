import { createHmac } from "node:crypto";
import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { callFlags, callKey, callSecret } from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { served, startRoomServer } from "../../support/deployments/live-rooms/room-server.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(resetFakes);

const part = (value: unknown) => Buffer.from(JSON.stringify(value)).toString("base64url");

/** A token as the machine makes it; with a room, for the people of that one. */
function tokenFor(room?: string, seconds = 300): string {
  const exp = Math.floor(Date.now() / 1_000) + seconds;
  const video = {
    ...{ roomList: true, roomCreate: true },
    ...(room ? { roomAdmin: true, room } : {}),
  };
  const signed = `${part({ alg: "HS256" })}.${part({ iss: callKey, exp, video })}`;
  return `${signed}.${createHmac("sha256", callSecret).update(signed).digest("base64url")}`;
}

const microphone = { sid: "TR_AMx", type: "AUDIO", source: "MICROPHONE", muted: false };
const twoRooms = () => [
  {
    ...{ sid: "RM_standup0001", name: "stand-up", isRecorded: true },
    people: [
      served("ada", { name: "Ada L.", tracks: [microphone] }),
      served("bot", { kind: "AGENT" }),
    ],
  },
  { sid: "RM_empty0000001", name: "a room with a name that goes on and on", people: [] },
];

async function openRooms(person: OpenPage): Promise<void> {
  await person.signIn(email);
  const id = await storeDeployment(email, fullOptions());
  await person.visit(`/dashboard/deployments/${id}/rooms`);
}

async function paste(person: OpenPage, token: string): Promise<void> {
  await person.page.getByRole("textbox", { name: "Token" }).fill(token);
  await person.page.getByRole("textbox", { name: "Token" }).press("Tab");
  await person.page.keyboard.press("Enter");
}

test.each(["light", "dark"] as const)(
  "rooms and people are seen at 320 pixels (%s), and a room is ended after a question that counts them, by keyboard",
  async (theme) => {
    await using server = await startRoomServer(twoRooms());
    await using person = await openPage({
      ...{ theme, viewport: { width: 320, height: 640 } },
      flags: callFlags(domain, server.port),
    });
    const { page } = person;
    await openRooms(person);
    await paste(person, tokenFor("stand-up"));
    await page.getByText("2 participants · since").waitFor();
    await page.getByText("Ada L.").waitFor();
    expect(await page.evaluate(() => document.documentElement.scrollWidth)).toBe(320);
    expect(await faultsOfPage(page)).toEqual([]);

    await page.getByRole("button", { name: "End the room stand-up" }).press("Enter");
    const dialog = page.getByRole("dialog", { name: "End this room?" });
    await dialog.getByText("2 participants are in it, and disconnected at once.").waitFor();
    expect(await faultsOfPage(page)).toEqual([]);
    await page.keyboard.press("Escape");
    await dialog.waitFor({ state: "hidden" });
    expect(server.rooms).toHaveLength(2);
    await page.getByRole("button", { name: "End the room stand-up" }).press("Enter");
    await dialog.getByRole("button", { name: "End the room for 2 participants" }).press("Enter");
    await page.getByText("The room was ended for 2 participants.").waitFor();
    expect(server.rooms.map(({ name }) => name)).toEqual([
      "a room with a name that goes on and on",
    ]);
  },
);

test("who joins while the question stands is counted in it", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await openRooms(person);
  await paste(person, tokenFor());
  await page.getByRole("button", { name: "End the room stand-up" }).press("Enter");
  await page.getByRole("button", { name: "End the room for 2 participants" }).waitFor();
  server.rooms[0]?.people.push(served("late"));
  await page.getByRole("button", { name: "End the room for 3 participants" }).waitFor();
});

test("an act that our site does not note is not done", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await openRooms(person);
  await paste(person, tokenFor());
  await page.route("**/rooms.data*", (route) =>
    route.request().method() === "POST" ? route.abort("connectionfailed") : route.continue(),
  );
  person.expectProblem("net::ERR_CONNECTION_FAILED");
  await page.getByRole("button", { name: "End the room stand-up" }).press("Enter");
  await page.getByRole("button", { name: "End the room for 2 participants" }).press("Enter");
  await page.getByRole("alert").getByText("Nothing was done.").waitFor();
  expect(server.rooms).toHaveLength(2);
  expect(server.calls).not.toContain("DeleteRoom");
});

test("a server that goes away is said so beside what was read last, and comes back by itself", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  person.expectProblem("Failed to load resource");
  const { page } = person;
  await openRooms(person);
  await paste(person, tokenFor());
  await page.getByText("2 participants · since").waitFor();
  server.break(true);
  await page.getByRole("alert").getByText(`What answers at ${domain} is not LiveKit.`).waitFor();
  await page.getByText("2 participants · since").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  server.break(false);
  await page.getByRole("alert").waitFor({ state: "hidden" });
});

test("a token that ends is let go of: what was read stays without its buttons, and another one is asked for", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await page.clock.install();
  await openRooms(person);
  await paste(person, tokenFor());
  await page.getByRole("button", { name: "End the room stand-up" }).waitFor();
  await page.clock.fastForward(301_000);
  await page.getByText("The token has ended.").waitFor();
  await page.getByText("stand-up").waitFor();
  expect(await page.getByRole("button", { name: /^End the room/ }).count()).toBe(0);
  expect(await page.getByRole("textbox", { name: "Token" }).inputValue()).toBe("");
  expect(await faultsOfPage(page)).toEqual([]);
  await paste(person, tokenFor(undefined, 601));
  await page.getByRole("button", { name: "End the room stand-up" }).waitFor();
});

test("a page that nobody looks at asks nothing, and asks at once when somebody does", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await page.clock.install();
  await openRooms(person);
  await paste(person, tokenFor());
  await page.getByText("2 participants · since").waitFor();
  const show = (visibility: DocumentVisibilityState) =>
    page.evaluate((value) => {
      Object.defineProperty(document, "visibilityState", { value, configurable: true });
      document.dispatchEvent(new Event("visibilitychange"));
    }, visibility);
  await show("hidden");
  const before = server.calls.length;
  await page.clock.runFor(60_000);
  expect(server.calls.length).toBe(before);
  server.rooms.splice(0, 2);
  await show("visible");
  await page.getByText(`Nobody is in a call: ${domain} has no rooms right now.`).waitFor();
});

test("a computer without a network is said to be so, and goes on by itself", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  person.allowProblem("net::ERR_INTERNET_DISCONNECTED");
  const { page } = person;
  await openRooms(person);
  await paste(person, tokenFor());
  await page.getByText("2 participants · since").waitFor();
  await page.context().setOffline(true);
  await page.getByRole("alert").getByText("not connected to the internet").waitFor();
  await page.context().setOffline(false);
  await page.getByRole("alert").waitFor({ state: "hidden" });
});

test("the token is in no storage, address or history", async () => {
  await using server = await startRoomServer(twoRooms());
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await openRooms(person);
  const token = tokenFor();
  await paste(person, token);
  await page.getByText("2 participants · since").waitFor();
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
      document.documentElement.outerHTML,
    ]),
  );
  expect(stored).not.toContain(token.slice(-20));
});

test("without JavaScript the page says what it needs, and shows no field", async () => {
  await using person = await openPage({ javaScript: false });
  await openRooms(person);
  await person.page
    .getByText("Rooms are read by this browser, and that needs JavaScript.")
    .waitFor();
  await person.page.getByRole("textbox", { name: "Token" }).waitFor({ state: "hidden" });
});
