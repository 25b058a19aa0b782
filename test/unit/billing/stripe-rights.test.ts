import { readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { calledBy } from "../../support/billing/stripe-calls.ts";

const readsOnly = /^(retrieve|list|search|createPreview)/;

/** The tables under the heading about restricted keys, row by row: the site's, and that of stripe:setup. */
function rights() {
  const document = readFileSync("docs/operations.md", "utf8");
  const [, section = ""] =
    /^#+ [^\n]*restricted key[^\n]*\n([\s\S]*?)(?=\n#+ |$(?![\s\S]))/im.exec(document) ?? [];
  const tables = section.split(/\n\n+/).map((part) =>
    [...part.matchAll(/^\| *([^|]+?) *\| *(Read|Write) *\| *([^|]*?) *\|$/gm)].map(
      ([, resource = "", right = "", calls = ""]) => ({
        resource,
        right,
        calls: [...calls.matchAll(/`([\w.]+)`/g)].map(([, call = ""]) => call),
      }),
    ),
  );
  return tables.filter((rows) => rows.length > 0);
}

test("the rights of the site's key are those of the calls that the site makes", () => {
  const [site = []] = rights();
  expect(site.flatMap(({ calls }) => calls).sort()).toEqual(calledBy("app/**/*.{ts,tsx}"));
});

test("the rights of the key for stripe:setup are those of the calls that it makes", () => {
  const [, setup = []] = rights();
  expect(setup.flatMap(({ calls }) => calls).sort()).toEqual(
    calledBy("scripts/stripe-setup/stripe-setup.ts", "scripts/stripe-setup/**/*.ts"),
  );
});

test("a resource that is only read needs the right to read, every other the right to write", () => {
  for (const { resource, right, calls } of rights().flat()) {
    const writes = calls.some((call) => !readsOnly.test(call.split(".").at(-1) ?? ""));
    expect(`${resource}: ${right}`).toBe(`${resource}: ${writes ? "Write" : "Read"}`);
  }
});
