import { beforeEach, expect, test, vi } from "vitest";
import { startTurnstileFake } from "../../../fakes/turnstile/fake.ts";
import { localSecretKey, localSiteKey, Tokens } from "../../../fakes/turnstile/tokens.ts";

let tokens: Tokens;
beforeEach(() => {
  tokens = new Tokens();
});

const secret = localSecretKey;
const solved = { sitekey: localSiteKey, hostname: "localhost", action: "sign_up", cdata: "" };
const codes = (body: unknown) => tokens.verify(body)["error-codes"];

test("a token says for which host and form it was given, once", () => {
  const response = tokens.issue(solved);
  expect(tokens.verify({ secret, response })).toMatchObject({
    success: true,
    "error-codes": [],
    hostname: "localhost",
    action: "sign_up",
    challenge_ts: expect.stringMatching(/^\d{4}-\d\d-\d\dT.*Z$/),
  });
  expect(codes({ secret, response })).toEqual(["timeout-or-duplicate"]);
});

test("with the same idempotency key the same answer comes again, with another it does not", () => {
  const response = tokens.issue(solved);
  const idempotency_key = crypto.randomUUID();
  expect(tokens.verify({ secret, response, idempotency_key }).success).toBe(true);
  expect(tokens.verify({ secret, response, idempotency_key }).success).toBe(true);
  const another = { secret, response, idempotency_key: crypto.randomUUID() };
  expect(codes(another)).toEqual(["timeout-or-duplicate"]);
});

test("a token is good for five minutes", () => {
  const [early, late] = [tokens.issue(solved), tokens.issue(solved)];
  tokens.advance(299);
  expect(tokens.verify({ secret, response: early }).success).toBe(true);
  tokens.advance(2);
  expect(codes({ secret, response: late })).toEqual(["timeout-or-duplicate"]);
});

test.each([
  [{}, "missing-input-secret"],
  [{ secret: "0x4another" }, "invalid-input-secret"],
  [{ secret }, "missing-input-response"],
  [{ secret, response: "made.up" }, "invalid-input-response"],
  [{ secret, response: "made.up", idempotency_key: "no uuid" }, "bad-request"],
  [{ secret, response: "XXXX.DUMMY.TOKEN.XXXX" }, "invalid-input-response"],
  [undefined, "bad-request"],
])("%j is refused with %s", (body, code) => {
  expect(codes(body)).toEqual([code]);
});

test("Cloudflare's keys for tests: passing, failing, already spent, whatever the token", () => {
  const ofTest = (digit: string) => ({
    secret: `${digit}x0000000000000000000000000000000AA`,
    response: tokens.issue({ ...solved, sitekey: "1x00000000000000000000AA" }),
  });
  expect(ofTest("1").response).toBe("XXXX.DUMMY.TOKEN.XXXX");
  expect(tokens.verify(ofTest("1"))).toMatchObject({ success: true, hostname: "example.com" });
  expect(codes(ofTest("2"))).toEqual(["invalid-input-response"]);
  expect(codes(ofTest("3"))).toEqual(["timeout-or-duplicate"]);
});

test("it does not start in production", async () => {
  vi.stubEnv("NODE_ENV", "production");
  await expect(startTurnstileFake({ port: 0 })).rejects.toThrow(/does not start/);
  vi.unstubAllEnvs();
});
