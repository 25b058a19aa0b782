import { globSync } from "node:fs";
import { expect, test } from "vitest";
import config from "../../../vitest.config.ts";
import { levels, testFiles } from "../../support/run/selection.ts";

const projects = (config.test?.projects ?? []).flatMap((each) =>
  typeof each === "object" && "test" in each && each.test ? [each.test] : [],
);
const filesOf = (name: string) =>
  globSync([...(projects.find((each) => each.name === name)?.include ?? [])]);

const every = globSync("test/**/*.test.{ts,tsx}").sort();
const onlyProof = every.filter((file) => file.startsWith("test/proof/"));
const apart = every.filter((file) => /^test\/(?:real|gallery)\//.test(file));

test("every test file is either npm test's or the proof's alone, or needs real servers or draws pictures", () => {
  expect([...testFiles(), ...onlyProof, ...apart].sort()).toEqual(every);
});

test.each(levels)(
  "the project %s has the files of its folder, and no other project of npm test has them",
  (level) => {
    const inFolder = every.filter((file) => file.startsWith(`test/${level}/`));
    expect(filesOf(level).sort()).toEqual(inFolder);
    const others = levels.filter((other) => other !== level).flatMap(filesOf);
    expect(inFolder.filter((file) => others.includes(file))).toEqual([]);
  },
);

test("the proof has its own files, and all that take turns in npm test", () => {
  const inProof = new Set(filesOf("proof"));
  const takeTurns = levels.filter((level) => level !== "unit").flatMap(filesOf);
  expect([...onlyProof, ...takeTurns].filter((file) => !inProof.has(file))).toEqual([]);
});
