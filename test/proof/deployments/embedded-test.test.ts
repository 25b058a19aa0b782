// The connection test in a frame of another site's page, in a real browser.
import { once } from "node:events";
import { createServer } from "node:http";
import type { AddressInfo } from "node:net";
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
import { storeTestEmbed } from "../../support/deployments/test-links.ts";
import { testToken } from "../../support/deployments/test-token.ts";
import { resetFakes, steerServer } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { signedIn } from "../../support/site/visitor.ts";

const email = "customer.one@example.com";
const domain = "media.example.com";

beforeEach(async () => {
  await resetFakes();
  await steerServer(domain, "livekit");
});

/** A page of a customer's at an origin of its own, with this line in it. */
async function customersPage() {
  let line = "";
  const server = createServer((_, response) => {
    const page = `<!doctype html><html lang="en"><title>Help</title><main><h1>Help</h1>${line}</main>`;
    response.writeHead(200, { "content-type": "text/html" }).end(page);
  }).listen(0, "localhost");
  await once(server, "listening");
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    show(more: string) {
      line = more;
    },
    async [Symbol.asyncDispose]() {
      server.close();
      server.closeAllConnections();
      await once(server, "close");
    },
  };
}

const frameOf = (embed: string, token: string) =>
  `<iframe src="${siteUrl}/connection-test/embed/${embed}#${token}&amp;reference=ticket-1"
    title="Connection test" width="100%" height="720"></iframe>`;

test("a customer's page frames the test: it runs there without a cookie, and the result is in the console", async () => {
  await signedIn(email);
  const id = await storeDeployment(email, fullOptions());
  await using help = await customersPage();
  const embed = await storeTestEmbed(id, [help.origin]);
  const token = testToken(callKey, "x".repeat(44));
  help.show(frameOf(embed, token));
  await using server = await startRefusingServer();
  await using reader = await openPage({ flags: callFlags(domain, server.port) });
  const { page } = reader;
  reader.expectProblem("WebSocket connection to 'wss://media.example.com/rtc");
  reader.expectProblem("Failed to load resource");
  const sent: string[] = [];
  page.on("request", (request) => sent.push(`${request.url()} ${request.postData() ?? ""}`));
  await page.goto(help.origin);
  const frame = page.frameLocator("iframe");
  await frame.getByText("Whoever runs this page then sees").waitFor();
  await expect
    .poll(() => page.frames().map((each) => each.url()))
    .toContain(`${siteUrl}/connection-test/embed/${embed}`);
  await frame.getByRole("button", { name: "Start the test" }).press("Enter");
  await frame.getByRole("alert").getByText("signed with a wrong API secret").waitFor();
  await frame.getByText("The result was sent to whoever runs this page.").waitFor();
  expect(await page.context().cookies()).toEqual([]);
  const ours = sent.filter((request) => request.startsWith(siteUrl));
  expect(ours.some((request) => request.includes("reference=ticket-1"))).toBe(true);
  expect(ours.filter((request) => request.includes(token.slice(0, 40)))).toEqual([]);
  expect(await faultsOfPage(page)).toEqual([]);

  // A page that frames it for another user, or again, gives it another token by the same address.
  const second = testToken(callKey, callSecret);
  await page.evaluate(
    ([address = ""]) => document.querySelector("iframe")?.setAttribute("src", address),
    [`${siteUrl}/connection-test/embed/${embed}#${second}`],
  );
  await frame.getByRole("button", { name: /Start the test|Test again/ }).press("Enter");
  await frame.getByRole("alert").getByText("is not a LiveKit server that takes calls").waitFor();
});

test("another site's page cannot frame it", async () => {
  await signedIn(email);
  const id = await storeDeployment(email, fullOptions());
  await using help = await customersPage();
  const embed = await storeTestEmbed(id, ["https://help.example.com"]);
  help.show(frameOf(embed, "a.b.c"));
  await using reader = await openPage();
  reader.expectProblem("frame-ancestors");
  reader.expectProblem("net::ERR_BLOCKED_BY_RESPONSE");
  await reader.page.goto(help.origin);
  await expect
    .poll(() => reader.page.frames().map((each) => each.url()))
    .toContain("chrome-error://chromewebdata/");
});
