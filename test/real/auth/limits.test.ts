import { expect, test } from "vitest";
import { signToken } from "../../support/auth/access-token.ts";
import { pressLink } from "../../support/auth/account.ts";
import { codeIn, mailTo } from "../../support/auth/inbox.ts";
import { cookieValue, sessionCookieName, sessionWith } from "../../support/auth/session-cookie.ts";
import { inParallel } from "../../support/site/in-parallel.ts";
import { randomAddress } from "../../support/site/network-address.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { newAddress, signInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

// All limits are those of supabase/config.toml: the server's own by address, and a limit of mails for the whole
// project that is raised as for an operator with a mail server of their own.
const real = oneRealSite();

// The site answers about mail at an even pace, so most of the time is waiting.
const atATime = 15;
const people = 45;
// The first mail to an address that nobody has proved, whatever was asked for.
const subject = "Confirm your e-mail address";

/** How many of the answers had each status. */
function counted(statuses: number[]): Record<number, number> {
  return Object.fromEntries(
    [...new Set(statuses)].map((each) => [each, statuses.filter((one) => one === each).length]),
  );
}

function refusals() {
  return real().authRequests.filter(({ status }) => status === 429);
}

/** The same for all three tests: each address gets a link, a code and one or two sign-ins. */
const addresses = Array.from({ length: people }, randomAddress);

test("45 people at 45 addresses ask for a link and open it: none is refused", async () => {
  const links = await inParallel(addresses, atATime, async (address) => {
    const visitor = new Visitor(undefined, address);
    const email = newAddress("link");
    await visitor.post("/signin", { intent: "magic_link", email });
    return (await pressLink(email, subject, visitor)).status;
  });
  expect(counted(links)).toEqual({ 303: 45 });
  expect(refusals()).toEqual([]);
});

test("45 people at the same 45 addresses ask for a code and type it: none is refused", async () => {
  const codes = await inParallel(addresses, atATime, async (address) => {
    const visitor = new Visitor(undefined, address);
    const email = newAddress("code");
    await visitor.post("/signin", { intent: "magic_link", email });
    const code = codeIn(await mailTo(email, subject));
    const typed = { intent: "verify_code", kind: "email", email, code, next: "/dashboard" };
    return (await visitor.post("/signin", typed)).status;
  });
  expect(counted(codes)).toEqual({ 303: 45 });
  expect(refusals()).toEqual([]);
});

test("60 people at the same 45 addresses sign in by password: none is refused", async () => {
  const signIns = await inParallel([...Array(60).keys()], atATime, async (turn) => {
    const visitor = new Visitor(undefined, addresses[turn % people]);
    return (await signInByPassword(await someoneWithPassword(), visitor)).status;
  });
  expect(counted(signIns)).toEqual({ 303: 60 });
  expect(refusals()).toEqual([]);
});

test("one address with 500 forged sessions costs nobody else anything", async () => {
  const email = await someoneWithPassword();
  const published = await fetch(`${variable("SUPABASE_URL")}/auth/v1/.well-known/jwks.json`);
  const { keys } = (await published.json()) as { keys: { kid: string; alg: string }[] };
  const { kid = "", alg = "" } = keys[0] ?? {};
  expect(alg).toBe("ES256");
  const before = real().authRequests.length;
  const attacker = new Visitor();
  const answers = await inParallel([...Array(500).keys()], atATime, async (turn) => {
    const exp = Math.floor(Date.now() / 1_000) - 10;
    const claims = { sub: crypto.randomUUID(), aud: "authenticated", role: "authenticated", exp };
    const session = sessionWith({
      access_token: signToken(claims, "a secret of somebody else", { alg, kid }),
      expires_at: exp,
      refresh_token: `made-up-${turn}`,
    });
    const cookie = `${sessionCookieName}=${cookieValue(session)}`;
    const headers = { cookie, "cf-connecting-ip": attacker.address };
    const url = `${attacker.siteUrl}/dashboard`;
    return (await fetch(url, { headers, redirect: "manual" })).status;
  });
  expect(counted(answers)).toEqual({ 302: 500 });
  const refreshes = real()
    .authRequests.slice(before)
    .filter(({ path }) => path.startsWith("/token"));
  expect(refreshes).toEqual([]);
  const signIns = await inParallel([...Array(8).keys()], 1, async () => {
    return (await signInByPassword(email)).status;
  });
  expect(counted(signIns)).toEqual({ 303: 8 });
});
