import { beforeAll, describe, expect, test } from "vitest";
import { linkIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

const password = "four quiet servers hum";
const hash = "a".repeat(56);

beforeAll(resetFakes);

async function mailedLink(email: string, intent: string, subject: string) {
  const visitor = new Visitor();
  await visitor.post("/signin", { intent, email, password });
  return Object.fromEntries(
    new URL(linkIn(await mailTo(email, subject)), visitor.siteUrl).searchParams,
  );
}

const foreign = [
  "https://evil.example",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\\\evil.example",
  "/\t/evil.example",
  "/\n/evil.example",
  "/\r/evil.example",
  " //evil.example",
  "/ /evil.example",
  "http:/evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,hi",
  "evil.example",
  "@evil.example",
  "/..//evil.example",
  "/./\\evil.example",
  "/\u0000//evil.example",
  "/\u2028/evil.example",
  "/\u3002evil.example",
  "?next=/docs",
  "#top",
  "",
  `/${"a".repeat(600)}`,
  "http://localhost.evil.example/",
] as const;

describe("next", () => {
  test.each(sample(foreign, 3))(
    "%j leads to the dashboard, by the form's own field",
    async (next) => {
      const page = await (
        await new Visitor().request(`/signin?${new URLSearchParams({ next })}`)
      ).text();
      const fields = [...page.matchAll(/name="next" value="([^"]*)"/g)].map(([, value]) => value);
      expect(fields.length).toBeGreaterThan(3);
      expect(new Set(fields)).toEqual(new Set(["/dashboard"]));
    },
  );

  testInProof.each(foreign)("%j in a mailed link leads to the dashboard", async (next) => {
    const query = new URLSearchParams({ token_hash: hash, type: "email", next });
    const page = await (await new Visitor().request(`/auth/confirm?${query}`)).text();
    expect(/name="next" value="([^"]*)"/.exec(page)?.[1]).toBe("/dashboard");
  });

  test.each(
    sample(
      [
        ["/docs", "/docs"],
        ["/dashboard?tab=1#x", "/dashboard?tab=1#x"],
        ["SITE/pricing", "/pricing"],
        ["SITE", "/dashboard"],
        ["SITE/", "/dashboard"],
        ["SITE//evil.example", "/dashboard"],
        ["SITE.evil.example/", "/dashboard"],
        ["SITE@evil.example/", "/dashboard"],
      ],
      2,
    ),
  )("%s in a mailed link leads to %s", async (next, path) => {
    const visitor = new Visitor();
    const query = new URLSearchParams({
      token_hash: hash,
      type: "email",
      next: next.replace("SITE", visitor.siteUrl),
    });
    const page = await (await visitor.request(`/auth/confirm?${query}`)).text();
    expect(/name="next" value="([^"]*)"/.exec(page)?.[1]).toBe(path);
  });
});

const cancelled = "Sign-in was cancelled.";
const expired = "This sign-in has expired or was already used.";
const linkExpired = "This link has expired or was already used.";
const refused = "The provider did not let you in.";
const fault = "This did not work because of a fault on our side or at the provider";
const notConfirmed = "Your provider has not confirmed your e-mail address.";
const tooOften = "Too many attempts.";
const closed = "This site takes no new accounts at the moment.";
const notOffered = "Signing in this way is not set up on this site.";
const secret = "<b>internal</b> detail";

describe("error fields in the URL", () => {
  test.each(
    sample(
      [
        ["error=access_denied", cancelled],
        ["error=access_denied&error_code=otp_expired", linkExpired],
        ["error=access_denied&error_code=provider_disabled", notOffered],
        ["error=access_denied&error_code=provider_email_needs_verification", notConfirmed],
        ["error=access_denied&error_code=signup_disabled", closed],
        ["error=access_denied&error_code=user_banned", refused],
        ["error=access_denied&error_code=something_new", refused],
        ["error=server_error", fault],
        ["error=server_error&error_code=unexpected_failure", fault],
        ["error=server_error&error_code=hook_timeout", fault],
        ["error=temporarily_unavailable", fault],
        ["error=invalid_request&error_code=over_request_rate_limit", tooOften],
        ["error=invalid_request&error_code=something_new", fault],
        ["error=invalid_request&error_code=constructor", fault],
        ["error=invalid_request&error_code=flow_state_already_used", expired],
        ["error=invalid_request&error_code=bad_oauth_state", expired],
        ["error=invalid_request&error_code=bad_oauth_callback", expired],
        ["error=invalid_request&error_code=flow_state_expired", linkExpired],
        ["error=invalid_request&error_code=flow_state_not_found", linkExpired],
        ["error_code=otp_expired", linkExpired],
        ["error=constructor", expired],
        ["error=", expired],
        ["error_description=only", expired],
        ["error=<script>alert(1)</script>", expired],
      ],
      2,
    ),
  )("%s", async (query, sentence) => {
    for (const path of ["/signin", "/auth/callback"]) {
      const visitor = new Visitor();
      const from = `${path}?${query}&error_description=${encodeURIComponent(secret)}`;
      const { response, url } = await visitor.arrive(await visitor.request(from), from);
      const page = await response.text();
      expect(url.pathname).toBe("/signin");
      expect(response.status).toBe(200);
      const alert = /role="alert"[^>]*>(.*?)<\/div>/.exec(page)?.[1];
      expect(alert).toContain(sentence);
      expect(alert).not.toContain("internal");
    }
  });
});

describe("links that are not ours", () => {
  testInProof.each([
    ["nothing", {}],
    ["no hash", { type: "email" }],
    ["no type", { token_hash: hash }],
    ["an empty hash", { token_hash: "", type: "email" }],
    ["a short hash", { token_hash: "abc", type: "email" }],
    ["a huge hash", { token_hash: "a".repeat(5_000), type: "email" }],
    ["a hash with markup", { token_hash: `"><script>${hash}`, type: "email" }],
    ["a hash with a newline", { token_hash: `${hash}\n`, type: "email" }],
    ["a hash with a NUL", { token_hash: `${hash}\u0000`, type: "email" }],
    ["an unknown type", { token_hash: hash, type: "gold" }],
    ["an inherited type", { token_hash: hash, type: "constructor" }],
    ["a phone's type", { token_hash: hash, type: "sms" }],
  ])("%s: incomplete, with the way on", async (_, fields: Record<string, string>) => {
    const visitor = new Visitor();
    const opened = await visitor.request(`/auth/confirm?${new URLSearchParams(fields)}`);
    const posted = await visitor.post("/auth/confirm", fields);
    for (const response of [opened, posted]) {
      const page = await response.text();
      expect(response.status).toBe(400);
      expect(page).toContain("A part of the link is missing.");
      expect(page).toContain("/signin#auth-magic-link");
      expect(page).not.toContain("<script>aaa");
    }
  });

  testInProof.each([
    ["email", "/signin#auth-magic-link"],
    ["signup", "/signin#auth-magic-link"],
    ["magiclink", "/signin#auth-magic-link"],
    ["recovery", "/signin#auth-forgot-password"],
    ["email_change", "/dashboard/account"],
  ])("a forged link of type %s", async (type, wayOn) => {
    const visitor = new Visitor();
    const response = await visitor.post("/auth/confirm", { token_hash: hash, type });
    const page = await response.text();
    expect(response.status).toBe(400);
    expect(page).toContain("This link has expired, was already used or is not ours.");
    expect(page).toContain(wayOn);
    expect([...visitor.cookies.keys()].filter((name) => name.startsWith("sb-"))).toEqual([]);
  });

  test("a link works once, in any browser, and opening it uses nothing up", async () => {
    const link = await mailedLink("once@example.com", "magic_link", "Your sign-in link");
    const query = new URLSearchParams(link);
    for (let opened = 0; opened < 3; opened++) {
      expect((await new Visitor().request(`/auth/confirm?${query}`)).status).toBe(200);
    }
    const first = await new Visitor().post("/auth/confirm", link);
    expect([first.status, first.headers.get("location")]).toEqual([303, "/dashboard"]);
    const second = await new Visitor().post("/auth/confirm", link);
    expect(second.status).toBe(400);
  });

  testInProof(
    "a second press leads on in the browser where the link worked, and anybody else reads why not",
    async () => {
      const link = await mailedLink("first@example.com", "magic_link", "Your sign-in link");
      const [first, other] = [new Visitor(), new Visitor()];
      await first.post("/auth/confirm", link);
      const again = await first.post("/auth/confirm", link);
      expect([again.status, again.headers.get("location")]).toEqual([303, "/dashboard"]);

      const latest = await mailedLink("other@example.com", "magic_link", "Your sign-in link");
      await other.post("/auth/confirm", latest);
      for (const [visitor, name, spent] of [
        [other, "other@example.com", link],
        [first, "first@example.com", latest],
        [first, "first@example.com", { ...link, token_hash: hash }],
        [first, "first@example.com", { token_hash: hash, type: "email_change" }],
      ] as const) {
        const response = await visitor.post("/auth/confirm", spent);
        const page = await response.text();
        expect(response.status).toBe(400);
        expect(page).toContain("This link has expired, was already used or is not ours.");
        expect(page).toContain(`You are signed in as ${name}.`);
        expect(page).toMatch(/href="\/dashboard[^"]*"[^>]*>Go on</);
      }
    },
  );

  test("a sign-in link of another type is refused", async () => {
    const link = await mailedLink("types@example.com", "magic_link", "Your sign-in link");
    for (const type of ["signup", "email_change"]) {
      const response = await new Visitor().post("/auth/confirm", { ...link, type });
      expect(response.status).toBe(400);
    }
  });

  test("a confirmation that is sent again is that mail once more, and its link works alone", async () => {
    const email = "unconfirmed@example.com";
    const subject = "Confirm your e-mail address";
    const older = await mailedLink(email, "sign_up", subject);
    const newer = await mailedLink(email, "resend_confirmation", subject);
    expect(newer.token_hash).not.toBe(older.token_hash);
    expect((await mailsTo(email)).map((mail) => mail.subject)).toEqual([subject, subject]);
    expect((await new Visitor().post("/auth/confirm", older)).status).toBe(400);
    expect((await new Visitor().post("/auth/confirm", newer)).status).toBe(303);
    await new Visitor().post("/signin", { intent: "resend_confirmation", email });
    expect(await mailsTo(email)).toHaveLength(2);
  });

  test("a newer link ends the older one", async () => {
    const email = "newer@example.com";
    const older = await mailedLink(email, "magic_link", "Your sign-in link");
    const newer = await mailedLink(email, "magic_link", "Your sign-in link");
    expect(newer.token_hash).not.toBe(older.token_hash);
    expect((await new Visitor().post("/auth/confirm", older)).status).toBe(400);
    expect((await new Visitor().post("/auth/confirm", newer)).status).toBe(303);
  });

  testInProof.each(["forged-code", "", "a".repeat(5_000), "<script>"])(
    "a provider's code %j leads back to the form",
    async (code) => {
      const visitor = new Visitor();
      const from = `/auth/callback?${new URLSearchParams({ code })}`;
      const { response, url } = await visitor.arrive(await visitor.request(from), from);
      expect([response.status, url.pathname]).toEqual([200, "/signin"]);
      expect(await response.text()).toMatch(/role="alert"/);
    },
  );
});
