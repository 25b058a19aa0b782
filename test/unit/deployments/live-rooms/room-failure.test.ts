import { expect, test } from "vitest";
import {
  failureWords,
  refusalIn,
} from "../../../../app/features/deployments/live-rooms/room-failure.ts";

// As LiveKit v1.13.11 answers, and what stands where it does not.
test.each([
  [401, "invalid authorization token: token has invalid claims: token is expired", "token-ended"],
  [401, '{"code":"unauthenticated","msg":"permissions denied"}', "token-grant"],
  [403, '{"code":"permission_denied","msg":"permissions denied"}', "token-grant"],
  [401, "invalid API key: APIother", "unknown-key"],
  [401, "invalid token: eyJ.a.b, error: token signature is invalid", "wrong-secret"],
  [404, '{"code":"not_found","msg":"requested room does not exist"}', "gone"],
  [404, '{"code":"not_found","msg":"participant does not exist"}', "gone"],
  [404, "404 page not found", "not-livekit"],
  [502, "Bad Gateway", "not-livekit"],
  [200, "<html>", "not-livekit"],
] as const)("%i %s means %s", (status, text, failure) => {
  expect(refusalIn(status, text)).toBe(failure);
});

test("a token never stands in a message, although LiveKit puts it into its own", () => {
  const { title, steps } = failureWords(
    refusalIn(401, "invalid token: eyJ.a.b, error: token signature is invalid"),
    "media.example.com",
  );
  expect([title, ...steps].join(" ")).not.toContain("eyJ");
});

test("where nothing came every cause is named that a browser does not tell apart", () => {
  const { steps, showsAddress } = failureWords("unreachable", "media.example.com");
  expect(showsAddress).toBe(true);
  for (const words of ["A record", "certificate", "port 443", "proxy"]) {
    expect(steps.join(" ")).toContain(words);
  }
});
