import { expect, test } from "vitest";
import { change } from "../../support/auth/account.ts";
import { mailsTo } from "../../support/auth/inbox.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { newAddress, password, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

// None is left from the start, as for the rest of an hour in which a project's mails are used up.
const real = oneRealSite({ auth: { GOTRUE_RATE_LIMIT_EMAIL_SENT: "0" } });

test.each(["magic_link", "forgotten_password", "sign_up"])(
  "when the project's mails of this hour are used up, %s says so and is logged",
  async (intent) => {
    const email = intent === "forgotten_password" ? await someoneWithPassword() : newAddress();
    real().takeLogs();
    const { status, view } = await postSignIn(new Visitor(), { intent, email, password });
    expect(status).toBeGreaterThanOrEqual(400);
    expect(view.status).toBe("");
    expect(view.alert).toMatch(/mail/i);
    expect(await mailsTo(email)).toEqual([]);
    expect(JSON.stringify(real().takeLogs())).toContain("over_email_send_rate_limit");
  },
);

test("so does a change of address, which then is none", async () => {
  const visitor = await signedInByPassword(await someoneWithPassword());
  const { status, alert } = await change(visitor, {
    intent: "change_email",
    email: newAddress("new"),
  });
  expect(status).toBeGreaterThanOrEqual(400);
  expect(alert).toMatch(/mail/i);
});
