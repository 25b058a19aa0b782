import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { beforeEach, expect, test } from "vitest";
import { type OpenPage, openPage } from "../fixtures/browser.ts";
import { callTool, connectGoogle, mailArrives } from "../fixtures/google-account.ts";
import { googleEmail } from "../fixtures/google-stand-in.ts";
import { askedOfGoogle, steerGoogle } from "../fixtures/google-tools.ts";
import { siteUrl } from "../fixtures/own-site.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import type { Visitor } from "../fixtures/visitor.ts";

const address = (tab: string) => `/google-services?tool=gmail&tab=${tab}`;
const calls = (tab: string) => `/google-services/call/gmail/${tab}`;

beforeEach(resetStandIns);

/** Signed in and connected, on a tab of the Gmail tool. */
async function openTab(person: OpenPage, tab: string): Promise<Visitor> {
  const visitor = await person.signIn();
  await connectGoogle(visitor, { tool: "gmail", tab });
  await person.page.context().addCookies([
    {
      name: "google-connection",
      value: visitor.cookies.get("google-connection") ?? "",
      domain: new URL(siteUrl).hostname,
      path: "/google-services",
    },
  ]);
  await person.visit(address(tab));
  await person.page.getByText("Connected as").waitFor();
  return visitor;
}

async function allowAtGoogle(person: OpenPage, tab: string) {
  await person.page.getByRole("button", { name: googleEmail }).click();
  await person.page.waitForURL(siteUrl + address(tab));
  await person.page.getByText("Connected as").waitFor();
}

const press = (page: Page, name: string) => page.getByRole("button", { name, exact: true }).click();

const succeeded = (page: Page) => page.getByText("Operation completed successfully!").waitFor();

/** Whoever works by keyboard goes on there. */
const focused = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.getByRole("button", { name }).evaluate((button) => button === document.activeElement),
    )
    .toBe(true);

/** The messages that left through Gmail, parsed. */
async function sentMessages() {
  const requests = await askedOfGoogle();
  const sent = requests.filter(({ path }) => path.endsWith("/messages/send"));
  return Promise.all(
    sent.map(({ body }) => {
      const { raw } = body as { raw: string };
      return PostalMime.parse(Buffer.from(raw, "base64url").toString());
    }),
  );
}

async function noViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}

test("permissions are explained before Google asks, and what was typed is still there afterwards", async () => {
  await using person = await openPage({ theme: "dark" });
  const { page } = person;
  await person.signIn();
  await person.visit(address("send"));
  const dialog = page.getByRole("dialog", { name: "Gmail Integration" });
  await dialog.getByText("gmail.send", { exact: true }).waitFor();
  await dialog
    .getByText("Send mail in your name: to send, to answer, and for a mail merge.")
    .waitFor();
  await dialog.getByText("gmail.metadata", { exact: true }).waitFor();
  expect(await dialog.getByText("This is a demo").count()).toBe(0);
  expect(await dialog.getByRole("button", { name: "Send email" }).isDisabled()).toBe(true);
  await noViolations(page);

  await dialog.getByLabel("To", { exact: true }).fill("zoe@example.com");
  await dialog.getByLabel("Subject").fill("Grüße");
  await dialog.getByLabel("Body").fill("Hello,\nyou");
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

test("a connection that ends in the middle of a form is renewed, and the message leaves once", async () => {
  await using person = await openPage();
  const { page } = person;
  await openTab(person, "send");
  await page.getByLabel("To", { exact: true }).fill("zoe@example.com");
  await page.getByLabel("Subject").fill("Hello");
  await page.getByLabel("Body").fill("Typed before");
  await steerGoogle("tokens", { expire: true });
  person.expectProblem(`401 POST ${calls("send")}`);
  await press(page, "Send email");
  await page.getByRole("alert").getByText("Google no longer accepts the connection.").waitFor();
  await press(page, "Connect Google");
  await allowAtGoogle(person, "send");
  expect(await page.getByLabel("Subject").inputValue()).toBe("Hello");
  expect(await page.getByLabel("Body").inputValue()).toBe("Typed before");
  await steerGoogle("requests/clear");
  await press(page, "Send email");
  await succeeded(page);
  expect(await sentMessages()).toMatchObject([{ subject: "Hello" }]);
});

test("whoever cancels at Google reads that nothing was connected, and can go on", async () => {
  await using person = await openPage();
  const { page } = person;
  await person.signIn();
  await person.visit(address("list"));
  await press(page, "Connect Google");
  await page.getByRole("link", { name: "Cancel" }).click();
  await page.getByRole("alert").getByText("Nothing was connected: you cancelled").waitFor();
  await press(page, "Connect Google");
  await allowAtGoogle(person, "list");
});

test("sent mail is listed, each message with a way to it", async () => {
  await using person = await openPage();
  const { page } = person;
  const visitor = await openTab(person, "list");
  const letter = { to: "Zoë <zoe@example.com>", body: "Hello" };
  for (const subject of ["First", "Second"]) {
    await callTool(visitor, "gmail/send", { ...letter, subject });
  }
  await page.getByLabel("Max results").fill("500");
  person.expectProblem(`400 POST ${calls("list")}`);
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
  await openTab(person, "respond");
  await steerGoogle("faults", {
    kind: "serverError",
    match: "/gmail/v1/users/me/messages",
    times: 1,
  });
  person.expectProblem(`503 POST ${calls("respond")}`);
  await press(page, "Show received messages");
  await page.getByRole("alert").getByText("Error: Google is not answering").waitFor();
  await press(page, "Show received messages");
  await page.getByRole("radio", { name: "Lunch" }).check();
  await page.getByLabel("Your answer").fill("Yes!");
  await steerGoogle("tokens", { expire: true });
  person.expectProblem(`401 POST ${calls("respond")}`);
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
});

test("200 messages, stopped and interrupted in every way, reach everybody once", async () => {
  await using person = await openPage({ viewport: { width: 320, height: 720 } });
  const { page } = person;
  await page.clock.install();
  await openTab(person, "merge");
  const people = Array.from(
    { length: 200 },
    (_, at) => `"Doe, ${at}",p${at}@example.com,Acme ${at}`,
  );
  const table = ["name,email,company", ...people, "Nobody,,Acme", 'Twice,P0@example.com,"Acme"'];
  await page.getByLabel("Or a CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from(table.join("\r\n")),
  });
  await page.getByLabel("To", { exact: true }).fill("{{name}} <{{email}}>");
  await page.getByLabel("Subject").fill("For {{firm}}");
  await page.getByLabel("Body").fill("Dear {{name}}");
  await page.getByText("The table has no column for {{firm}}.").waitFor();
  await page.getByLabel("Subject").fill("For {{company}}");
  await page.getByText("Row 201: No value for {{email}}.").waitFor();
  await page.getByText("Row 202: Row 1 has the same address.").waitFor();
  const preview = page.getByRole("region", { name: "Preview" });
  await preview.getByText("Message 1 of 200").waitFor();
  await press(page, "Next");
  await preview.getByText("Doe, 1 <p1@example.com>").waitFor();
  await preview.getByText("For Acme 1").waitFor();
  await noViolations(page);

  const way = await watchMerge(page);
  const sent = (count: number) =>
    page.getByText(`${count} of 200 sent`).waitFor({ timeout: 120_000 });
  const resume = async () => {
    await person.visit(address("merge"));
    await press(page, "Resume");
  };
  way.interruptAt(40, "after it left");
  await press(page, "Start mail merge");
  await way.interrupted();
  await sent(39);
  await resume();
  await page.clock.fastForward(31_000);
  const lost = way.answered(503);
  await steerGoogle("faults", {
    kind: "lostAnswer",
    match: "/gmail/v1/users/me/messages/send",
    times: 1,
  });
  person.expectProblem(`503 POST ${calls("merge")}`);
  await lost;
  await page.clock.fastForward(31_000);
  way.interruptAt(120, "not at all");
  await way.interrupted();
  await press(page, "Stop");
  await page.getByRole("button", { name: "Resume" }).waitFor();
  way.interruptAt(140, "before it left");
  await press(page, "Resume");
  await way.interrupted();
  await sent(139);
  await resume();
  await page.clock.fastForward(31_000);
  await sent(200);
  await succeeded(page);
  await noViolations(page);

  const receivers = (await sentMessages()).map(({ to }) => to?.[0]?.address);
  expect(receivers).toHaveLength(200);
  expect(new Set(receivers).size).toBe(200);
  await press(page, "Start another");
  expect(await page.getByLabel("Table").inputValue()).toBe("");
}, 300_000);

test("a mail merge that was given up comes back without whoever got it, or may have", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.clock.install();
  await openTab(person, "merge");
  await page.getByLabel("Or a CSV file").setInputFiles({
    name: "people.csv",
    mimeType: "text/csv",
    buffer: Buffer.from("name\nMüller", "latin1"),
  });
  await page.getByRole("alert").getByText("The file is not UTF-8.").waitFor();
  await page
    .getByLabel("Table")
    .fill(
      "name,email\nA,a@example.com\nB,b@example.com\nC,c@example.com\nD,d@example.com\nE,A@example.com",
    );
  await page.getByLabel("Subject").fill("Hello");
  await page.getByLabel("Body").fill("Dear {{name}}");
  const way = await watchMerge(page);
  way.interruptAt(2, "before it left");
  await press(page, "Start mail merge");
  await way.interrupted();
  await focused(page, "Stop");
  await person.visit(address("merge"));
  await page.getByText("1 of 4 sent").waitFor();
  way.findNothing();
  await press(page, "Resume");
  await page.clock.fastForward(31_000);
  await page.getByRole("alert").getByText("Whether the message of row 2 left").waitFor();
  await focused(page, "Resume");
  way.interruptAt(3, "before it left");
  await press(page, "It left");
  await way.interrupted();
  await focused(page, "Stop");
  await person.visit(address("merge"));
  await page.getByText("2 of 4 sent").waitFor();
  await press(page, "Give up the rest");
  await page.getByText("c@example.com may have got the message or not").waitFor();
  expect(await page.getByLabel("Table").inputValue()).toBe("name,email\nD,d@example.com");
  expect(await page.getByLabel("Subject").inputValue()).toBe("Hello");
  await page.getByRole("region", { name: "Preview" }).getByText("Message 1 of 1").waitFor();
});

/** Interrupts a mail merge at chosen requests, and tells when. */
async function watchMerge(page: Page) {
  let sends = 0;
  let findsNothing = false;
  let plan: { at: number; how: "before it left" | "after it left" | "not at all" } | undefined;
  let happened = Promise.withResolvers<void>();
  const answers = new Map<number, PromiseWithResolvers<void>>();
  page.on("response", (response) => answers.get(response.status())?.resolve());
  await page.route(`**${calls("merge")}`, async (route) => {
    const isSend = !new URLSearchParams(route.request().postData() ?? "").has("step");
    if (isSend) sends++;
    else if (findsNothing) {
      const result = { sent: false, sure: false };
      return route.fulfill({ json: { ok: true, message: "", result } });
    }
    if (!isSend || !plan || sends < plan.at) return route.continue();
    const { how } = plan;
    plan = undefined;
    if (how === "after it left") await route.fetch();
    happened.resolve();
    // Otherwise the page waits for this answer until it is left.
    if (how === "not at all") await route.continue();
  });
  return {
    interruptAt(at: number, how: "before it left" | "after it left" | "not at all") {
      happened = Promise.withResolvers();
      plan = { at, how };
    },
    interrupted: () => happened.promise,
    /** From now on it answers as behind too much other mail. */
    findNothing() {
      findsNothing = true;
    },
    answered(status: number) {
      const answer = answers.get(status) ?? Promise.withResolvers<void>();
      answers.set(status, answer);
      return answer.promise;
    },
  };
}

test("whose session is over is led to sign in, not shown a demo that pretends", async () => {
  await using person = await openPage();
  const { page } = person;
  await page.context().addCookies([{ name: "signed-in", value: "1", url: siteUrl }]);
  person.expectProblem("401 GET /google-services/connection");
  await person.visit(address("send"));
  await page.getByRole("alert").getByText("Sign in to continue.").waitFor();
  const link = page.getByRole("alert").getByRole("link", { name: "Sign in" });
  expect(await link.getAttribute("href")).toBe(
    `/signin?${new URLSearchParams({ next: address("send") })}`,
  );
});
