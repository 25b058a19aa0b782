import { expect, test } from "vitest";
import { browserName, browserOf } from "~/features/deployments/connection-test/browser.ts";
import { resultSchema, type TestResult } from "~/features/deployments/connection-test/result.ts";

const good: TestResult = {
  browser: { family: "firefox", version: 144 },
  usual: { state: "connected", by: "udp", port: 50_001, connectMs: 312, roundTripMs: 21 },
  tcp: { state: "failed", failure: "not-forced", afterMs: 20_000 },
  relay: { state: "skipped" },
};

test("a result is words of lists and numbers", () => {
  expect(resultSchema.safeParse(good).success).toBe(true);
});

test.each<[string, unknown]>([
  ["free text beside it", { ...good, note: "hello" }],
  ["an address", { ...good, usual: { ...good.usual, address: "192.0.2.1" } }],
  ["a browser of its own words", { ...good, browser: { family: "<b>", version: 1 } }],
  ["a version that is text", { ...good, browser: { family: "chrome", version: "141" } }],
  ["an unknown way", { ...good, usual: { ...good.usual, by: "pigeon" } }],
  ["an unknown failure", { ...good, tcp: { ...good.tcp, failure: "eyJhbGciOi" } }],
  ["a number that is none of these", { ...good, usual: { ...good.usual, connectMs: 1e12 } }],
  ["a port that is none", { ...good, usual: { ...good.usual, port: 65_536 } }],
  ["a way too few", { browser: good.browser, usual: good.usual, tcp: good.tcp }],
])("a result with %s is refused", (_, sent) => {
  expect(resultSchema.safeParse(sent).success).toBe(false);
});

const webkit = "AppleWebKit/537.36 (KHTML, like Gecko)";

test.each([
  [`Mozilla/5.0 (X11; Linux x86_64) ${webkit} Chrome/141.0.0.0 Safari/537.36`, "Chrome 141"],
  [`Mozilla/5.0 ${webkit} Chrome/140.0.0.0 Safari/537.36 Edg/140.0.1.2`, "Edge 140"],
  ["Mozilla/5.0 (X11; Linux x86_64; rv:144.0) Gecko/20100101 Firefox/144.0", "Firefox 144"],
  [
    "Mozilla/5.0 (Macintosh) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/26.1 Safari/605.1.15",
    "Safari 26",
  ],
  [
    "Mozilla/5.0 (iPhone) AppleWebKit/605.1.15 (KHTML, like Gecko) Version/18.5 Mobile/15E148 Safari/604.1",
    "Safari 18",
  ],
  ["Somebody/1.0 of 192.0.2.7", "Another browser"],
])("of %j only family and version are kept", (userAgent, name) => {
  expect(browserName(browserOf(userAgent))).toBe(name);
});
