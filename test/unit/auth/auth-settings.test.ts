import { readFileSync } from "node:fs";
import { parse } from "smol-toml";
import { expect, test } from "vitest";
import * as z from "zod";

const text = readFileSync("supabase/config.toml", "utf8");
const operations = readFileSync("docs/operations.md", "utf8");
const { auth } = z
  .looseObject({
    auth: z.looseObject({
      external: z.record(z.string(), z.looseObject({ enabled: z.boolean() })),
    }),
  })
  .parse(parse(text));

test("the settings of sign-in that a hosted project gets are those that we promise", () => {
  expect(auth).toMatchObject({
    // The links in mails would have two.
    site_url: expect.not.stringMatching(/\/$/),
    enable_refresh_token_rotation: true,
    refresh_token_reuse_interval: 10,
    enable_manual_linking: false,
    enable_anonymous_sign_ins: true,
    minimum_password_length: 8,
    email: {
      enable_confirmations: true,
      double_confirm_changes: true,
      secure_password_change: true,
      max_frequency: "60s",
      otp_length: 8,
      otp_expiry: 3600,
    },
    mfa: { totp: { enroll_enabled: true, verify_enabled: true }, phone: { enroll_enabled: false } },
    // Off until an operator has a provider of texts.
    sms: {
      enable_signup: false,
      enable_confirmations: true,
      twilio: { enabled: false },
      vonage: { enabled: false },
    },
    sessions: { timebox: "720h", inactivity_timeout: "168h" },
  });
});

test("every limit that a push overwrites is stated", () => {
  expect(auth.rate_limit).toEqual({
    token_refresh: 150,
    token_verifications: 30,
    sign_in_sign_ups: 30,
    email_sent: 300,
    sms_sent: 1,
    anonymous_users: 30,
    web3: 1,
  });
});

test("a provider that is off has no id, and the variables of one that is on are in the guide", () => {
  expect(auth.external.google?.enabled).toBe(true);
  for (const [name, provider] of Object.entries(auth.external)) {
    const named = JSON.stringify(provider).match(/env\((\w+)\)/g) ?? [];
    expect(named.length, name).toBe(provider.enabled ? 2 : 0);
    for (const each of named) expect(operations).toContain(`\`${each.slice(4, -1)}\``);
  }
});
