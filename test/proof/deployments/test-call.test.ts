import { once } from "node:events";
import type { AddressInfo } from "node:net";
import { createServer } from "node:net";
import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { faultsOfPage } from "../../support/browser/axe.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import {
  callFlags,
  callKey,
  callSecret,
  startRefusingServer,
} from "../../support/deployments/call-server.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(resetFakes);

async function callPage(): Promise<string> {
  return `/dashboard/deployments/${await storeDeployment(email, fullOptions())}/call`;
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

test("the test call says when the server does not know the key, and when the secret is another key's", async () => {
  await using server = await startRefusingServer();
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  await person.signIn(email);
  await person.visit(await callPage());
  person.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  person.expectProblem("Failed to load resource");
  await start(page, "APIofAnotherServer", callSecret);
  await page.getByRole("alert").getByText("Your server does not know this API key.").waitFor();
  await page.getByText("sudo livekit-deploy credentials").last().waitFor();
  expect(await page.getByLabel("API key").inputValue()).toBe("APIofAnotherServer");

  await start(page, callKey, "x".repeat(44));
  await page.getByText("The API secret does not belong to this API key.").waitFor();
  await start(page, callKey, callSecret);
  await page.getByText("What answers at media.example.com is not a LiveKit server").waitFor();
  await page.getByRole("status").getByText("The call did not start.").waitFor();
});

test("a server that cannot be reached gets a list of causes, and a link that shows which it is", async () => {
  await using person = await openPage({ flags: callFlags(domain, await closedPort()) });
  const { page } = person;
  await person.signIn(email);
  await person.visit(await callPage());
  person.expectProblem("net::ERR_CONNECTION_REFUSED");
  await start(page, callKey, callSecret);
  const alert = page.getByRole("alert");
  await alert.getByText("Your browser cannot reach media.example.com.").waitFor();
  for (const cause of ["A record", "certificate", "port 443", "sudo livekit-deploy doctor"])
    await alert.getByText(cause).first().waitFor();
  const link = alert.getByRole("link", { name: "Open https://media.example.com in a new tab" });
  expect(await link.getAttribute("href")).toBe("https://media.example.com");
  expect(await faultsOfPage(page)).toEqual([]);
});

test("a failed test call leads to a question about its deployment, and what was typed stays", async () => {
  await using person = await openPage({ flags: callFlags(domain, await closedPort()) });
  const { page } = person;
  await person.signIn(email);
  await person.visit(await callPage());
  person.expectProblem("net::ERR_CONNECTION_REFUSED");
  await start(page, callKey, callSecret);
  const opened = page.context().waitForEvent("page");
  await page.getByRole("alert").getByRole("link", { name: "Ask us in a new tab" }).click();
  const chosen = (await opened).getByLabel("About a deployment").locator("option:checked");
  expect(await renderedText(chosen)).toContain("Production");
  expect(await page.getByLabel("API secret").inputValue()).toBe(callSecret);
});

test("key and secret reach neither this site nor anything that the browser keeps", async () => {
  await using server = await startRefusingServer();
  await using person = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = person;
  const sent: string[] = [];
  page.on("request", async (request) => {
    const headers = await request.allHeaders().catch(() => request.headers());
    sent.push(`${request.url()} ${request.postData() ?? ""} ${JSON.stringify(headers)}`);
  });
  await person.signIn(email);
  await person.visit(await callPage());
  person.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  person.expectProblem("Failed to load resource");
  const secret = `secret${"S".repeat(38)}`;
  await start(page, callKey, secret);
  await page.getByText("The API secret does not belong to this API key.").waitFor();
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
  const ours = sent.filter((request) => !request.startsWith(`https://${domain}/`));
  expect(ours.length).toBeGreaterThan(3);
  expect([...sent, stored].filter((text) => text.includes(secret))).toEqual([]);
  expect([...ours, stored].filter((text) => text.includes(callKey))).toEqual([]);
  expect([...ours, stored].filter((text) => /eyJhbGciOiJIUzI1NiIs/.test(text))).toEqual([]);
});

test("what joins a call is loaded with the first press only", async () => {
  await using person = await openPage({ flags: callFlags(domain, await closedPort()) });
  const { page } = person;
  await person.signIn(email);
  const loaded: string[] = [];
  page.on("response", async (response) => {
    if (!response.url().endsWith(".js")) return;
    const text = await response.text().catch(() => "");
    if (text.includes("could not establish pc connection")) loaded.push(response.url());
  });
  await person.visit(await callPage());
  await page.waitForLoadState("networkidle");
  expect(loaded).toEqual([]);
  person.expectProblem("net::ERR_CONNECTION_REFUSED");
  await start(page, callKey, callSecret);
  await page.getByRole("alert").waitFor();
  await expect.poll(() => loaded.length).toBe(1);
});

test("who comes back to the test call within the document of another page gets one of its own", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn(email);
  const address = await callPage();
  await person.visit(address);
  await page.getByRole("link", { name: "Overview" }).click();
  await person.arrive("/dashboard");
  await page.reload();
  await person.arrive("/dashboard");
  await page.goBack();
  const loaded = () =>
    page.evaluate(
      () => new URL(performance.getEntriesByType("navigation")[0]?.name ?? "").pathname,
    );
  await expect.poll(() => loaded().catch(() => "on its way")).toBe(address);
});

test("without JavaScript the test call says what it needs", async () => {
  await using person = await openPage({ javaScript: false });
  await person.signIn(email);
  await person.visit(await callPage());
  await person.page.getByText("that needs JavaScript").waitFor();
  await person.page
    .getByRole("button", { name: "Start the test call" })
    .waitFor({ state: "hidden" });
});

test.each(["", "?listen"])("axe finds nothing at the test call%s, and it fits", async (query) => {
  await using person = await openPage({ theme: "light", reducedMotion: true });
  await person.signIn(email);
  await person.visit((await callPage()) + query);
  expect(await faultsOfPage(person.page)).toEqual([]);
});
