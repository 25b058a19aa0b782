import { once } from "node:events";
import { type AddressInfo, createServer } from "node:net";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import {
  callFlags,
  callKey,
  callSecret,
  startRefusingServer,
} from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { newSecret, storeTestLink } from "../../support/deployments/test-links.ts";
import { resetFakes, steerServer } from "../../support/site/control-fakes.ts";
import { signedIn } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(resetFakes);

async function testPage(): Promise<string> {
  return `/dashboard/deployments/${await storeDeployment(email, fullOptions())}/connection-test`;
}

async function start(page: Page, key: string, secret: string): Promise<void> {
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("API secret").fill(secret);
  await page.getByLabel("API secret").press("Enter");
}

/** A port at which nothing listens. */
async function closedPort(): Promise<number> {
  const server = createServer().listen(0, "127.0.0.1");
  await once(server, "listening");
  const { port } = server.address() as AddressInfo;
  server.close();
  await once(server, "close");
  return port;
}

test("the test says when the key is another server's, when the secret is wrong, and when no LiveKit answers", async () => {
  await using server = await startRefusingServer();
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await person.signIn(email);
  await person.visit(await testPage());
  person.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  person.expectProblem("Failed to load resource");
  await start(page, "APIofAnotherServer", callSecret);
  await page.getByRole("alert").getByText("does not know the API key").waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("APIofAnotherServer");
  await start(page, callKey, "x".repeat(44));
  await page.getByRole("alert").getByText("signed with a wrong API secret").waitFor();
  await start(page, callKey, callSecret);
  await page.getByRole("alert").getByText("is not a LiveKit server that takes calls").waitFor();
  expect(await faultsOfPage(page)).toEqual([]);
});

test("who types nothing, or pastes a token that allows too much, is told so at the field", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  await person.visit(await testPage());
  await page.getByRole("button", { name: "Start the test" }).click();
  await page.getByText("Type the API key, or paste a token below.").waitFor();
  await page.getByLabel("Or a token").fill("eyJ");
  await page.getByRole("button", { name: "Start the test" }).press("Enter");
  await page.getByText("This is not a whole token.").waitFor();
  expect(await page.getByLabel("Or a token").inputValue()).toBe("eyJ");
});

test("a server that this browser cannot reach is said to be so, with what its address would show", async () => {
  await using person = await openPage({ flags: callFlags(domain, await closedPort()) });
  const { page } = person;
  await person.signIn(email);
  await person.visit(await testPage());
  person.expectProblem("net::ERR_CONNECTION_REFUSED");
  await start(page, callKey, callSecret);
  await page.getByRole("alert").getByText("cannot reach media.example.com").waitFor();
  await page.getByText("The server was not reached").waitFor();
  expect(await page.getByText("Not tried").count()).toBe(2);
});

/** Makes a link in the console; answers it as it is shown. */
async function makeLink(page: Page, key: string, secret: string): Promise<string> {
  await page.getByLabel("API key").fill(key);
  await page.getByLabel("API secret").fill(secret);
  await page.getByLabel("Which network it is for").fill("The bank");
  await page.getByRole("button", { name: "Make a link" }).press("Enter");
  const shown = page.getByText(/\/connection-test\/[\w-]{22}#eyJ/);
  await shown.waitFor();
  return (await shown.textContent()) ?? "";
}

test("a link works in a browser that never saw the site; its token is in no request to us, and the result is in the console", async () => {
  await steerServer(domain, "livekit");
  await using server = await startRefusingServer();
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  await person.signIn(email);
  const address = await testPage();
  await person.visit(address);
  const link = await makeLink(person.page, callKey, "x".repeat(44));
  const [path = "", token = ""] = new URL(link).href.replace(new URL(link).origin, "").split("#");

  await using stranger = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = stranger;
  const sent: string[] = [];
  page.on("request", async (request) => {
    const headers = await request.allHeaders().catch(() => request.headers());
    sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(headers)}`);
  });
  stranger.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  stranger.expectProblem("Failed to load resource");
  await stranger.visit(`${path}#${token}`);
  await expect.poll(() => page.evaluate(() => location.href)).not.toContain("#");
  await page.getByRole("button", { name: "Start the test" }).press("Enter");
  await page.getByRole("alert").getByText("signed with a wrong API secret").waitFor();
  await page.getByText("Ask for a new link.").waitFor();
  await page.getByText("The result was sent to whoever gave you the link.").waitFor();
  const ours = sent.filter((request) => !request.startsWith(`https://${domain}/`));
  expect(ours.length).toBeGreaterThan(3);
  expect(ours.filter((request) => request.includes(token.slice(0, 40)))).toEqual([]);
  const stored = await page.evaluate(async () =>
    JSON.stringify([
      { ...localStorage },
      { ...sessionStorage },
      document.cookie,
      location.href,
      history.state,
      await indexedDB.databases(),
      await caches.keys(),
    ]),
  );
  expect(stored).not.toContain(token.slice(0, 40));
  expect(await page.context().cookies()).toEqual([]);
  expect(await faultsOfPage(page)).toEqual([]);

  await person.visit(address);
  await person.page.getByText("The bank · Chrome").waitFor();
  await person.page.getByText("This test's token was signed with a wrong API secret.").waitFor();
  expect(await faultsOfPage(person.page)).toEqual([]);
});

test("a link without its second half, or loaded again, says so and starts nothing", async () => {
  await steerServer(domain, "livekit");
  await signedIn(email);
  const id = await storeDeployment(email, fullOptions());
  const secret = newSecret();
  await storeTestLink(id, secret);
  await using stranger = await openPage();
  await stranger.visit(`/connection-test/${secret}`);
  await stranger.page.getByRole("alert").getByText("The link is not whole").waitFor();
  expect(await stranger.page.getByRole("button", { name: "Start the test" }).count()).toBe(0);
});

test("a tester whose network alone is the fault reads so: our site reaches the server", async () => {
  await steerServer(domain, "livekit");
  await signedIn(email);
  const id = await storeDeployment(email, fullOptions());
  const secret = newSecret();
  await storeTestLink(id, secret);
  await using stranger = await openPage({ flags: callFlags(domain, await closedPort()) });
  stranger.expectProblem("net::ERR_CONNECTION_REFUSED");
  await stranger.visit(`/connection-test/${secret}#a.b.c`);
  await stranger.page.getByRole("button", { name: "Start the test" }).click();
  await stranger.page
    .getByRole("alert")
    .getByText(`This network does not let anybody reach ${domain}. Our site reaches it.`)
    .waitFor();
  await stranger.page.getByText("Ask whoever runs this network to allow").waitFor();
});

test("without JavaScript both pages say what the test needs, and a link can be ended", async () => {
  await steerServer(domain, "livekit");
  await using person = await openPage({ javaScript: false });
  await person.signIn(email);
  const id = await storeDeployment(email, fullOptions());
  const secret = newSecret();
  await storeTestLink(id, secret);
  await person.visit(`/connection-test/${secret}`);
  await person.page.getByText("that needs JavaScript").waitFor();
  await person.page.getByRole("button", { name: "Start the test" }).waitFor({ state: "hidden" });
  await person.visit(`/dashboard/deployments/${id}/connection-test`);
  await person.page.getByText("that needs JavaScript").waitFor();
  await person.page.getByText("End the link for An office").click();
  await person.page.getByRole("button", { name: "End now" }).click();
  await person.page.getByText("The link has ended. What was found by it stays.").waitFor();
});
