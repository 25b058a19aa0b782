import { expect, test } from "vitest";
import { readFragment } from "~/features/deployments/connection-test/link.ts";
import { isFrameOrigin, readOrigins } from "~/features/deployments/embedded-test/embed.ts";
import { reportOf } from "~/features/deployments/embedded-test/report.ts";
import { testRoomPrefix } from "~/features/deployments/test-room/room-name.ts";
import { failedResult, goodResult } from "../../../support/deployments/test-results.ts";
import { sampleCode } from "../../../support/documentation/samples.ts";

test("sites are read one a line, as browsers write them, each once", () => {
  expect(
    readOrigins("https://Help.Example.com\n https://help.example.com/ , https://münchen.de:8443"),
  ).toEqual({ origins: ["https://help.example.com", "https://xn--mnchen-3ya.de:8443"] });
  expect(readOrigins("http://localhost:5173")).toEqual({ origins: ["http://localhost:5173"] });
});

test.each([
  "",
  "help.example.com",
  "*",
  "https://*.example.com",
  "http://help.example.com",
  "https://help.example.com/page",
  "https://help.example.com?page",
  "https://ada@help.example.com",
  "https://help.example.com;script-src",
  "https://[::1]",
  "javascript:alert(1)",
  "data:text/html,x",
  "null",
  "'self'",
  Array.from({ length: 11 }, (_, at) => `https://help${at}.example.com`).join("\n"),
])("no pages are allowed by %j", (typed) => {
  expect(readOrigins(typed)).toEqual({ refusal: expect.any(String) });
});

test.each(["https://a.example; script-src *", "https://a.example 'self'", "https://a.example\n*"])(
  "%j is in no policy, whatever the database holds",
  (stored) => {
    expect(isFrameOrigin(stored)).toBe(false);
  },
);

test("the fragment holds the token, and the customer's mark if that is of letters and digits", () => {
  expect(readFragment("")).toEqual({ token: "" });
  expect(readFragment("#a.b.c")).toEqual({ token: "a.b.c" });
  expect(readFragment("#a.b.c&reference=ticket-4711")).toEqual({
    ...{ token: "a.b.c", reference: "ticket-4711" },
  });
  for (const mark of ["", "<b>", "a b", "x".repeat(65)]) {
    expect(readFragment(`#a.b.c&reference=${mark}`)).toEqual({ token: "a.b.c" });
  }
});

const found = {
  deployment: { id: "d", name: "Production" },
  embed: { id: "e", label: "Help" },
  server: { domain: "media.example.com", mediaPorts: "7881/tcp", hasTurnByTls: true },
};

test("the webhook's report has the sentence, what to do and the result, and no address", () => {
  expect(reportOf(found, goodResult, "ticket-4711")).toEqual({
    ...{ deployment: found.deployment, embed: found.embed, domain: "media.example.com" },
    ...{ reference: "ticket-4711", grade: "good", confidence: "certain" },
    title: "Calls take the best way here: straight to the server, over UDP.",
    in_that_network: ["Nothing needs to be done in this network."],
    on_the_server: [],
    result: goodResult,
  });
});

test("what our site saw of the server at the same time counts in the report", () => {
  const stored = { ...failedResult("unreachable"), outside: "livekit" as const };
  expect(reportOf(found, stored, undefined)).toMatchObject({
    ...{ grade: "failed", confidence: "likely", reference: null },
    title: "This network does not let anybody reach media.example.com. Our site reaches it.",
  });
});

test("the documented token names a room as the frame wants it", () => {
  expect(sampleCode("connection-test", "test-token.ts")).toContain(`room: \`${testRoomPrefix}-`);
});
