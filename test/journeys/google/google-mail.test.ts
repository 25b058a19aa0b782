import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import {
  allowAtGoogle,
  gmailAddress,
  noViolations,
  press,
  sentMessages,
  succeeded,
  typeMail,
} from "../../support/google/gmail.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

test("permissions are explained before Google asks, and what was typed is still there afterwards", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  await person.signIn();
  await person.visit(gmailAddress("send"));
  const dialog = page.getByRole("dialog", { name: "Gmail Integration" });
  await dialog.getByText("gmail.send", { exact: true }).waitFor();
  await dialog
    .getByText("Send mail in your name: to send, to answer, and for a mail merge.")
    .waitFor();
  await dialog.getByText("gmail.metadata", { exact: true }).waitFor();
  expect(await dialog.getByText("This is a demo").count()).toBe(0);
  expect(await dialog.getByRole("button", { name: "Send email" }).isDisabled()).toBe(true);
  await noViolations(page);

  await typeMail(page, { subject: "Grüße", body: "Hello,\nyou" });
  await press(page, "Connect Google");
  await page.getByText("https://www.googleapis.com/auth/gmail.send").waitFor();
  await allowAtGoogle(person, "send");
  expect(await dialog.getByLabel("To", { exact: true }).inputValue()).toBe("zoe@example.com");
  expect(await dialog.getByLabel("Body").inputValue()).toBe("Hello,\nyou");
  await press(page, "Send email");
  await succeeded(page);
  const link = dialog.getByRole("link", { name: "Open it in Gmail" });
  expect(await link.getAttribute("href")).toMatch(/^https:\/\/mail\.google\.com\//);
  expect(await sentMessages()).toMatchObject([
    { subject: "Grüße", to: [{ address: "zoe@example.com" }] },
  ]);

  await press(page, "Disconnect");
  await dialog.getByRole("button", { name: "Connect Google" }).waitFor();
  const cookies = await page.context().cookies(`${siteUrl}/google-services`);
  expect(cookies.map(({ name }) => name)).not.toContain("google-connection");
});
