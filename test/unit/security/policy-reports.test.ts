import { expect, test, vi } from "vitest";
import { noteViolations, violationsIn } from "~/platform/log/policy-reports.server";

const older = (report: object) => JSON.stringify({ "csp-report": report });
const report = (body: object, type = "csp-violation") => ({ type, age: 1, url: "x", body });

test("both ways in which browsers report say the same", () => {
  const violation = { directive: "script-src-elem", blocked: "https", page: "/pricing" };
  expect(
    violationsIn(
      "application/csp-report",
      older({
        "document-uri": "https://site.example/pricing?token_hash=secret#x",
        "effective-directive": "script-src-elem",
        "blocked-uri": "https://evil.example/steal.js?of=ada",
      }),
    ),
  ).toEqual([violation]);
  expect(
    violationsIn(
      "application/reports+json; charset=utf-8",
      JSON.stringify([
        report({
          documentURL: "https://site.example/pricing?token_hash=secret",
          effectiveDirective: "script-src-elem",
          blockedURL: "https://evil.example/steal.js",
          sample: "steal(document.cookie)",
        }),
        report({ message: "old" }, "deprecation"),
      ]),
    ),
  ).toEqual([violation]);
});

test.each([
  ["inline", "inline"],
  ["trusted-types-sink", "trusted-types-sink"],
  ["data", "data"],
  ["blob:https://site.example/1", "blob"],
  ["chrome-extension://abc/x.js", "extension"],
  ["wss://evil.example/", "wss"],
  ["ada@example.com", "unknown"],
  ["https-ada", "unknown"],
  ["", "unknown"],
])("what was blocked, %j, is reported as %j", (blocked, kind) => {
  const [reported] =
    violationsIn("application/csp-report", older({ "blocked-uri": blocked })) ?? [];
  expect(reported?.blocked).toBe(kind);
});

test.each([
  ["https://site.example/", "/"],
  [
    "https://site.example/dashboard/deployments/5f0e2b77-1111-4222-8333-444455556666",
    "/dashboard/deployments",
  ],
  ["https://site.example/ada@example.com", "unknown"],
  ["https://site.example/%0a%22level%22", "unknown"],
  ["about:blank", "unknown"],
  ["nonsense", "unknown"],
])("a page at %s is reported as %s", (page, reportedPage) => {
  const [reported] = violationsIn("application/csp-report", older({ "document-uri": page })) ?? [];
  expect(reported?.page).toBe(reportedPage);
});

test("what somebody made up is no report, or says no word of theirs", () => {
  for (const text of [
    "",
    "null",
    "[]x",
    "{}",
    '{"csp-report":1}',
    '{"csp-report":{"blocked-uri":1}}',
  ]) {
    expect(violationsIn("application/csp-report", text)).toBeUndefined();
  }
  expect(violationsIn("application/reports+json", "{}")).toBeUndefined();
  expect(violationsIn("application/reports+json", "[]")).toEqual([]);
  const directive = 'script-src ada@example.com "level"';
  expect(
    violationsIn("application/csp-report", older({ "effective-directive": directive })),
  ).toEqual([{ directive: "script-src", blocked: "unknown", page: "unknown" }]);
  const many = JSON.stringify(Array.from({ length: 500 }, () => report({})));
  expect(violationsIn("application/reports+json", many)).toHaveLength(10);
});

test("a flood of reports leaves ten lines a minute, and the number of the others", () => {
  const warn = vi.spyOn(console, "warn").mockImplementation(() => undefined);
  try {
    const violation = { directive: "script-src", blocked: "inline", page: "/" };
    const minute = 60_000 * 1_000_000;
    for (let count = 0; count < 500; count++) noteViolations([violation], minute + count);
    expect(warn).toHaveBeenCalledTimes(10);
    noteViolations([violation], minute + 60_000);
    const lines = warn.mock.calls.map(([line]) => JSON.parse(String(line)));
    expect(lines[0]).toEqual({
      level: "warn",
      message: "A page broke its content policy",
      ...violation,
    });
    expect(lines.slice(10)).toEqual([
      { level: "warn", message: "More pages broke their content policy", times: 490 },
      lines[0],
    ]);
  } finally {
    warn.mockRestore();
  }
});
