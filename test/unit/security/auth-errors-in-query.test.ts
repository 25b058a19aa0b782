import { expect, test } from "vitest";
import { leadToSignIn } from "../../../workers/origin/auth-errors-in-query.ts";

const location = (address: string, method = "GET") =>
  leadToSignIn(new Request(`https://example.com${address}`, { method }))?.headers.get("location");

test.each([
  ["/?error=invalid_request&error_code=bad_oauth_state&error_description=x", "expired"],
  ["/pricing?error=access_denied&error_code=user_banned", "refused"],
  ["/?error=server_error&error_code=unexpected_failure", "fault"],
  ["/?error=x&error_code=never_heard_of", "fault"],
  ["/docs?error=access_denied&error_description=The+user+denied+access", "cancelled"],
  ["/dashboard/account?error=access_denied&error_code=otp_expired", "link-expired"],
  ["/no/such/page?error=access_denied&error_code=otp_expired", "link-expired"],
])("%s leads to words for it", (address, problem) => {
  expect(location(address)).toBe(`/signin?problem=${problem}#auth-sign-in`);
});

test.each([
  "/",
  "/?error=invalid_request",
  "/?error_description=x",
  "/?error_code=bad_oauth_state",
  "/?error=x&error_code=<script>",
  "/signin?error=invalid_request&error_code=bad_oauth_state",
  "/signup?error=access_denied&error_description=x",
  "/google-services/connected?error=access_denied&error_description=x",
  "/api/stripe-webhook?error=x&error_code=bad_oauth_state",
  "/pricing.data?error=x&error_code=bad_oauth_state",
  "/auth/callback?error=invalid_request&error_code=bad_oauth_state",
])("%s stays where it is", (address) => {
  expect(location(address)).toBeUndefined();
});

test("a post stays where it is", () => {
  expect(location("/?error=x&error_code=bad_oauth_state", "POST")).toBeUndefined();
});
