// Live rooms of the console in a real Chromium, with a real LiveKit server and the command of a bundle.
import { spawnSync } from "node:child_process";
import { fileURLToPath } from "node:url";
import { beforeEach, expect, test } from "vitest";
import { testRoomPrefix } from "~/features/deployments/test-room/room-name.ts";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import {
  callFlags,
  callKey,
  callSecret,
  fakeMicrophone,
} from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes, runSql } from "../../support/site/control-fakes.ts";
import { startLivekit } from "./livekit.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";
const script = fileURLToPath(
  new URL("../../../app/features/deployments/bundle/scripts/call.py", import.meta.url),
);

beforeEach(resetFakes);

/** What `sudo livekit-deploy rooms-token` prints on the machine. */
function roomsToken(place: string, ...sid: string[]): string {
  const { stdout, status } = spawnSync("python3", [script, "rooms-token", place, ...sid], {
    input: `${callKey}\n${callSecret}\n`,
    encoding: "utf8",
  });
  expect([status, stdout]).toEqual([0, expect.stringMatching(/^[\w.-]+\n$/)]);
  return stdout.trim();
}

/** Somebody in a call on the server, from a browser of their own. */
async function startCall(person: OpenPage, id: string): Promise<void> {
  const { page } = person;
  await person.visit(`/dashboard/deployments/${id}/call`);
  await page.getByLabel("API key").fill(callKey);
  await page.getByLabel("API secret").fill(callSecret);
  await page.getByLabel("API secret").press("Enter");
  await page.getByRole("status").getByText("You are in a call on your own server.").waitFor();
}

/** The acts in the audit log, oldest first. */
const noted = () =>
  runSql<{ action: string; after: Record<string, unknown> }>(
    "select action, after from public.audit_log where action like 'room.%' order by id",
  );

test("who is in which room is listed, muted, removed, and a room ended, by a browser of another origin", async () => {
  await using server = await startLivekit("udp");
  await using caller = await openPage({ flags: callFlags(domain, server.port, ...fakeMicrophone) });
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await person.signIn(email);
  await caller.signIn(email);
  const id = await storeDeployment(email, fullOptions());

  await person.visit(`/dashboard/deployments/${id}/rooms`);
  const first = roomsToken(server.place);
  await page.getByRole("textbox", { name: "Token" }).fill(first);
  await page.getByRole("button", { name: "Show the rooms" }).press("Enter");
  await page.getByText(`Nobody is in a call: ${domain} has no rooms right now.`).waitFor();

  // LiveKit's client says in its browser's console that it was thrown out.
  caller.allowProblem(`/dashboard/deployments/${id}/call: `);
  await startCall(caller, id);
  const room = page.getByRole("listitem").filter({ hasText: testRoomPrefix });
  await room.getByText("1 participant · since").waitFor();
  await room.getByRole("button", { name: /^Who is in it/ }).press("Enter");
  const dialog = page.getByRole("dialog", { name: "Who is in it" });
  const command =
    (await dialog.getByText("sudo livekit-deploy rooms-token RM_").textContent()) ?? "";
  const sid = command.split(" ").at(-1) ?? "";
  await dialog.getByRole("textbox", { name: "Token" }).fill(first);
  await dialog.getByRole("button", { name: "Show its participants" }).press("Enter");
  await dialog.getByText("This token is not for the people of this room.").waitFor();
  const second = roomsToken(server.place, sid);
  await dialog.getByRole("textbox", { name: "Token" }).fill(second);
  await dialog.getByRole("button", { name: "Show its participants" }).press("Enter");

  const mute = page.getByRole("button", { name: /^Mute the microphone of / });
  await mute.press("Enter");
  await page.getByText("The microphone was muted.").waitFor();
  await page.getByText("microphone, muted").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);

  await page.getByRole("button", { name: /^Remove / }).press("Enter");
  await page
    .getByRole("dialog", { name: "Remove this participant?" })
    .getByRole("button", { name: "Remove the participant" })
    .press("Enter");
  await page.getByText("The participant was removed.").waitFor();
  await caller.page.getByRole("button", { name: "Start the test call" }).waitFor();
  await page.getByText("0 participants · since").waitFor();

  await startCall(caller, id);
  await page
    .getByRole("listitem")
    .filter({ hasText: "1 participant · since" })
    .getByRole("button", { name: `End the room ${testRoomPrefix}` })
    .press("Enter");
  const ending = page.getByRole("dialog", { name: "End this room?" });
  await ending.getByText("1 participant is in it, and disconnected at once.").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
  await ending.getByRole("button", { name: "End the room for 1 participant" }).press("Enter");
  await page.getByText("The room was ended for 1 participant.").waitFor();
  await caller.page.getByRole("button", { name: "Start the test call" }).waitFor();

  const acts = await noted();
  expect(acts).toMatchObject([
    { action: "room.mute-ordered", after: { room: sid, source: "microphone" } },
    { action: "room.removal-ordered", after: { room: sid } },
    { action: "room.end-ordered", after: { participants: 1 } },
  ]);
  // Nothing of tokens and names reaches us.
  expect(JSON.stringify(acts)).not.toContain(testRoomPrefix);
  const ours = sent.filter((request) => !request.startsWith(`https://${domain}/`)).join("\n");
  for (const secret of [first, second, testRoomPrefix]) expect(ours).not.toContain(secret);
});

test("a token of another secret is refused in words that hold no token, and one that ended is let go of", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  person.expectProblem("Failed to load resource");
  const { page } = person;
  await person.signIn(email);
  const id = await storeDeployment(email, fullOptions());
  await person.visit(`/dashboard/deployments/${id}/rooms`);
  const [head, claims] = roomsToken(server.place).split(".");
  await page.getByRole("textbox", { name: "Token" }).fill(`${head}.${claims}.${"x".repeat(43)}`);
  await page.getByRole("button", { name: "Show the rooms" }).press("Enter");
  const alert = page.getByRole("alert");
  await alert.getByText("This server did not sign the token.").waitFor();
  expect(await page.locator("main").textContent()).not.toContain(claims);
});
