import { claimsOf, signed } from "../../../fakes/supabase/access-token.ts";
import { localJwtSecret } from "../../../fakes/supabase/fake.ts";
import { totpCode } from "../../../fakes/supabase/totp.ts";
import { Visitor } from "../site/visitor.ts";
import { linkIn, mailTo } from "./inbox.ts";

export const changeMail = "Confirm your new e-mail address";

/** Posts one of the forms of the account page. */
export async function change(
  visitor: Visitor,
  fields: Record<string, string>,
): Promise<{ status: number; location: string; page: string; alert: string; retryAfter: string }> {
  const response = await visitor.post("/dashboard/account", fields);
  const page = withoutScripts(await response.text());
  return {
    status: response.status,
    location: response.headers.get("location") ?? "",
    retryAfter: response.headers.get("retry-after") ?? "",
    page,
    alert: alertIn(page),
  };
}

/** A page as somebody sees it: the data of its scripts names every word there is. */
export function withoutScripts(html: string): string {
  return html.replace(/<script[\s\S]*?<\/script>/g, "");
}

/** The words of a page's alert, or nothing. */
export function alertIn(page: string): string {
  const html = /role="alert"[^>]*>([\s\S]*?)<\/div>/.exec(page)?.[1] ?? "";
  return html
    .replace(/<[^>]*>/g, " ")
    .replaceAll("&#x27;", "'")
    .replace(/\s+/g, " ")
    .trim();
}

export async function accountPageOf(visitor: Visitor): Promise<string> {
  const response = await visitor.request("/dashboard/account");
  return withoutScripts(await response.text());
}

/** Opens the newest mailed link to an address and presses its button, in some browser. */
export async function pressLink(
  address: string,
  subject: string,
  browser = new Visitor(),
): Promise<Response> {
  const page = await browser.request(linkIn(await mailTo(address, subject)));
  return browser.post("/auth/confirm", hiddenFieldsOf(await page.text()));
}

/** The hidden fields of a page that has one form. */
export function hiddenFieldsOf(page: string): Record<string, string> {
  const hidden = page.matchAll(/<input type="hidden" name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(
    [...hidden].map(([, name = "", value = ""]) => [name, value.replaceAll("&amp;", "&")]),
  );
}

/** As if the last proof of who they are was so many minutes ago. */
export function ageSignIn(visitor: Visitor, minutes: number): void {
  visitor.changeSession((session) => {
    const claims = claimsOf(String(session.access_token));
    const amr = [{ method: "oauth", timestamp: Math.floor(Date.now() / 1000) - minutes * 60 }];
    return { ...session, access_token: signed({ ...claims, amr }, localJwtSecret) };
  });
}

/** Every field of the form that waits for a second factor's first code, as a browser sends it. */
export function firstCodeForm(page: string): Record<string, string> {
  const form = (page.match(/<form[\s\S]*?<\/form>/g) ?? []).find((each) =>
    each.includes('value="finish_enrolment"'),
  );
  const hidden = (form ?? "").matchAll(/name="([^"]*)" value="([^"]*)"/g);
  return Object.fromEntries(
    [...hidden].map(([, name = "", value = ""]) => [
      name,
      value.replaceAll("&quot;", '"').replaceAll("&amp;", "&"),
    ]),
  );
}

const givenCodes = new Set<string>();

/**
 * A code of an app that was not given yet: nobody may give the same one twice, and the server takes those of
 * the half minutes before and after, too.
 */
export function freshCode(secret: string): string {
  const codes = [0, 1, -1].map((step) => totpCode(secret, Date.now() + step * 30_000));
  const code = codes.find((each) => !givenCodes.has(secret + each));
  if (!code) throw new Error("All codes of this minute were given");
  givenCodes.add(secret + code);
  return code;
}

/** Sets a first second factor up, as with an app. Answers its secret, and the recovery codes shown then. */
export async function setUpWithCodes(
  visitor: Visitor,
): Promise<{ secret: string; codes: string[] }> {
  const { page } = await change(visitor, { intent: "enrol", name: "" });
  const form = firstCodeForm(page);
  const secret = form.secret ?? "";
  const done = await change(visitor, { ...form, code: freshCode(secret) });
  const codes = recoveryCodesIn(done.page);
  if (codes.length === 0) throw new Error("The second factor was not taken");
  return { secret, codes };
}

/** The recovery codes that a page shows. */
export function recoveryCodesIn(page: string): string[] {
  return [...page.matchAll(/>([0-9A-HJKMNP-TV-Z]{4}(?:-[0-9A-HJKMNP-TV-Z]{4}){5})</g)].map(
    ([, code = ""]) => code,
  );
}

/** The same where only the secret matters. */
export async function setUpSecondFactor(visitor: Visitor): Promise<string> {
  return (await setUpWithCodes(visitor)).secret;
}

/** Gives the second factor where a page asks for it. */
export function giveSecondFactor(visitor: Visitor, secret: string, next: string) {
  return visitor.post("/dashboard/account/code", { code: freshCode(secret), next });
}
