import { expect, test } from "vitest";
import { runsVersion, runsVersionWords } from "~/features/servers/pages/runs-version.tsx";

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
