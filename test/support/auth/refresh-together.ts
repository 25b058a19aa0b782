import { expect } from "vitest";
import type { SiteWithFaults } from "../faults/site-with-faults.ts";
import { pollUntil } from "../site/poll.ts";
import { signedIn, type Visitor } from "../site/visitor.ts";
import { claimsIn } from "./access-token.ts";
import { cookiesFrom, tokensSetBy } from "./session-cookie.ts";

const [one, second] = ["customer.one@example.com", "customer.two@example.com"];

export const isRefresh = ({ path }: { path: string }) => path.includes("grant_type=refresh_token");

/** Somebody whose access token has ended. */
export async function withEndedToken(site: SiteWithFaults, email = one): Promise<Visitor> {
  const visitor = await signedIn(email, site.url);
  visitor.expireSession();
  site.supabaseProxy.behave();
  return visitor;
}

/** A request as a browser sends it that holds these cookies, whatever came since. */
export function ask(
  site: SiteWithFaults,
  path: string,
  cookie: string,
  init: RequestInit = {},
): Promise<Response> {
  return fetch(`${site.url}${path}`, { ...init, headers: { cookie }, redirect: "manual" });
}

export function cookiesOf(visitor: Visitor): string {
  return [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
}

/** As a person who reads that the site is busy: asks again. How long it takes decides nothing. */
const served = (site: SiteWithFaults, path: string, cookie: string): Promise<Response> =>
  pollUntil(
    () => ask(site, path, cookie),
    ({ status }) => status !== 503,
    60_000,
  );

/** Two people whose tokens have ended send so many requests each, at once: each token is refreshed once. */
export async function expectOneRefreshEach(site: SiteWithFaults, perPerson: number): Promise<void> {
  const visitors = [await withEndedToken(site, one), await withEndedToken(site, second)];
  const paths = ["/signin", "/dashboard/account", "/", "/signup", "/pricing"];
  // The whole dashboard asks the database too, which here is no more than a fake.
  const requestPaths = Array.from({ length: perPerson }, (_, index) =>
    index % 20 === 0 ? "/dashboard" : (paths[index % paths.length] ?? "/"),
  );

  const answers = await Promise.all(
    visitors.map((visitor) =>
      Promise.all(
        requestPaths.map((path) =>
          served(site, path, cookiesOf(visitor)).then((response) => ({ path, response })),
        ),
      ),
    ),
  );

  expect(site.supabaseProxy.requests.filter(isRefresh)).toHaveLength(2);
  for (const { path, response } of answers.flat()) {
    const isPublic = path === "/" || path === "/pricing";
    const leadsOn = path === "/signin";
    expect(response.status, path).toBe(leadsOn ? 302 : 200);
    expect(response.headers.get("location"), path).toBe(leadsOn ? "/dashboard" : null);
    expect(tokensSetBy(response) === "", path).toBe(isPublic);
    expect(response.headers.has("set-cookie"), path).toBe(!isPublic);
    const policy = response.headers.get("cache-control");
    expect(policy, path).toContain(isPublic ? "public" : "private, no-store");
  }

  // One new session each, which works and is the person's own.
  const sessions = answers.map(
    (each) => new Set(each.map(({ response }) => tokensSetBy(response)).filter(Boolean)),
  );
  expect(sessions.map(({ size }) => size)).toEqual([1, 1]);
  for (const [index, email] of [one, second].entries()) {
    const opened = answers[index]?.find(({ response }) => tokensSetBy(response) !== "");
    if (!opened) throw new Error(`${email} was given no cookies`);
    expect((await ask(site, "/dashboard", cookiesFrom(opened.response))).status).toBe(200);
    expect(emailIn(opened.response)).toBe(email);
  }

  // What is kept of the public pages, and what a stranger is shown of them, names nobody.
  const pages = [...(await site.cachedPages()), await (await ask(site, "/", "")).text()];
  expect(pages.length).toBeGreaterThan(2);
  const secrets = visitors.flatMap((visitor) => visitor.sessionSecrets().map(({ value }) => value));
  for (const secret of [
    one,
    second,
    "auth-token",
    ...secrets,
    ...sessions.flatMap((each) => [...each]),
  ]) {
    expect(pages.filter((page) => page.includes(secret))).toEqual([]);
  }
}

/** Whose access token a response sets. */
function emailIn(response: Response): unknown {
  const session = Buffer.from(tokensSetBy(response).replace("base64-", ""), "base64url");
  const { access_token }: { access_token: string } = JSON.parse(session.toString());
  return claimsIn(access_token).email;
}
