import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";

const readsOnly = /^(retrieve|list|search|createPreview)/;

/** `stripe.checkout.sessions`, or a client that is made on the spot; the way to a resource and a call. */
const client = String.raw`\bstripe(?:Client\([^()]*\))?`;
const way = String.raw`((?:\s*\.\s*\w+)`;

/** Every call to Stripe in a file, as the SDK names it: `checkout.sessions.create`. */
function callsIn(file: string): string[] {
  const code = readFileSync(file, "utf8");
  const found = (pattern: string) =>
    [...code.matchAll(new RegExp(pattern, "g"))].map((match) =>
      match.slice(1).map((part = "") => part.replace(/\s/g, "").replace(/^\./, "")),
    );
  const direct = found(`${client}${way}{2,4}?)\\(`).flat();
  // const { sessions } = stripe.checkout; sessions.create(…)
  const destructured = found(String.raw`\{ (\w+) \} = ${client}${way}{1,2});`).flatMap(
    ([resource = "", parent = ""]) =>
      found(String.raw`(?<![\w.])${resource}${way}{1})\(`).map(
        ([call = ""]) => `${parent}.${resource}.${call}`,
      ),
  );
  return [...direct, ...destructured].filter((call) => !call.startsWith("webhooks."));
}

/** Every call to Stripe of the files that fit. */
function calledBy(...patterns: string[]): string[] {
  return [...new Set(globSync(patterns).flatMap(callsIn))].sort();
}

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
