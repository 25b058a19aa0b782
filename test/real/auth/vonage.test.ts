import { expect, test } from "vitest";
import { change } from "../../support/auth/account.ts";
import { signedInByPassword, someoneWithPassword } from "./people.ts";
import { oneRealSite } from "./real-site.ts";

const real = oneRealSite({
  auth: {
    GOTRUE_SMS_PROVIDER: "vonage",
    GOTRUE_SMS_VONAGE_FROM: "Site",
    GOTRUE_SMS_VONAGE_API_KEY: "key",
    GOTRUE_SMS_VONAGE_API_SECRET: "secret",
    GOTRUE_MFA_PHONE_ENROLL_ENABLED: "true",
    GOTRUE_MFA_PHONE_VERIFY_ENABLED: "true",
  },
  site: { SECOND_FACTOR_SMS: "on" },
});

test("a second provider of texts: by Supabase's settings alone, the site has none for it", async () => {
  const owner = await signedInByPassword(await someoneWithPassword());
  const { page } = await change(owner, { intent: "enrol_phone", phone: "+491511234561" });
  expect(page).toContain("We texted a code to +491511234561.");
  expect(real().texts).toMatchObject([
    { to: "+491511234561", text: expect.stringContaining("is your code for LiveKit Deploy") },
  ]);
});
