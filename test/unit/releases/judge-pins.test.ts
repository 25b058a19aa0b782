import { expect, test } from "vitest";
import { judgePins, type Table } from "../../../scripts/releases/judge.ts";

const entry = (more: Partial<Table[string]>): Table => ({
  livekit: {
    image: "livekit/livekit-server",
    pinned: "v1.13.11",
    releases: { "v1.13.11": "2026-10-25" },
    advisories: [],
    ...more,
  },
});

const advisory = {
  ids: ["GHSA-xxxx-xxxx-xxxx", "CVE-2027-1"],
  source: "https://github.com/livekit/livekit/security/advisories/GHSA-xxxx-xxxx-xxxx",
  severity: "security",
  exposure: "internet",
  reason: "It is broken",
  fixedIn: ["1.14.1"],
} as const;

test("in a table from the future a pin that a release left behind more than 30 days ago is red", () => {
  const releases = {
    "v1.13.11": "2026-10-25",
    "v1.14.0": "2026-12-01",
    "v1.14.1": "2026-12-30",
  };
  expect(judgePins(entry({ releases }), "2026-12-31")).toEqual([]);
  expect(judgePins(entry({ releases }), "2027-01-15")).toEqual([
    "livekit v1.13.11 is behind: v1.14.0 is out for 45 days.",
  ]);
  expect(judgePins(entry({ releases, pinned: "v1.14.1" }), "2027-01-15")).toEqual([]);
});

test("a reason excuses what has no image of our line, and no release of it; a release with a fault leaves no pin behind", () => {
  const releases = { "v1.13.11": "2026-10-25", "v1.14.0": "2026-12-01" };
  const upstream = { newest: "v2.0.0", day: "2026-11-01" };
  const reason = "There is no image of v2.";
  expect(judgePins(entry({ releases, upstream, reason }), "2027-01-15")).toEqual([
    "livekit v1.13.11 is behind: v1.14.0 is out for 45 days.",
  ]);
  const faulty = { ...advisory, since: "1.14.0", fixedIn: [] };
  expect(
    judgePins(entry({ releases, upstream, reason, advisories: [faulty] }), "2027-01-15"),
  ).toEqual([]);
});

test("an image that its publisher makes later than the program is behind as well", () => {
  const upstream = { newest: "v1.14.0", day: "2026-11-01" };
  expect(judgePins(entry({ upstream }), "2026-12-31")).toHaveLength(1);
  expect(judgePins(entry({ upstream, reason: "There is no image." }), "2026-12-31")).toEqual([]);
});

test("a pin with an advisory is red at once, whatever the reason not to move it", () => {
  const red = [
    "livekit v1.13.11 has an advisory: GHSA-xxxx-xxxx-xxxx, CVE-2027-1, mended in 1.14.1.",
  ];
  expect(judgePins(entry({ advisories: [advisory] }), "2026-10-26")).toEqual(red);
  expect(judgePins(entry({ advisories: [advisory], reason: "Later." }), "2026-10-26")).toEqual(red);
  expect(
    judgePins(entry({ advisories: [{ ...advisory, since: "1.14.0" }] }), "2026-10-26"),
  ).toEqual([]);
});
