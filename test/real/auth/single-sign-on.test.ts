import { generateKeyPairSync } from "node:crypto";
import { beforeAll, beforeEach, expect, test } from "vitest";
import { accountFailures } from "../../../app/content/account.ts";
import { signInFailures } from "../../../app/content/sign-in-labels.ts";
import { claimsOf } from "../../../fakes/supabase/access-token.ts";
import { readNode } from "../../../scripts/deploy/program.ts";
import { alertIn, change, setUpWithCodes } from "../../support/auth/account.ts";
import { steerInternet } from "../../support/site/control-fakes.ts";
import { variable } from "../../support/site/variables.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { nameWorkAddress } from "../../support/workspaces/single-sign-on.ts";
import { isIn, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";
import { type Assertion, IdentityProvider, readRequest } from "./servers/identity-provider.ts";

const host = "idp.okapi.example";
const provider = new IdentityProvider(host);
const key = generateKeyPairSync("rsa", { modulusLength: 2048 }).privateKey;

const real = oneRealSite({
  auth: {
    GOTRUE_SAML_ENABLED: "true",
    GOTRUE_SAML_PRIVATE_KEY: key.export({ type: "pkcs1", format: "der" }).toString("base64"),
  },
  documents: { [host]: provider.metadata() },
});

const settings = "/dashboard/w/okapi-team/settings";
const acs = () => `${variable("SUPABASE_URL")}/auth/v1/sso/saml/acs`;

let people = 0;
/** An address of the provider's domain that nobody has come with. */
const newPerson = () => `person${++people}@okapi.example`;

async function operator(...parameters: string[]) {
  for (const name of ["SUPABASE_URL", "SUPABASE_SECRET_KEY"]) process.env[name] = variable(name);
  const { code, output, complaint } = await readNode("scripts/sso/sso.ts", parameters);
  for (const name of ["SUPABASE_URL", "SUPABASE_SECRET_KEY"]) {
    Reflect.deleteProperty(process.env, name);
  }
  if (code !== 0) throw new Error(complaint);
  return output;
}

let owner: Visitor;
let ownersAddress: string;

/** The owner and an operator connect the provider, as for a customer: the auth server reads its metadata over TLS. */
beforeAll(async () => {
  ownersAddress = await someoneWithPassword("owner");
  owner = await signedInByPassword(ownersAddress);
  await real().query(
    `with made as (insert into public.workspaces (slug, name) values ($1, $1) returning id)
     insert into public.members (user_id, workspace_id, role)
     select u.id, made.id, 'owner' from made, auth.users u where u.email = $2`,
    ["okapi-team", ownersAddress],
  );
  await operator("offer", "okapi-team");
  const set = (act: string, value: string) => owner.post(settings, { intent: "sso", act, value });
  await set("add", "okapi.example");
  const page = await (await owner.request(settings)).text();
  const [record = ""] = /livekit-deploy=[0-9a-f]{32}/.exec(page) ?? [];
  await steerInternet({ name: "_livekit-deploy.okapi.example", TXT: [record] });
  await set("verify", "okapi.example");
  await set("metadata", provider.entity);
  expect(await operator("connect", "okapi-team")).toBe("✓ Connected for okapi.example.\n");
});

beforeEach(() => {
  real().takeLogs();
});

/** Names a work address at the site, and answers what the auth server asks of the provider. */
async function begin(email: string) {
  const visitor = new Visitor();
  const { page } = await nameWorkAddress(visitor, email);
  const [, href = ""] = new RegExp(`href="(https://${host}/sso\\?[^"]+)"`).exec(page) ?? [];
  return { visitor, request: readRequest(href.replaceAll("&amp;", "&")) };
}

/** Brings a provider's answer back, as the browser does. Answers where the auth server leads, and where that ends. */
async function bringBack(visitor: Visitor, fields: Record<string, string>) {
  const answer = await visitor.post(acs(), fields);
  const address = new URL(answer.headers.get("location") ?? "");
  const arrival = await visitor.request(address.pathname + address.search);
  return {
    code: address.searchParams.get("error_code"),
    reason: address.searchParams.get("error_description"),
    location: arrival.headers.get("location"),
  };
}

async function signIn(email: string, says: Partial<Assertion> = {}) {
  const { visitor, request } = await begin(email);
  const fields = provider.answer(request, { email, ...says });
  return { visitor, fields, ...(await bringBack(visitor, fields)) };
}

const accountsOf = (email: string) =>
  real().query<{ is_sso_user: boolean; role: string | null }>(
    `select u.is_sso_user, m.role from auth.users u
     left join public.members m on m.user_id = u.id
       and m.workspace_id = (select w.id from public.workspaces w where w.slug = 'okapi-team')
     where u.email = $1 order by u.is_sso_user`,
    [email],
  );

const accessToken = (visitor: Visitor) =>
  visitor.sessionSecrets().find(({ name }) => name === "access_token")?.value ?? "";

const ssoSessions = () =>
  real().query(
    "select s.id from auth.sessions s join auth.users u on u.id = s.user_id where u.is_sso_user order by s.id",
  );

test("sso: from the domain to the provider and back, somebody is in, and a viewer", async () => {
  const email = newPerson();
  const { visitor, request } = await begin(email);
  expect(request.acs).toBe(acs());
  expect(request.audience).toBe(acs().replace(/acs$/, "metadata"));
  const back = await bringBack(visitor, provider.answer(request, { email }));
  expect(back).toEqual({ code: null, reason: null, location: "/dashboard" });
  expect(await isIn(visitor)).toBe(true);
  expect((await visitor.request("/dashboard/w/okapi-team")).status).toBe(200);
  expect(await accountsOf(email)).toEqual([{ is_sso_user: true, role: "viewer" }]);

  // What the site and the database read of such an account and its session.
  const [connection] = await real().query<{ provider: string }>(
    "select provider from public.sso_connections",
  );
  const named = connection?.provider ?? "";
  expect(named).toMatch(/^sso:[0-9a-f-]{36}$/);
  expect(claimsOf(accessToken(visitor))).toMatchObject({
    email,
    aal: "aal1",
    is_anonymous: false,
    amr: [{ method: "sso/saml", provider: named.slice("sso:".length) }],
    app_metadata: { provider: named, providers: [named] },
  });
  const [identity] = await real().query(
    `select i.provider, i.provider_id, i.identity_data ->> 'email' as email
     from auth.identities i join auth.users u on u.id = i.user_id where u.email = $1`,
    [email],
  );
  expect(identity).toEqual({ provider: named, provider_id: email, email });
});

test("sso: the same person comes again, is renewed and is asked for their own second factor", async () => {
  const email = newPerson();
  const first = await signIn(email);
  await setUpWithCodes(first.visitor);
  first.visitor.expireSession();
  expect(await isIn(first.visitor)).toBe(true);
  const again = await signIn(email);
  expect(await isIn(again.visitor)).toBe(false);
  const code = await again.visitor.request("/dashboard");
  expect(code.headers.get("location")).toContain("/dashboard/account/code");
  expect(await accountsOf(email)).toHaveLength(1);
});

test("sso: a session lasts as long as every other, whatever end the provider names", async () => {
  const { visitor } = await signIn(newPerson());
  const { sub, session_id } = claimsOf(accessToken(visitor)) ?? {};
  const sessions = await real().query<{ here: boolean; ends: boolean }>(
    "select id = $2 as here, not_after is not null as ends from auth.sessions where user_id = $1 order by here",
    [sub, session_id],
  );
  // The first is opened with the assertion, and nobody gets it; the site's own with the code.
  expect(sessions).toEqual([
    { here: false, ends: true },
    { here: true, ends: false },
  ]);
});

const elsewhere = "https://elsewhere.example/auth/v1/sso/saml";
/** What is wrong with an assertion, and what the auth server's log says of it. */
const refused: readonly [string, Partial<Assertion>, RegExp][] = [
  ["signed by another key", { signed: "by another key" }, /crypto\/rsa: verification error/],
  ["not signed", { signed: "not at all" }, /signature element not present/i],
  [
    "changed after it was signed",
    { tamper: (xml) => xml.replaceAll("person", "eve") },
    /Signature could not be verified/,
  ],
  [
    "signed for one person, with another around it",
    {
      tamper: (xml) => {
        const [signed = ""] = /<saml:Assertion.*<\/saml:Assertion>/.exec(xml) ?? [];
        const forged = signed
          .replace(/<ds:Signature.*<\/ds:Signature>/, "")
          .replaceAll("person", "eve");
        return xml.replace(signed, forged.replace("</saml:Issuer>", `</saml:Issuer>${signed}`));
      },
    },
    /signature element not present/i,
  ],
  ["for another site", { audience: `${elsewhere}/metadata` }, /AudienceRestriction/],
  ["to another site", { recipient: `${elsewhere}/acs` }, /does not match AcsURL/],
  ["for another request", { answers: "_another" }, /InResponseTo/],
  ["ten minutes too old", { endsIn: -600 }, /is expired/],
];

test.each(refused)("sso: an assertion %s opens no session", async (_, says, why) => {
  const before = await real().query("select id from auth.users order by id");
  const sessions = await ssoSessions();
  const { visitor, code, reason, location } = await signIn(newPerson(), says);
  expect([code, location]).toEqual(["validation_failed", "/signin?problem=fault#auth-sign-in"]);
  expect(reason).toContain("SAML Assertion is not valid");
  const lines = () => real().authLog.filter((line) => line.includes("SAML Assertion is not valid"));
  await expect.poll(() => lines().at(-1)).toMatch(why);
  expect(await isIn(visitor)).toBe(false);
  expect(await real().query("select id from auth.users order by id")).toEqual(before);
  expect(await ssoSessions()).toEqual(sessions);
});

test("sso: an answer counts once, and in the browser that asked for it", async () => {
  const email = newPerson();
  const { visitor, request } = await begin(email);
  const fields = provider.answer(request, { email });
  const stranger = new Visitor();
  expect((await bringBack(stranger, fields)).location).toContain("problem=other-browser");
  expect(await isIn(stranger)).toBe(false);
  const again = await bringBack(visitor, fields);
  expect(again.code).toBe("saml_relay_state_not_found");
  expect(again.location).toContain("problem=expired");
});

test("sso: a provider speaks for no address of another domain, at the first time or later", async () => {
  const stranger = await someoneWithPassword("stranger");
  const named = newPerson();
  const first = await signIn(named, { email: stranger, subject: "eve" });
  expect([first.code, await isIn(first.visitor)]).toEqual(["unexpected_failure", false]);
  expect(await accountsOf(stranger)).toEqual([{ is_sso_user: false, role: null }]);
  // Somebody whom it has named honestly before, whether or not the workspace has room for one more.
  const honest = await signIn(named, { subject: "eve" });
  expect([honest.code, await isIn(honest.visitor)]).toEqual([null, true]);
  const later = await signIn(named, { email: stranger, subject: "eve" });
  expect([later.code, await isIn(later.visitor)]).toEqual([null, false]);
  expect(later.reason).toContain("The provider may not speak for this address");
  expect(later.location).toContain("problem=fault");
  const [identity] = await real().query<{ email: string }>(
    "select identity_data ->> 'email' as email from auth.identities where provider_id = 'eve'",
  );
  expect(identity?.email).toBe(named);
});

test("sso: an address of no connected domain is told so", async () => {
  const { status, page } = await nameWorkAddress(new Visitor(), "ada@other.example");
  expect([status, alertIn(page)]).toEqual([404, signInFailures.ssoUnknown]);
});

test("sso: what the organisation manages is refused by the site, and by the auth server", async () => {
  const { visitor } = await signIn(newPerson());
  const form = { intent: "change_password", password: "four quiet servers hum" };
  const refused = await change(visitor, form);
  expect([refused.status, refused.alert]).toEqual([403, accountFailures.managed]);
  for (const body of [
    { email: "eve@okapi.example" },
    { phone: "+491511234567" },
    { password: form.password },
  ]) {
    const answer = await fetch(`${variable("SUPABASE_URL")}/auth/v1/user`, {
      method: "PUT",
      headers: {
        authorization: `Bearer ${accessToken(visitor)}`,
        apikey: variable("SUPABASE_PUBLISHABLE_KEY"),
        "content-type": "application/json",
      },
      body: JSON.stringify(body),
    });
    const { error_code } = (await answer.json()) as { error_code?: string };
    expect([body, answer.status, error_code]).toEqual([body, 422, "user_sso_managed"]);
  }
});

test("sso: required, owners keep their way in, and its end leaves nobody a way", async () => {
  const email = newPerson();
  await signIn(email);
  const post = (act: string) => owner.post(settings, { intent: "sso", act, sure: "yes" });
  expect((await post("require")).headers.get("location")).toContain("done=sso");
  expect(await isIn(await signedInByPassword(ownersAddress))).toBe(true);
  expect((await post("free")).headers.get("location")).toContain("done=sso");
  expect((await post("end")).headers.get("location")).toContain("done=sso");
  expect(await accountsOf(email)).toEqual([{ is_sso_user: true, role: null }]);
  expect((await nameWorkAddress(new Visitor(), email)).status).toBe(404);
});
