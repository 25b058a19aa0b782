import { expect, test } from "vitest";
import { typedDomain } from "../../../app/features/deployments/words/typed-domain.ts";

test.each([
  ["live.acme.io", "live.acme.io"],
  ["https://live.acme.io/", "live.acme.io"],
  ["wss://live.acme.io:443/rtc?token=x", "live.acme.io"],
  ["  HTTP://live.acme.io  ", "live.acme.io"],
  ["live.acme.io.", "live.acme.io"],
  ["live.acme.io:7880", "live.acme.io"],
  ["ops@acme.io", "ops@acme.io"],
  ["*.acme.io", "*.acme.io"],
  ["https://", ""],
  // What is no domain at all is refused, not lost.
  ["#include", "#include"],
  ["?query", "?query"],
])("%j is the domain %j", (typed, domain) => {
  expect(typedDomain(typed)).toBe(domain);
});
