import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type Conduct, faults } from "../fixtures/go-between.ts";
import { resetStandIns } from "../fixtures/stand-ins.ts";
import { startTroubledSite, type TroubledSite } from "../fixtures/troubled-site.ts";
import { Visitor } from "../fixtures/visitor.ts";
import { expectWords } from "../fixtures/words.ts";

const people = ["customer.one@example.com", "customer.two@example.com"];
const signInUnavailable = "Sign-in is not available right now.";

let site: TroubledSite;

beforeAll(async () => {
  site = await startTroubledSite();
});

afterAll(() => site?.[Symbol.asyncDispose]());

beforeEach(async () => {
  await resetStandIns();
  site.recover();
});

async function signedIn(email = people[0]): Promise<Visitor> {
  const visitor = new Visitor(site.url);
  await visitor.signInWithGoogle(email);
  return visitor;
}

const isRefresh = ({ path }: { path: string }) => path.includes("grant_type=refresh_token");
const refreshes = () => site.supabaseWay.asked.filter(isRefresh).length;

/** Only refreshes fare like this. */
const forRefreshes =
  (conduct: Conduct): Conduct =>
  (asked, forward) =>
    isRefresh(asked) ? conduct(asked, forward) : forward();

/** The tokens in a visitor's cookies, or in those that a response sets. */
function tokensIn(cookies: Iterable<readonly [string, string]>): string {
  return [...cookies]
    .filter(([name]) => /-auth-token(\.\d)?$/.test(name))
    .map(([, value]) => value)
    .join("");
}

function tokensSetBy(response: Response): string {
  return tokensIn(
    response.headers.getSetCookie().map((line) => {
      const [pair = ""] = line.split(";");
      const [name = "", ...value] = pair.split("=");
      return [name, value.join("=")] as const;
    }),
  );
}

/** As many requests at once as one browser with many tabs sends with one and the same cookie. */
function atOnce(visitor: Visitor, paths: readonly string[]): Promise<Response[]> {
  const cookie = [...visitor.cookies].map(([name, value]) => `${name}=${value}`).join("; ");
  return Promise.all(
    paths.map((path) => fetch(`${site.url}${path}`, { headers: { cookie }, redirect: "manual" })),
  );
}

test("200 requests of two people whose tokens end cost one refresh each, and nobody is signed out", async () => {
  const visitors = await Promise.all(people.map(signedIn));
  const paths = ["/signin", "/dashboard/billing", "/", "/signup", "/pricing"];
  // The whole dashboard asks the database too, which here is no more than a stand-in.
  const hundred = Array.from({ length: 100 }, (_, index) =>
    index % 20 === 0 ? "/dashboard" : (paths[index % paths.length] ?? "/"),
  );
  for (const visitor of visitors) visitor.expireSession();
  site.supabaseWay.behave();

  const answers = await Promise.all(visitors.map((visitor) => atOnce(visitor, hundred)));

  expect(refreshes()).toBe(2);
  const tokens = answers.map((responses) => new Set(responses.map(tokensSetBy)));
  for (const [index, responses] of answers.entries()) {
    const [own, others] = [tokens[index], tokens[1 - index]];
    // Nothing, on public pages, and one new session.
    expect(own?.size).toBe(2);
    expect([...(own ?? [])].filter((each) => each !== "" && others?.has(each))).toEqual([]);
    for (const [position, response] of responses.entries()) {
      const path = hundred[position] ?? "";
      const isPublic = path === "/" || path === "/pricing";
      const leadsOn = path === "/signin" || path === "/dashboard/billing";
      expect(response.status, path).toBe(leadsOn ? 302 : 200);
      expect(response.headers.get("location"), path).toBe(leadsOn ? "/dashboard" : null);
      expect(tokensSetBy(response) === "", path).toBe(isPublic);
      expect(response.headers.has("set-cookie"), path).toBe(!isPublic);
      const cacheControl = response.headers.get("cache-control");
      expect(cacheControl, path).toContain(isPublic ? "public" : "no-store");
    }
  }
  // What was set works, for the person it was set for.
  for (const [index, responses] of answers.entries()) {
    const set = responses.flatMap((response) => response.headers.getSetCookie());
    const cookie = set
      .slice(0, 2)
      .map((line) => line.split(";")[0])
      .join("; ");
    const page = await fetch(`${site.url}/dashboard`, { headers: { cookie }, redirect: "manual" });
    expect([page.status, index]).toEqual([200, index]);
  }
});
