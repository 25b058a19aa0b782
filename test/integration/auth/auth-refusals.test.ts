import { beforeEach, expect, test } from "vitest";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { siteWithFaults, startSiteWithFaults } from "../../support/faults/site-with-faults.ts";
import { testInProof } from "../../support/run/variants.ts";
import { refuseAtAuthServer } from "../../support/site/control-fakes.ts";
import { signedIn, Visitor } from "../../support/site/visitor.ts";

const site = siteWithFaults({ SIGN_IN_SMS: "on" });
// Limits count accounts, and outlive a test: each has an address of its own.
let email: string;
beforeEach(() => {
  email = `ada.${crypto.randomUUID().slice(0, 8)}@example.com`;
});
const password = "four quiet servers hum";
const fault = "This did not work because of a fault on our side or at our sign-in service";
const noMail = "We cannot send mail right now, so nothing was sent. The fault is on our side.";
const notOffered = "Signing in this way is not set up on this site.";

const forms = (): Record<string, [path: string, fields: Record<string, string>]> => ({
  "a password": ["/auth/v1/token?grant_type=password", { intent: "sign_in", email, password }],
  "signing up": ["/auth/v1/signup", { intent: "sign_up", email, password }],
  "a confirmation": ["/auth/v1/resend", { intent: "resend_confirmation", email }],
  "a reset": ["/auth/v1/recover", { intent: "forgotten_password", email }],
  "a link": ["/auth/v1/otp", { intent: "magic_link", email }],
  "a code": ["/auth/v1/verify", { intent: "verify_code", email, code: "123456" }],
});

const settings: [status: number, error_code: string, msg: string, says: string][] = [
  [400, "captcha_failed", "captcha protection: request disallowed (no captcha_token found)", fault],
  [422, "hook_timeout", "Failed to reach hook within maximum time of 5.000000 seconds", fault],
  [422, "email_provider_disabled", "Email logins are disabled", notOffered],
  [400, "email_address_not_authorized", 'Email address "ada@example.com" cannot be used', noMail],
  [400, "a_code_of_next_year", "Something new about ada@example.com", fault],
];

testInProof.each(settings)(
  "%i %s is not blamed on what was typed, and is logged",
  async (status, error_code, msg, says) => {
    for (const [name, [path, fields]] of Object.entries(forms())) {
      const visitor = new Visitor(site().url);
      // A code is taken where it was asked for.
      if ("code" in fields) await postSignIn(visitor, { intent: "magic_link", email });
      site().recover();
      await refuseAtAuthServer({ path, status, error_code, msg });
      const answer = await postSignIn(visitor, fields);
      expect(answer.status, name).toBe(503);
      expect(answer.view.alert, name).toContain(says);
      expect(await site().logged({ level: "error", code: error_code }), name).toHaveLength(1);
      expect(site().everyLogLine().join(), name).not.toMatch(/ada[^"]*@example/);
    }
  },
);

const closed = {
  status: 422,
  error_code: "signup_disabled",
  msg: "Signups not allowed for this instance",
};

test("where sign-ups are off, a link is promised to every address, and signing up is refused to every one", async () => {
  await refuseAtAuthServer({ path: "/auth/v1/otp", ...closed });
  const unknown = await postSignIn(new Visitor(site().url), { intent: "magic_link", email });
  const known = await postSignIn(new Visitor(site().url), {
    intent: "magic_link",
    email: "bob@example.com",
  });
  expect([unknown.status, unknown.view.status]).toEqual([known.status, known.view.status]);
  expect(unknown.view.status).toContain("Check your email for the magic link");

  await refuseAtAuthServer({ path: "/auth/v1/signup", ...closed });
  const signUp = await postSignIn(new Visitor(site().url), { intent: "sign_up", email, password });
  expect([signUp.status, signUp.view.alert]).toEqual([
    403,
    "This site takes no new accounts at the moment.",
  ]);
});

testInProof(
  "the auth server's limit of one mail a minute to a person is no failure, nor does the answer show it",
  async () => {
    const msg = "For security purposes, you can only request this after 42 seconds.";
    const refusal = { status: 429, error_code: "over_email_send_rate_limit", msg };
    await refuseAtAuthServer({ path: "/auth/v1/otp", ...refusal });
    const answer = await postSignIn(new Visitor(site().url), { intent: "magic_link", email });
    expect([answer.status, answer.view.status]).toEqual([
      200,
      "Check your email for the magic link",
    ]);
  },
);

testInProof(
  "when the project's mails are used up everybody reads it for a minute, with an account or without",
  async () => {
    // What a Worker remembers of it goes with the Worker.
    await using freshSite = await startSiteWithFaults();
    await refuseAtAuthServer({
      path: "/auth/v1/signup",
      status: 429,
      error_code: "over_email_send_rate_limit",
      msg: "email rate limit exceeded",
    });
    const first = await postSignIn(new Visitor(freshSite.url), {
      intent: "sign_up",
      email,
      password,
    });
    expect(first.status).toBe(503);
    expect(first.view.alert).toContain(noMail);
    expect(
      await freshSite.logged({ level: "error", code: "over_email_send_rate_limit" }),
    ).toHaveLength(1);

    freshSite.supabaseProxy.behave();
    for (const intent of ["sign_up", "resend_confirmation", "forgotten_password", "magic_link"]) {
      for (const address of [email, "nobody@example.com"]) {
        const answer = await postSignIn(new Visitor(freshSite.url), {
          intent,
          email: address,
          password,
        });
        expect([answer.status, answer.view.alert.includes(noMail)], intent).toEqual([503, true]);
      }
    }
    const customer = await signedIn("customer.one@example.com", freshSite.url);
    const change = await customer.post("/dashboard/account", {
      intent: "change_email",
      email: "new@example.com",
    });
    expect(change.status).toBe(503);
    expect(await change.text()).toContain(noMail);
  },
);

testInProof("too many exchanges of codes are not called an expired sign-in", async () => {
  await refuseAtAuthServer({
    path: "/auth/v1/token?grant_type=pkce",
    status: 429,
    error_code: "over_request_rate_limit",
    msg: "Request rate limit reached",
  });
  const visitor = new Visitor(site().url);
  await expect(visitor.signInWithGoogle("customer.one@example.com")).rejects.toThrow(
    "problem=too-often",
  );
});

testInProof(
  "a visitor who is sent to the home page with an error reads what happened, signed in or not",
  async () => {
    const address = "/?error=invalid_request&error_code=bad_oauth_state&error_description=internal";
    const visitor = new Visitor(site().url);
    const response = await visitor.request(address);
    expect([response.status, response.headers.get("cache-control")]).toEqual([303, "no-store"]);
    const page = await visitor.arrive(response, address);
    expect(await page.response.text()).toContain("This sign-in has expired or was already used.");

    const customer = await signedIn("customer.one@example.com", site().url);
    const theirs = await customer.arrive(await customer.request(address), address);
    expect(theirs.url.pathname).toBe("/dashboard/account");
    expect(await theirs.response.text()).toContain("The provider was not connected.");

    // The page that everybody is given is still the page.
    expect((await visitor.request("/")).status).toBe(200);
  },
);
