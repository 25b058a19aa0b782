import { expect, test } from "vitest";
import {
  asReported,
  runsVersion,
  runsVersionWords,
} from "~/features/servers/pages/runs-version.tsx";

const deployment = "44444444-4444-4444-8444-444444444444";
const another = "55555555-5555-4555-8555-555555555555";

const server = (
  version?: number,
  more: { isChanged?: boolean; of?: string; at?: number } = {},
) => ({
  deployment,
  lastReportAt: more.at ?? 1,
  retiredAt: undefined,
  madeFrom:
    version === undefined
      ? undefined
      : { deployment: more.of ?? deployment, version, isChanged: more.isChanged ?? false },
});

test.for([
  ["the newest version", server(3), 3, "Runs version 3"],
  ["an older version", server(3), 4, "Runs version 3, 4 is saved"],
  ["a version of a deployment that cannot be read", server(3), undefined, "Runs version 3"],
  ["changed files", server(3, { isChanged: true }), 4, "Its files differ from version 3"],
  [
    "files of another deployment",
    server(3, { of: another }),
    4,
    "Runs files of another deployment",
  ],
  ["files from before they said it", server(), 4, "Does not say its version"],
] as const)("a server with %s is said to have it", ([, machine, newest, words]) => {
  const runs = runsVersion(machine, newest);
  expect(runs && runsVersionWords(runs)).toBe(words);
});

test("of a server that has not reported yet nothing is said", () => {
  expect(runsVersion({ ...server(), lastReportAt: undefined }, 4)).toBeUndefined();
});

test("a deployment runs the oldest version of its connected servers, else what people said", () => {
  const stored = { id: deployment, applied: { version: 1, at: "2026-11-20T00:00:00Z" } };
  const applied = (...servers: ReturnType<typeof server>[]) => asReported(stored, servers).applied;
  expect(applied(server(4), server(3))).toEqual({ version: 3, at: undefined });
  expect(applied(server(4), server(3, { isChanged: true }))?.version).toBe(4);
  expect(applied(server(3, { isChanged: true }))).toEqual(stored.applied);
  expect(applied()).toEqual(stored.applied);
  expect(applied(server(), server(2, { of: another }))).toEqual(stored.applied);
  expect(applied({ ...server(2), deployment: another })).toEqual(stored.applied);
  const retired = { ...server(2), retiredAt: 5 };
  expect(asReported(stored, [retired, server(4)]).applied?.version).toBe(4);
});
