import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const files = globSync("test/unit/**/*.test.{ts,tsx}").map((file) => ({
  file,
  text: readFileSync(file, "utf8"),
}));

/** Unit test files share a process, so what one replaces for all is put back by that file. */
const replacements = [
  { what: "a global", replaces: /vi\.stubGlobal\(/, putsBack: /vi\.unstubAllGlobals\(/ },
  { what: "the environment", replaces: /vi\.stubEnv\(/, putsBack: /vi\.unstubAllEnvs\(/ },
  { what: "the clock", replaces: /vi\.useFakeTimers\(/, putsBack: /vi\.useRealTimers\(/ },
  {
    what: "a method",
    replaces: /vi\.spyOn\(/,
    putsBack: /vi\.restoreAllMocks\(|\.mockRestore\(|using \w+ = vi\.spyOn\(/,
  },
];

test.each(replacements)(
  "a test file that replaces $what puts it back",
  ({ replaces, putsBack }) => {
    const leaky = files.filter(({ text }) => replaces.test(text) && !putsBack.test(text));
    expect(leaky.map(({ file }) => file)).toEqual([]);
  },
);
