import { AxeBuilder } from "@axe-core/playwright";
import type { Page } from "playwright-core";
import PostalMime from "postal-mime";
import { expect } from "vitest";
import type { OpenPage } from "../browser/browser.ts";
import { siteUrl } from "../site/own-site.ts";
import type { Visitor } from "../site/visitor.ts";
import { connectGoogle } from "./google-account.ts";
import { googleEmail } from "./google-fake.ts";
import { googleRequestLog } from "./google-tools.ts";

export const gmailAddress = (tab: string) => `/google-services?tool=gmail&tab=${tab}`;
export const gmailCalls = (tab: string) => `/google-services/call/gmail/${tab}`;

/** Signed in and connected, on a tab of the Gmail tool. */
export async function openGmailTab(person: OpenPage, tab: string): Promise<Visitor> {
  const visitor = await person.signIn();
  await connectGoogle(visitor, { tool: "gmail", tab });
  await person.page.context().addCookies([
    {
      name: "google-connection",
      value: visitor.cookies.get("google-connection") ?? "",
      domain: new URL(siteUrl).hostname,
      path: "/",
    },
  ]);
  await person.visit(gmailAddress(tab));
  await person.page.getByText("Connected as").waitFor();
  return visitor;
}

export async function allowAtGoogle(person: OpenPage, tab: string) {
  await person.page.getByRole("button", { name: googleEmail }).click();
  await person.page.waitForURL(siteUrl + gmailAddress(tab));
  await person.page.getByText("Connected as").waitFor();
}

/** Fills in the form that sends a mail, which goes to zoe@example.com. */
export async function typeMail(page: Page, mail: { subject: string; body: string }) {
  await page.getByLabel("To", { exact: true }).fill("zoe@example.com");
  await page.getByLabel("Subject").fill(mail.subject);
  await page.getByLabel("Body").fill(mail.body);
}

export const press = (page: Page, name: string) =>
  page.getByRole("button", { name, exact: true }).click();

export const succeeded = (page: Page) =>
  page.getByText("Operation completed successfully!").waitFor();

/** Waits for the focus at this button, where a keyboard user goes on. */
export const focused = (page: Page, name: string) =>
  expect
    .poll(() =>
      page.getByRole("button", { name }).evaluate((button) => button === document.activeElement),
    )
    .toBe(true);

/** The messages that left through Gmail, parsed. */
export async function sentMessages() {
  const requests = await googleRequestLog();
  const sent = requests.filter(({ path }) => path.endsWith("/messages/send"));
  return Promise.all(
    sent.map(({ body }) => {
      const { raw } = body as { raw: string };
      return PostalMime.parse(Buffer.from(raw, "base64url").toString());
    }),
  );
}

export async function noViolations(page: Page) {
  const { violations } = await new AxeBuilder({ page }).analyze();
  expect(violations.map(({ id, nodes }) => [id, nodes.map(({ html }) => html)])).toEqual([]);
}
