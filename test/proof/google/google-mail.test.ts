import { beforeEach, expect, test } from "vitest";
import { openPage } from "../../support/browser/browser.ts";
import {
  allowAtGoogle,
  gmailAddress,
  gmailCalls,
  openGmailTab,
  press,
  sentMessages,
  succeeded,
  typeMail,
} from "../../support/google/gmail.ts";
import { callTool, mailArrives } from "../../support/google/google-account.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import { steerGoogle } from "../../support/google/google-tools.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";

beforeEach(resetFakes);

test("a mail that leaves while its dialog is closed is not filled in again", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  const dialog = page.getByRole("dialog", { name: "Gmail Integration" });
  await typeMail(page, { subject: "Once", body: "Only one of these." });
  const closed = Promise.withResolvers<void>();
  await page.route("**/google-services/call/**", async (route) => {
    await closed.promise;
    await route.continue();
  });
  await press(page, "Send email");
  await dialog.getByRole("button", { name: "Processing..." }).waitFor();
  await page.keyboard.press("Escape");
  await dialog.waitFor({ state: "detached" });
  closed.resolve();
  await page.waitForFunction(
    () => !Object.keys(sessionStorage).some((key) => key.startsWith("google-tool ")),
  );
  await person.visit(gmailAddress("send"));
  for (const label of ["To", "Subject", "Body"]) {
    expect(await dialog.getByLabel(label, { exact: true }).inputValue()).toBe("");
  }
  expect(await sentMessages()).toMatchObject([{ subject: "Once" }]);
});

test("a connection that ends in the middle of a form is renewed, and the message leaves once", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  await typeMail(page, { subject: "Hello", body: "Typed before" });
  await steerGoogle("tokens", { expire: true });
  person.expectProblem(`401 POST ${gmailCalls("send")}`);
  await press(page, "Send email");
  await page.getByRole("alert").getByText("Google no longer accepts the connection.").waitFor();
  expect(await page.getByRole("alert").getByRole("link").count()).toBe(0);
  await press(page, "Connect Google");
  await allowAtGoogle(person, "send");
  expect(await page.getByLabel("Subject").inputValue()).toBe("Hello");
  expect(await page.getByLabel("Body").inputValue()).toBe("Typed before");
  await steerGoogle("requests/clear");
  await press(page, "Send email");
  await succeeded(page);
  expect(await sentMessages()).toMatchObject([{ subject: "Hello" }]);
});

test("a user who has disconnected is not shown as connected, even where that cannot be read again", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  person.expectProblem("net::ERR_INTERNET_DISCONNECTED");
  await page.route(/\/google-services\/connection\.data/, (route) =>
    route.request().method() === "GET" ? route.abort("internetdisconnected") : route.continue(),
  );
  const disconnected = page.waitForEvent("requestfailed");
  await press(page, "Disconnect");
  await disconnected;
  await page.getByRole("button", { name: "Connect Google" }).waitFor();
  expect(await page.getByText("Connected as").count()).toBe(0);
  expect(await page.getByRole("button", { name: "Send email" }).isDisabled()).toBe(true);
});

test("a user who cancels at Google reads that nothing was connected, and can go on", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await person.visit(gmailAddress("list"));
  await press(page, "Connect Google");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("alert").getByText("Nothing was connected: you cancelled").waitFor();
  await press(page, "Connect Google");
  await allowAtGoogle(person, "list");
});

test("sent mail is listed, each message with a way to it", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await openGmailTab(person, "list");
  const letter = { to: "Zoë <zoe@example.com>", body: "Hello" };
  for (const subject of ["First", "Second"]) {
    await callTool(visitor, "gmail/send", { ...letter, subject });
  }
  await page.getByLabel("Max results").fill("500");
  person.expectProblem(`400 POST ${gmailCalls("list")}`);
  await press(page, "List sent");
  await page.getByText("Error: Type a number from 1 to").waitFor();
  await page.getByLabel("Max results").fill("1");
  await press(page, "List sent");
  await succeeded(page);
  const list = page.getByRole("list", { name: "Sent messages" });
  await expect.poll(() => list.getByRole("link").allInnerTexts()).toEqual(["Second"]);
  await list.getByText("To Zoë <zoe@example.com>").waitFor();
});

test("a received message is picked and answered, and still shown after a visit to Google", async () => {
  await mailArrives(`From: Zoë <zoe@example.com>
To: ${googleEmail}
Subject: Lunch
Message-ID: <lunch@example.com>

Are you coming?`);
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "respond");
  await steerGoogle("faults", {
    kind: "serverError",
    match: "/gmail/v1/users/me/messages",
    times: 1,
  });
  person.expectProblem(`503 POST ${gmailCalls("respond")}`);
  await press(page, "Show received messages");
  await page.getByRole("alert").getByText("Error: Google is not answering").waitFor();
  await press(page, "Show received messages");
  await page.getByRole("radio", { name: "Lunch" }).check();
  await page.getByLabel("Your answer").fill("Yes!");
  await steerGoogle("tokens", { expire: true });
  person.expectProblem(`401 POST ${gmailCalls("respond")}`);
  await press(page, "Respond");
  await page.getByRole("alert").getByText("Google no longer accepts the connection.").waitFor();
  await press(page, "Connect Google");
  await allowAtGoogle(person, "respond");
  const chosen = page.getByRole("radio", { name: "Lunch From Zoë <zoe@example.com>" });
  expect(await chosen.isChecked()).toBe(true);
  await press(page, "Show received messages");
  await page.getByRole("button", { name: "Show received messages" }).waitFor();
  expect(await chosen.isChecked()).toBe(true);
  await press(page, "Respond");
  await succeeded(page);
  const [reply] = await sentMessages();
  expect(reply).toMatchObject({ subject: "Re: Lunch", inReplyTo: "<lunch@example.com>" });
  expect(await page.getByLabel("Your answer").inputValue()).toBe("");
  await page.reload();
  await page.getByText("Connected as").waitFor();
  expect(await page.getByLabel("Your answer").inputValue()).toBe("");
  expect(await page.getByRole("radio").count()).toBe(0);
});

test("whose session is over is led to sign in, not shown a demo that pretends", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().addCookies([{ name: "signed-in", value: "1", url: siteUrl }]);
  person.expectProblem("401 GET /google-services/connection.data");
  await person.visit(gmailAddress("send"));
  await page.getByRole("alert").getByText("Sign in to continue.").waitFor();
  const link = page.getByRole("alert").getByRole("link", { name: "Sign in" });
  expect(await link.getAttribute("href")).toBe(
    `/signin?${new URLSearchParams({ next: gmailAddress("send") })}`,
  );
});

test("whose session ends while they type is led to sign in, and finds what was typed", async () => {
  await using person = await openPage();
  const { page } = person;
  await openGmailTab(person, "send");
  await page.getByLabel("Subject").fill("Typed before");
  await page.context().clearCookies();
  person.expectProblem(`401 POST ${gmailCalls("send")}`);
  await press(page, "Send email");
  const alert = page.getByRole("alert").filter({ hasText: "Error: Sign in to continue." });
  await alert.getByRole("link", { name: "Sign in" }).waitFor();
  expect(await page.getByLabel("Subject").inputValue()).toBe("Typed before");
});
