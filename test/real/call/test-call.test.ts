// The test call of the console in a real Chromium with a real LiveKit server.
import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import {
  callFlags,
  callKey,
  callSecret,
  fakeMicrophone,
} from "../../support/deployments/call-server.ts";
import {
  fullOptions,
  storeDeployment,
  storedDeployment,
} from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { startLivekit } from "./livekit.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(resetFakes);

/** Starts the call of a new deployment; answers its id. */
async function startCall(person: OpenPage, secret = callSecret): Promise<string> {
  const { page } = person;
  await person.signIn(email);
  const id = await storeDeployment(email, fullOptions());
  await person.visit(`/dashboard/deployments/${id}/call`);
  await page.getByLabel("API key").fill(callKey);
  await page.getByLabel("API secret").fill(secret);
  await page.getByLabel("API secret").press("Enter");
  return id;
}

test("somebody hears themselves on their own server, from a second tab, straight over UDP", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port, ...fakeMicrophone) });
  const { page } = person;
  const id = await startCall(person);
  await page.getByRole("status").getByText("You are in a call on your own server.").waitFor();
  await page.getByText("Straight to your server, over UDP").waitFor();
  await page.getByText(/^127\.0\.0\.1:\d+$/).waitFor();
  await page.getByText(/^\d+ ms$/).waitFor();
  await expect
    .poll(() =>
      page
        .getByLabel("Level of your microphone")
        .evaluate((meter: HTMLMeterElement) => meter.value),
    )
    .toBeGreaterThan(0);

  const opening = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open the second tab" }).press("Enter");
  const second = await opening;
  await second.getByRole("button", { name: "Listen" }).press("Enter");
  await second
    .getByRole("status")
    .getByText("You hear yourself: this sound comes from your server.")
    .waitFor();
  expect(new URL(second.url()).search).toBe("?listen");
  await second.getByText("Straight to your server, over UDP").waitFor();
  await page.getByText("The second tab hears you").waitFor();
  await expect
    .poll(async () => (await storedDeployment(id)).ticks)
    .toMatchObject({ connect: { version: 1 } });

  await page.getByRole("button", { name: "Leave the call" }).press("Enter");
  await page.getByRole("status").getByText("You left the call.").waitFor();
  await second.getByText("Waiting for a test call in another tab").waitFor();
});

test("where UDP does not get through, the way over TCP is named, and why", async () => {
  await using server = await startLivekit("tcp");
  await using person = await openPage({ flags: callFlags(domain, server.port, ...fakeMicrophone) });
  await startCall(person);
  await person.page.getByText("Straight to your server, over TCP").waitFor();
  await person.page.getByText("UDP does not get through").waitFor();
});

test("behind a closed firewall the call names the ports that media needs", async () => {
  await using server = await startLivekit("none");
  await using person = await openPage({ flags: callFlags(domain, server.port, ...fakeMicrophone) });
  await startCall(person);
  const alert = person.page.getByRole("alert");
  await alert.getByText("LiveKit answers, but sound gets through on no way.").waitFor();
  await alert.getByText("7881/tcp, 3478/udp, 50000-60000/udp").waitFor();
});

test("without a microphone a test tone is heard", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await startCall(person);
  await page
    .getByText(/Send a test tone|send a test tone/)
    .first()
    .waitFor();
  await page.getByText(/has no microphone|may not use the microphone/).waitFor();
  await page.getByRole("button", { name: "Send a test tone" }).press("Enter");
  await page.getByLabel("Level of the tone").waitFor();
  const opening = page.context().waitForEvent("page");
  await page.getByRole("link", { name: "Open the second tab" }).click();
  const second = await opening;
  await second.getByRole("button", { name: "Listen" }).click();
  await second.getByText("You hear yourself: this sound comes from your server.").waitFor();
  await page.getByText("The second tab hears you").waitFor();
});

test("a real server refuses a wrong secret in the words that the page knows", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port, ...fakeMicrophone) });
  person.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  person.expectProblem("Failed to load resource");
  await startCall(person, "x".repeat(44));
  await person.page.getByText("The API secret does not belong to this API key.").waitFor();
});
