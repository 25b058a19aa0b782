import { readFileSync } from "node:fs";
import {
  AuthApiError,
  AuthSessionMissingError,
  AuthWeakPasswordError,
} from "@supabase/supabase-js";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { signInFailures } from "~/content/sign-in-labels";
import { failureOf, failureOfSending } from "~/features/auth/auth-errors.server";
import { meaningOf } from "~/platform/auth-server/auth-refusals";

const otherwise = "What was typed does not fit.";
const { signUpClosed, mailUnavailable, textUnavailable, notOffered, fault } = signInFailures;
const rateMessage = "For security purposes, you can only request this after 42 seconds.";

/** What was logged, as an operator reads it. */
const lines: Record<string, unknown>[] = [];

beforeEach(() => {
  lines.length = 0;
  for (const level of ["warn", "error"] as const) {
    vi.spyOn(console, level).mockImplementation((line) => void lines.push(JSON.parse(line)));
  }
});
afterEach(() => vi.restoreAllMocks());

const published = readFileSync("node_modules/@supabase/auth-js/src/lib/error-codes.ts", "utf8");
const everyCode = [...published.matchAll(/\| '([a-z_]+)'/g)].map(([, code = ""]) => code);

test("the client's list of codes is read whole", () => {
  expect(everyCode.length).toBeGreaterThan(80);
  expect(everyCode).toContain("over_email_send_rate_limit");
});

test.each(everyCode)("%s has a meaning of its own", (code) => {
  expect(meaningOf({ code, status: 400, message: "" })).toBeDefined();
});

// Who is to blame decides what is said and how it is logged.
const refusals: [
  code: string | undefined,
  status: number,
  message: string,
  says: string,
  ours: boolean,
][] = [
  ["invalid_credentials", 400, "Invalid login credentials", otherwise, false],
  ["email_not_confirmed", 400, "Email not confirmed", otherwise, false],
  ["otp_expired", 403, "Token has expired or is invalid", otherwise, false],
  ["email_address_invalid", 400, 'Email address "ada@example.com" is invalid', otherwise, false],
  ["user_banned", 403, "User is banned", otherwise, false],
  [
    "over_request_rate_limit",
    429,
    "Request rate limit reached",
    "Too many attempts. Please wait a minute and try again.",
    false,
  ],
  [undefined, 429, "", "Too many attempts. Please wait a minute and try again.", false],
  ["over_email_send_rate_limit", 429, rateMessage, otherwise, false],
  ["session_expired", 403, "Session is no longer valid", "Sign in to continue.", false],
  ["signup_disabled", 422, "Signups not allowed for this instance", signUpClosed, false],
  [
    "reauthentication_needed",
    400,
    "Password update requires reauthentication",
    signInFailures.signInAgain,
    false,
  ],
  ["over_email_send_rate_limit", 429, "email rate limit exceeded", mailUnavailable, true],
  ["email_address_not_authorized", 400, "Email address not authorized", mailUnavailable, true],
  ["over_sms_send_rate_limit", 429, "SMS rate limit exceeded", textUnavailable, true],
  ["sms_send_failed", 422, "Error sending sms OTP to provider", textUnavailable, true],
  ["email_provider_disabled", 422, "Email logins are disabled", notOffered, true],
  ["phone_provider_disabled", 400, "Unsupported phone provider", notOffered, true],
  ["captcha_failed", 400, "captcha protection: request disallowed", fault, true],
  ["hook_timeout", 422, "Failed to reach hook within maximum time", fault, true],
  ["hook_timeout_after_retry", 422, "Failed to reach hook after maximum retries", fault, true],
  ["hook_payload_over_size_limit", 422, "Payload size exceeded", fault, true],
  ["a_code_of_next_year", 400, "Something new about ada@example.com", fault, true],
  [undefined, 400, "Something without a code", fault, true],
];

test.each(refusals)("%s (%i, %s) says: %s", (code, status, message, says, ours) => {
  const failure = failureOf(new AuthApiError(message, status, code), otherwise);
  expect(failure.message).toBe(says);
  expect(failure.status === 503).toBe(ours);
  expect(lines).toEqual([expect.objectContaining({ level: ours ? "error" : "warn", status })]);
  expect(lines[0]?.code).toBe(code);
  expect(JSON.stringify(lines)).not.toContain("ada@example.com");
});

test.each([
  ["user_already_exists", "User already registered"],
  ["email_exists", "A user with this email address has already been registered"],
  ["otp_disabled", "Signups not allowed for otp"],
  ["signup_disabled", "Signups not allowed for this instance"],
  ["user_banned", "User is banned"],
  ["user_not_found", "User not found"],
  ["over_email_send_rate_limit", rateMessage],
  ["over_sms_send_rate_limit", rateMessage],
])(
  "a form that mails something keeps %s to itself, and logs it without personal data",
  (code, message) => {
    const error = new AuthApiError(message, 422, code);
    expect(failureOfSending(error, otherwise)).toBeUndefined();
    expect(lines).toEqual([expect.objectContaining({ level: "warn", code })]);
  },
);

test("but that no mail can be sent to anybody it says to everybody", () => {
  const error = new AuthApiError("email rate limit exceeded", 429, "over_email_send_rate_limit");
  expect(failureOfSending(error, otherwise)).toMatchObject({
    status: 503,
    message: mailUnavailable,
  });
});

test("a session that is missing is over, and no fault", () => {
  const failure = failureOf(new AuthSessionMissingError(), otherwise);
  expect([failure.status, failure.message]).toEqual([401, "Sign in to continue."]);
});

// The server's own sentence for each choice of a project.
const [small, capital, digits] = [
  "abcdefghijklmnopqrstuvwxyz",
  "ABCDEFGHIJKLMNOPQRSTUVWXYZ",
  "0123456789",
];
const symbols = "!@#$%^&*()_+-=[]{};'\\:\"|<>?,./`~";

test.each([
  [[small + capital, digits], "It needs a letter and a digit."],
  [[small, capital, digits], "It needs a small letter, a capital letter and a digit."],
  [
    [small, capital, digits, symbols],
    "It needs a small letter, a capital letter, a digit and a symbol.",
  ],
  [["äöü"], "It does not follow the rules of this site."],
])("a password that lacks the sets %s is refused with: %s", (sets, sentence) => {
  const message = `Password should contain at least one character of each: ${sets.join(", ")}.`;
  const error = new AuthWeakPasswordError(message, 422, ["characters"]);
  const failure = failureOf(error, otherwise);
  expect([failure.status, failure.reasons]).toEqual([422, [sentence]]);
});
