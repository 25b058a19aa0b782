import { expect, test } from "vitest";
import { linkIn, mailTo } from "../../support/auth/inbox.ts";
import { openPage } from "../../support/browser/browser.ts";
import { keyboard, mouse } from "../../support/browser/page-actions.ts";
import { faults, type ProxyHandler } from "../../support/faults/fault-proxy.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { variants } from "../../support/run/variants.ts";
import { fakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const email = "ada@example.com";
const password = "four quiet servers hum";
const phone = "+1 555 0100";

const site = siteWithFaults({ SIGN_IN_SMS: "on" });

const ways = variants([
  { name: "by keyboard alone, dark", javaScript: true, theme: "dark", actions: keyboard },
  { name: "without JavaScript, light", javaScript: false, systemTheme: "light", actions: mouse },
] as const);

test.each(ways())(
  "$name: with the auth server down the form keeps the address, and works again later",
  async ({ actions, ...options }) => {
    await makeAccount();
    await using person = await openPage({ ...options, siteUrl: site().url });
    const { page } = person;
    const trySignIn = async () => {
      await actions.fill(page, "Password", password);
      await actions.press(page, "button", "Sign in");
    };
    await person.visit("/signin?next=/docs");
    site().supabaseProxy.behave(faults["cut off"]);
    person.expectProblem("503 POST /signin");
    await actions.fill(page, "E-mail address", email);
    await trySignIn();
    await page
      .getByRole("alert")
      .getByText(
        "Sign-in is not available right now. Nothing was changed, and what you typed is still here, except a password. Please try again in a moment.",
        { exact: true },
      )
      .waitFor();
    const visible = page.locator(":visible");
    const address = page.getByLabel("E-mail address", { exact: true }).and(visible);
    const typed = page.getByLabel("Password", { exact: true }).and(visible);
    await expect.poll(() => typed.inputValue()).toBe("");
    await expect.poll(() => address.inputValue()).toBe(email);

    site().recover();
    await trySignIn();
    await person.arrive("/docs");
  },
);

test.each(ways())(
  "$name: a code by SMS signs in, and a wrong one does not",
  async ({ actions, ...options }) => {
    await makeAccount();
    site().supabaseProxy.behave(sms);
    await using person = await openPage({ ...options, siteUrl: site().url });
    const { page } = person;
    await person.visit("/signin#auth-magic-link");
    await actions.fill(page, "Phone number", phone);
    await actions.press(page, "button", "Text me a code");
    await page.getByText("Check your phone for the code", { exact: true }).waitFor();
    await page.getByText("Check the number, or send it again.").waitFor();

    person.expectProblem("400 POST /signin");
    await actions.fill(page, "Code from the message", "000000");
    await actions.press(page, "button", "Continue");
    await page
      .getByRole("alert")
      .getByText(/^This code is wrong/)
      .waitFor();
    const visible = page.locator(":visible");
    const code = page.getByLabel("Code from the message", { exact: true }).and(visible);
    await expect.poll(() => code.inputValue()).toBe("");
    const number = page.getByLabel("Phone number", { exact: true }).and(visible);
    await expect.poll(() => number.inputValue()).toBe(phone);

    await actions.fill(page, "Code from the message", rightCode);
    await actions.press(page, "button", "Continue");
    await person.arrive("/dashboard");
  },
);

async function makeAccount() {
  const owner = new Visitor(site().url);
  await owner.post("/signin", { intent: "sign_up", email, password });
  const link = new URL(linkIn(await mailTo(email, "Confirm your e-mail address")), site().url);
  await owner.post("/auth/confirm", Object.fromEntries(link.searchParams));
}

const rightCode = "246802";

/** The fake knows no phones: here it sends texts, and lets in who has the code, as Ada. */
const sms: ProxyHandler = async ({ path, body, headers }, forward) => {
  if (!body.includes('"phone":"+15550100"')) return forward();
  const answer = (status: number, json: string) => ({
    status,
    headers: { "content-type": "application/json" },
    body: json,
  });
  if (path.startsWith("/auth/v1/otp")) return answer(200, '{"message_id":"1"}');
  if (!path.startsWith("/auth/v1/verify") || !body.includes(`"token":"${rightCode}"`)) {
    return answer(
      403,
      '{"code":403,"error_code":"otp_expired","msg":"Token has expired or is invalid"}',
    );
  }
  const session = await fetch(`${fakes().supabase.url}/auth/v1/token?grant_type=password`, {
    method: "POST",
    headers: { apikey: String(headers.apikey), "content-type": "application/json" },
    body: JSON.stringify({ email, password }),
  });
  return answer(session.status, await session.text());
};
