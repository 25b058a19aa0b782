import { setTimeout as delay } from "node:timers/promises";
import type { Browser } from "../../lib/browser.ts";
import { hiddenFields } from "../../lib/page-forms.ts";
import { PlainFailure } from "../../lib/terminal.mjs";

type Person = { email: string; password: string };
type Mail = { html: string };

const mailWaitMs = 20_000;

/** Signs the browser in; false if there is no such account. */
export async function signIn(browser: Browser, { email, password }: Person): Promise<boolean> {
  const response = await browser.post("/signin", { intent: "sign_in", email, password });
  return response.status === 302 || response.status === 303;
}

/** Signs up, opens the mailed link and presses its button. */
export async function signUp(browser: Browser, person: Person, mailUrl: string): Promise<void> {
  const { email, password } = person;
  const signUpAnswer = await browser.post("/signin", { intent: "sign_up", email, password });
  if (!signUpAnswer.ok)
    throw new PlainFailure(`The sign-up was answered with ${signUpAnswer.status}.`);
  const link = await mailedLink(`${mailUrl}/messages?${new URLSearchParams({ to: email })}`);
  const page = await (await browser.request(link)).text();
  const pressed = await browser.post("/auth/confirm", hiddenFields(page, "token_hash"));
  const { url } = await browser.arrive(pressed, "/auth/confirm");
  if (!url.pathname.startsWith("/dashboard")) {
    throw new PlainFailure(`The mailed link led to ${url.pathname} in place of the dashboard.`);
  }
}

/** The link to /auth/confirm in the newest mail, as path and query on the site. */
async function mailedLink(inbox: string): Promise<string> {
  const deadline = performance.now() + mailWaitMs;
  while (performance.now() < deadline) {
    const mails = (await (await fetch(inbox)).json()) as Mail[];
    const href = /href="([^"]+\/auth\/confirm[^"]+)"/.exec(mails[0]?.html ?? "")?.[1];
    if (href) {
      const { pathname, search } = new URL(href.replaceAll("&amp;", "&"));
      return pathname + search;
    }
    await delay(200);
  }
  throw new PlainFailure(
    "No mail came to confirm the address. Do PORT and LOCAL_PORT_BASE belong to the same site?",
  );
}
