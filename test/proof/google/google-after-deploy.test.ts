import type { Page } from "playwright-core";
import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import {
  gmailAddress,
  openGmailTab,
  press,
  sentMessages,
  succeeded,
  typeMail,
} from "../../support/google/gmail.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";

beforeEach(resetFakes);

/** From now on the scripts of the page's version that it has not loaded yet are gone. */
async function deploy(page: Page, scripts = "**/assets/**"): Promise<void> {
  await page.route(scripts, (route) => route.fulfill({ status: 404, body: "Not found" }));
  await page.route("**/__manifest?*", (route) =>
    route.fulfill({ status: 204, headers: { "x-remix-reload-document": "true" } }),
  );
}

const mail = { subject: "Typed before", body: "The site was deployed in between." };

test("what was typed into a tool before a deploy is sent after it, from the page that was open", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  await typeMail(page, mail);
  await deploy(page);
  await press(page, "Send email");
  await succeeded(page);
  expect(await sentMessages()).toMatchObject([{ subject: "Typed before" }]);
  await press(page, "Disconnect");
  await page.getByRole("button", { name: "Connect Google" }).waitFor();
});

test("who came to the tools by a link within the site sends after a deploy too", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  await person.visit("/contact");
  // The page's function that makes calls has a script of its own.
  const action = page.waitForResponse(
    async (response) =>
      response.url().includes("/assets/google-services-") &&
      (await response.text()).includes("as clientAction"),
  );
  await page.getByRole("contentinfo").getByRole("link", { name: "Google services" }).click();
  await action;
  await page.getByRole("link", { name: "Gmail Integration" }).click();
  await page.getByText("Connected as").waitFor();
  await typeMail(page, mail);
  await deploy(page);
  await press(page, "Send email");
  await succeeded(page);
  expect(await sentMessages()).toMatchObject([{ subject: "Typed before" }]);
});

test("a tool whose script is gone says in its dialog to reload the page, and what was typed is kept", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  await typeMail(page, mail);
  person.expectProblem("404 GET /assets/connected-tool.client-");
  await deploy(page, "**/assets/connected-tool.client-*.js");
  await person.visit(gmailAddress("send"));
  const dialog = page.getByRole("dialog", { name: "Gmail Integration" });
  await dialog.getByRole("alert").getByText("Reload the page. What you typed is kept.").waitFor();
  await page.unrouteAll();
  await page.reload();
  await page.getByText("Connected as").waitFor();
  expect(await dialog.getByLabel("Body").inputValue()).toBe("The site was deployed in between.");
});
