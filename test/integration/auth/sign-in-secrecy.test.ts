import { beforeAll, expect, test } from "vitest";
import { linkIn, mailsTo, mailTo } from "../../support/auth/inbox.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { sample } from "../../support/run/variants.ts";
import { resetFakes } from "../../support/site/control-fakes.ts";
import { Visitor } from "../../support/site/visitor.ts";

// The site answers on whole seconds, so these wait at the same time. Each has accounts of its own:
// attempts count against them.
const password = "four quiet servers hum";

beforeAll(resetFakes);

/** All are of one length, so that an answer's length reveals nothing either. */
const somebody = () => `${crypto.randomUUID()}@example.com`;

async function confirmedAccount(): Promise<string> {
  const email = somebody();
  const owner = new Visitor();
  await owner.post("/signin", { intent: "sign_up", email, password });
  const link = new URL(linkIn(await mailTo(email, "Confirm your e-mail address")), owner.siteUrl);
  const confirmed = await owner.post("/auth/confirm", Object.fromEntries(link.searchParams));
  expect(confirmed.headers.get("location")).toBe("/dashboard");
  return email;
}

/** Everything that a stranger sees of an answer, with the address itself left out. */
async function visibleAnswer(fields: Record<string, string> & { email: string }) {
  const visitor = new Visitor();
  // A code is looked at where one was asked for.
  if (fields.intent === "verify_code") {
    await visitor.post("/signin", { intent: "magic_link", email: fields.email });
  }
  const { status, headers, page, view } = await postSignIn(visitor, fields);
  const headersOfAnswer = [...headers].filter(([name]) => !["date", "x-request-id"].includes(name));
  return {
    status,
    message: view.alert || view.status,
    page: page.replaceAll(fields.email, "ADDRESS"),
    // The page's data is a script with the address in it, and so is that script's hash.
    // The cookie that remembers the address is sealed: each is another one, of the same length.
    headers: headersOfAnswer.map(([name, value]) => [
      name,
      value
        .replace(/'sha256-[^']*'/g, "HASH")
        .replace(/(code-request=)([^;]*)/, (_, cookie, sealed) => cookie + sealed.length),
    ]),
  };
}

test.concurrent.each(
  sample(
    [
      ["a wrong password", { intent: "sign_in", password: "not the password" }],
      ["signing up", { intent: "sign_up", password }],
      ["a confirmation sent again", { intent: "resend_confirmation" }],
      ["a reset", { intent: "forgotten_password" }],
      ["a sign-in link", { intent: "magic_link" }],
      ["a wrong code", { intent: "verify_code", code: "123456" }],
    ] as const,
    1,
  ),
)("%s is answered alike for an account and for none", async (_, fields) => {
  const ofKnown = await visibleAnswer({ ...fields, email: await confirmedAccount() });
  const ofStranger = await visibleAnswer({ ...fields, email: somebody() });
  expect(ofKnown.message).not.toBe("");
  expect(ofKnown).toEqual(ofStranger);
});

test.concurrent("an unconfirmed account is answered like a wrong password", async () => {
  const email = somebody();
  await new Visitor().post("/signin", { intent: "sign_up", email, password });
  const right = await visibleAnswer({ intent: "sign_in", email, password });
  expect(right).toEqual(await visibleAnswer({ intent: "sign_in", email: somebody(), password }));
  expect(right.status).toBe(400);
});

test.concurrent("a reset for an unknown address mails nobody", async () => {
  const stranger = somebody();
  await visibleAnswer({ intent: "forgotten_password", email: stranger });
  expect(await mailsTo(stranger)).toEqual([]);
});
