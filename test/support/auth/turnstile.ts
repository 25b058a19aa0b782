import { localSecretKey, localSiteKey } from "../../../fakes/turnstile/tokens.ts";
import { fakes } from "../site/control-fakes.ts";
import { siteUrl } from "../site/own-site.ts";

/** Variables with which a Worker asks for the challenge. */
export const withChallenge = {
  TURNSTILE_SITE_KEY: localSiteKey,
  TURNSTILE_SECRET_KEY: localSecretKey,
};

export const tokenField = "cf-turnstile-response";

/** What the widget of a form hands out to a visitor who passed. */
export async function tokenFor(action: string, hostname = new URL(siteUrl).hostname) {
  const response = await fetch(`${fakes().turnstile.url}/turnstile/v0/solve`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify({ sitekey: localSiteKey, hostname, action }),
  });
  const { token } = (await response.json()) as { token: string };
  return token;
}

/** Whom the widget lets pass, or how many seconds tokens grow older. */
export async function turnstileControl(
  control: { mode: "pass" | "interactive" | "block" } | { advance: number },
): Promise<void> {
  const response = await fetch(`${fakes().turnstile.url}/_local/control`, {
    method: "POST",
    headers: { "content-type": "application/json" },
    body: JSON.stringify(control),
  });
  if (!response.ok) throw new Error(`Turnstile's fake answered ${response.status}`);
}
