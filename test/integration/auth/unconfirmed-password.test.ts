import { beforeEach, expect, test } from "vitest";
import { pressLink } from "../../support/auth/account.ts";
import { codeIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { siteWithFaults } from "../../support/faults/site-with-faults.ts";
import { sample, testInProof } from "../../support/run/variants.ts";
import { Visitor } from "../../support/site/visitor.ts";

// Attempts count per address, so every test has an address of its own.
let count = 0;
let email: string;
const password = "chosen by somebody else";
const faultySite = siteWithFaults();

beforeEach(() => {
  email = `owner.${++count}@example.com`;
});

/** Somebody signs up with an address; whether it is theirs nobody knows yet. */
async function signUp(): Promise<void> {
  await new Visitor().post("/signin", { intent: "sign_up", email, password });
}

async function passwordWorks(typed = password): Promise<boolean> {
  const form = { intent: "sign_in", email, password: typed };
  return (await new Visitor().post("/signin", form)).status === 303;
}

test.each<[string, (owner: Visitor) => Promise<unknown>, string?]>(
  sample(
    [
      [
        "a sign-in link",
        async (owner) => {
          await owner.post("/signin", { intent: "magic_link", email });
          await pressLink(email, "Your sign-in link", owner);
        },
      ],
      [
        "a mailed code",
        async (owner) => {
          await owner.post("/signin", { intent: "magic_link", email });
          const code = codeIn(await mailTo(email, "Your sign-in link"));
          await owner.post("/signin", { intent: "verify_code", email, code, kind: "email" });
        },
      ],
      [
        "a reset link, without choosing a password",
        async (owner) => {
          await owner.post("/signin", { intent: "forgotten_password", email });
          await pressLink(email, "Choose a new password", owner);
        },
      ],
      ["Google", (owner) => owner.signInWithGoogle(email), "customer.one@example.com"],
    ],
    1,
  ),
)(
  "a stranger's unconfirmed password ends when the owner comes by %s",
  async (_, come, atGoogle) => {
    if (atGoogle) email = atGoogle;
    await signUp();
    const owner = new Visitor();
    await come(owner);
    expect((await owner.request("/dashboard")).status).toBe(200);
    expect(await passwordWorks()).toBe(false);
  },
);

testInProof(
  "a sign-up's own link keeps its password, and strangers who ask for links do not end it",
  async () => {
    await signUp();
    await pressLink(email, "Confirm your e-mail address");
    expect(await passwordWorks()).toBe(true);
    await new Visitor().post("/signin", { intent: "magic_link", email });
    await new Visitor().post("/signin", { intent: "forgotten_password", email });
    expect(await passwordWorks()).toBe(true);
  },
);

/** The owner signs up after a stranger has, with a password of their own. */
async function signUpAgain(secret: string): Promise<Visitor> {
  await signUp();
  const owner = new Visitor();
  const typed = { email: email.replace("o", "O"), password: secret };
  await owner.post("/signin", { intent: "sign_up", ...typed });
  return owner;
}

testInProof(
  "a user who signs up after a stranger chooses a password on arrival, once",
  async () => {
    const secret = "four quiet servers hum";
    const owner = await signUpAgain(secret);
    const confirmed = await pressLink(email, "Confirm your e-mail address", owner);
    const chooses = "/signin?done=address-confirmed#auth-update-password";
    expect(confirmed.headers.get("location")).toBe(chooses);
    const page = await (await owner.request(chooses)).text();
    expect(page).toMatch(/role="status"[^>]*><span>[^<]*Choose one now\./);
    expect(await Promise.all([passwordWorks(), passwordWorks(secret)])).toEqual([false, false]);
    await owner.post("/signin", { intent: "update_password", password: secret });
    expect(await Promise.all([passwordWorks(), passwordWorks(secret)])).toEqual([false, true]);

    await owner.post("/signin", { intent: "magic_link", email });
    const later = await pressLink(email, "Your sign-in link", owner);
    expect(later.headers.get("location")).toBe("/dashboard");
  },
);

testInProof(
  "the code of a second sign-up's mail leads there too, and the way on needs no new password",
  async () => {
    const owner = await signUpAgain("four quiet servers hum");
    const code = codeIn(await mailTo(email, "Confirm your e-mail address"));
    const form = { intent: "verify_code", email, code, kind: "email", next: "/dashboard/account" };
    const { url, response } = await owner.arrive(await owner.post("/signin", form), "/signin");
    expect(url.hash).toBe("#auth-update-password");
    const wayOn = /href="([^"]*)"[^>]*>Continue without a new password</.exec(
      await response.text(),
    );
    expect(wayOn?.[1]).toBe("/dashboard/account");
    expect((await owner.request("/dashboard/account")).status).toBe(200);
  },
);

testInProof.each(
  sample(
    [
      ["one sign-up", ["sign_up"], "Confirm your e-mail address"],
      [
        "a stranger's sign-up and a link of their own",
        ["sign_up", "magic_link"],
        "Your sign-in link",
      ],
      ["a sign-in link asked for twice", ["magic_link", "magic_link"], "Your sign-in link"],
    ],
    1,
  ),
)("nobody is asked for a new password after %s", async (_, intents, subject) => {
  for (const intent of intents) await new Visitor().post("/signin", { intent, email, password });
  const arrival = await pressLink(email, subject);
  expect(arrival.headers.get("location")).toBe("/dashboard");
});

testInProof.each(["magic_link", "forgotten_password", "sign_up"])(
  "no link goes out for %s while the password cannot be ended",
  async (intent) => {
    await signUp();
    const before = (await mailsTo(email)).length;
    faultySite().supabaseProxy.behave(async ({ path }, forward) =>
      path.endsWith("/void_unconfirmed_password") ? { status: 500, body: "{}" } : forward(),
    );
    const response = await new Visitor(faultySite().url).post("/signin", {
      intent,
      email,
      password,
    });
    expect(response.status).toBe(503);
    expect((await mailsTo(email)).length).toBe(before);
  },
);
