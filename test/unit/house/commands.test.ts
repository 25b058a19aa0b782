import { spawnSync } from "node:child_process";
import { readFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { resolve } from "node:path";
import { expect, test } from "vitest";
import { helpOf } from "../../../scripts/lib/command-line.ts";
import { asTyped, commands } from "../../support/commands/our-commands.ts";

const fileOf = (words: readonly string[]) => words.find((word) => word.endsWith(".ts")) ?? "";

test("every command reads how it was called by the shared mechanism", () => {
  const others = commands.filter(
    ([, words]) => !/readCommandLine\(|asksForHelp\(/.test(readFileSync(fileOf(words), "utf8")),
  );
  // It has a help of its own: scripts/dev/machine/call.ts.
  expect(others.map(([name]) => name)).toEqual(["machine"]);
});

test("every command is Node's after two dashes, so that Node takes none of its options", () => {
  expect(commands.filter(([, [first]]) => first !== "--").map(([name]) => name)).toEqual([]);
});

/** The base is no port: whatever goes wrong here, no data is emptied. */
const reset = (...given: string[]) =>
  spawnSync(process.execPath, ["--", "scripts/dev/reset.ts", ...given], {
    encoding: "utf8",
    env: { ...process.env, LOCAL_PORT_BASE: "none" },
  });

test("npm run reset -- --help says what it would empty, and empties nothing", () => {
  const { status, stdout, stderr } = reset("--help");
  expect({ status, stderr }).toEqual({ status: 0, stderr: "" });
  expect(stdout).toContain("Empties the local data");
  expect(stdout).toContain("Usage: npm run reset");
});

test.each([["--hepl"], ["everything"]])("npm run reset -- %s is refused", (word) => {
  const { status, stdout, stderr } = reset(word);
  expect({ status, stdout }).toEqual({ status: 2, stdout: "" });
  expect(stderr).toMatch(/^(Unknown option|Unexpected argument) '/);
  expect(stderr).toContain("Usage: npm run reset");
});

const toolsFile = "scripts/tools/tools.ts";
const tools = commands.filter(([, words]) => fileOf(words) === toolsFile).map(([name]) => name);

test.each(tools)(
  "npm run %s says what it does and refuses what it does not know before it starts a program",
  (name) => {
    // There is none here to start.
    const called = (...given: string[]) =>
      spawnSync(process.execPath, ["--", resolve(toolsFile), name, ...given], {
        ...{ encoding: "utf8", cwd: tmpdir() },
      });
    const help = called("--help");
    expect({ status: help.status, stderr: help.stderr }).toEqual({ status: 0, stderr: "" });
    expect(help.stdout).toContain(`Usage: npm run ${name}`);
    const refused = called("--hepl");
    expect({ status: refused.status, stdout: refused.stdout }).toEqual({ status: 2, stdout: "" });
    expect(refused.stderr).toContain("Unknown option '--hepl'");
  },
);

test("the help of a command has a line for each option, with what it takes", () => {
  const help = helpOf({
    usage: "npm run logs -- [--file LOG] REQUEST_ID",
    about: "Shows a log.",
    options: { file: { type: "string", value: "LOG", help: "a saved log" } },
  });
  expect(help).toBe(`Shows a log.

Usage: npm run logs -- [--file LOG] REQUEST_ID

  --file LOG  a saved log
  --help      says this, and does nothing`);
});

test("the page of commands names every command, and the README has at most 120 lines", () => {
  const page = readFileSync("docs/commands.md", "utf8");
  const missing = commands.filter(([name]) => !page.includes(`| \`${asTyped(name)}`));
  expect(missing.map(([name]) => name)).toEqual([]);
  expect(readFileSync("README.md", "utf8").split("\n").length - 1).toBeLessThanOrEqual(120);
});
