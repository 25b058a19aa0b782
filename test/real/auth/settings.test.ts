import { expect, test } from "vitest";
import { change } from "../../support/auth/account.ts";
import { linkIn, mailTo } from "../../support/auth/inbox.ts";
import { postSignIn } from "../../support/auth/sign-in-answer.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { Visitor } from "../../support/site/visitor.ts";
import { isIn, newAddress, password, signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

// Settings that somebody may have in the dashboard, other than ours.
oneRealSite({
  auth: {
    GOTRUE_SITE_URL: `${siteUrl}/`,
    GOTRUE_DISABLE_SIGNUP: "true",
    GOTRUE_SECURITY_UPDATE_PASSWORD_REQUIRE_CURRENT_PASSWORD: "true",
  },
});

test("a Site URL that ends in a slash makes links that work all the same", async () => {
  const email = await someoneWithPassword();
  const visitor = new Visitor();
  await visitor.post("/signin", { intent: "magic_link", email });
  const link = siteUrl + linkIn(await mailTo(email, "Your sign-in link"));
  const { response, url } = await visitor.arrive(await visitor.request(link), link);
  expect([response.status, url.pathname]).toEqual([200, "/auth/confirm"]);
  await visitor.post("/auth/confirm", Object.fromEntries(url.searchParams));
  expect(await isIn(visitor)).toBe(true);
});

test.each(["magic_link", "sign_up"])(
  "where sign-ups are off, %s does not reveal who has an account",
  async (intent) => {
    const ask = async (email: string) => {
      const { status, view } = await postSignIn(new Visitor(), { intent, email, password });
      return { status, alert: view.alert, notice: view.status };
    };
    expect(await ask(newAddress())).toEqual(await ask(await someoneWithPassword()));
  },
);

test("where the current password is asked for, a change is made with it, and says what is missing without", async () => {
  const email = await someoneWithPassword();
  const visitor = await signedInByPassword(email);
  const changed = (fields: object) =>
    change(visitor, { intent: "change_password", password: "five loud routers sing", ...fields });
  const without = await changed({});
  expect([without.status, without.alert]).toEqual([400, "Enter your current password."]);
  expect((await changed({ current: password })).location).toContain("done=password-saved");
});
