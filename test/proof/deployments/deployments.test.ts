import { beforeEach, expect, test } from "vitest";
import { storePlan } from "../../support/billing/store-plan.ts";
import { openPage } from "../../support/browser/browser.ts";
import { renderedText } from "../../support/browser/page-actions.ts";
import { fullOptions, storeDeployment } from "../../support/deployments/deployments.ts";
import { unpack } from "../../support/deployments/unpack.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

const email = "customer.one@example.com";

beforeEach(resetFakes);

test("without JavaScript the machine can make the secrets instead", async () => {
  await using person = await openPage({ javaScript: false });
  const { page } = person;
  await person.signIn();
  const id = await storeDeployment(email, { ...fullOptions(), secrets: "browser" });
  await person.visit(`/dashboard/deployments/${id}`);
  await page.getByText("that needs JavaScript").waitFor();
  await page.getByRole("button", { name: "Let the machine make them instead" }).waitFor();
  expect(await renderedText(page.getByRole("region", { name: /^Content of/ }))).toContain("\n");
});

test("a download with a token that fails is said in the page, and is not asked for again by itself", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await storePlan(email, "basic");
  const id = await storeDeployment(email, fullOptions());
  const address = `/dashboard/deployments/${id}`;
  const requests: string[] = [];
  page.on("request", (request) => {
    if (new URL(request.url()).pathname === `${address}/bundle.zip`)
      requests.push(request.method());
  });
  person.expectProblem("net::ERR_FAILED");
  person.expectProblem("429 POST");
  await page.route("**/bundle.zip*", (route) => route.abort());
  await person.visit(address);
  const step = page.locator("form", {
    has: page.getByRole("button", { name: "Download the files" }),
  });
  await step.getByLabel("Connect this server to the console").waitFor();
  await page.getByRole("button", { name: "Download the files" }).click();
  await step.getByRole("alert").getByText("The site cannot be reached.").waitFor();
  expect(requests).toEqual(["POST"]);

  await page.unroute("**/bundle.zip*");
  const body = "Too many downloads in a minute.";
  const refusal = { status: 429, contentType: "text/plain; charset=utf-8", body };
  await page.route("**/bundle.zip*", (route) => route.fulfill(refusal));
  await page.getByRole("button", { name: "Download the files" }).click();
  await step.getByRole("alert").getByText(body).waitFor();
  expect(requests).toEqual(["POST", "POST"]);
  expect(new URL(page.url()).pathname).toBe(address);

  await page.unroute("**/bundle.zip*");
  const downloading = page.waitForEvent("download");
  await page.getByRole("button", { name: "Download the files" }).click();
  const files = unpack(await (await downloading).path());
  expect([...files.keys()]).toContain("enrolment-token");
  await step.getByRole("alert").waitFor({ state: "detached" });
});
