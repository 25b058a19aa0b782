// The connection test of the console in a real Chromium with a real LiveKit server.
import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../../support/browser/browser.ts";
import { callFlags, callKey, callSecret } from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes, steerServer } from "../../support/site/control-fakes.ts";
import { startLivekit } from "./livekit.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(async () => {
  await resetFakes();
  await steerServer(domain, "livekit");
});

/** Runs the test in the console of a new deployment. */
async function startTest(person: OpenPage, secret = callSecret): Promise<void> {
  const { page } = person;
  await person.signIn(email);
  const id = await storeDeployment(email, fullOptions());
  await person.visit(`/dashboard/deployments/${id}/connection-test`);
  await page.getByLabel("API key").fill(callKey);
  await page.getByLabel("API secret").fill(secret);
  await page.getByLabel("API secret").press("Enter");
}

/** What each way ended in, by the first list of ways on the page: that of the test that was just run. */
const waysOf = (person: OpenPage) =>
  person.page.locator("dl").first().locator("dd > p:first-child").allTextContents();

test("where everything but TURN is open the first two ways are UDP and TCP, each as the pair says", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  await startTest(person);
  await person.page
    .getByText("Calls take the best way here: straight to the server, over UDP.")
    .first()
    .waitFor();
  expect(await waysOf(person)).toEqual([
    "Straight to the server, over UDP",
    "Straight to the server, over TCP",
    "No way for sound and picture",
  ]);
  await person.page.getByText("The server's TURN gave no way.").first().waitFor();
  // Hidden, in one room of a test, for each of the ways.
  const joined = server.output.filter((line) => line.includes("participant active"));
  expect(joined.length).toBeGreaterThanOrEqual(2);
  for (const line of joined) expect(line).toMatch(/"room": ?"livekit-deploy-test-/);
});

test("where UDP does not get through the test says TCP, and nowhere that UDP does", async () => {
  await using server = await startLivekit("tcp");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  await startTest(person);
  await person.page
    .getByText("straight to the server over TCP: UDP does not get through")
    .first()
    .waitFor();
  expect((await waysOf(person)).slice(0, 2)).toEqual([
    "Straight to the server, over TCP",
    "Straight to the server, over TCP",
  ]);
});

test("where no media gets through the test says so, once, and tries no further way", async () => {
  await using server = await startLivekit("none");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  await startTest(person);
  await person.page
    .getByText("LiveKit answers here, but sound and picture get through on no way.")
    .first()
    .waitFor();
  expect(await waysOf(person)).toEqual(["No way for sound and picture", "Not tried", "Not tried"]);
});

test("a real server refuses a wrong secret in the words that the test knows", async () => {
  await using server = await startLivekit("udp");
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  person.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  person.expectProblem("Failed to load resource");
  await startTest(person, "x".repeat(44));
  await person.page
    .getByText("This test's token was signed with a wrong API secret.")
    .first()
    .waitFor();
});
