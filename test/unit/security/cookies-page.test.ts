import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { siteCookies } from "~/http/cookies";

const page = readFileSync("app/content/legal/cookies.md", "utf8");
const [, table = ""] = /Table: Cookies of this site\n\n([\s\S]*?)\n\n/.exec(page) ?? [];
const rows = table
  .split("\n")
  .slice(2)
  .map((row) => row.split(" | ").map((cell) => cell.replace(/^\| | \|$/g, "").trim()))
  .map(([name = "", , lifetime = ""]) => ({ name: /`([^`]+)`/.exec(name)?.[1], lifetime }));

const words: Record<number, string> = {
  600: "10 minutes",
  900: "15 minutes",
  1800: "30 minutes",
  3600: "an hour",
  [60 * 24 * 3600]: "60 days",
};

test("the page about cookies names each that the site can set, for as long as it lives", () => {
  for (const [name, seconds] of Object.entries(siteCookies)) {
    const row = rows.find((each) => each.name === name);
    expect.soft(row?.lifetime, name).toContain(words[seconds] ?? `${seconds} seconds`);
  }
});

test("and no other, but for those of the session", () => {
  const ofSession = ["sb-…-auth-token", "signed-in", "sb-…-auth-token-…-code-verifier"];
  const names = [...ofSession, ...Object.keys(siteCookies)].toSorted();
  expect(rows.map(({ name }) => name).toSorted()).toEqual(names);
});
