import { globSync, readFileSync } from "node:fs";
import { expect, test } from "vitest";
import { siteCookies } from "../../../app/http/cookies.ts";
import { routeInputs, siteHeaders } from "../../support/attacks/route-inputs.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";

const modules = [...new Set(siteRoutes().map(({ file }) => file))];
/** Without what decides about revalidation: it runs in browsers, and reads what the page itself sends. */
const sourceOf = (file: string) =>
  readFileSync(`app/${file}`, "utf8").replace(/^export function shouldRevalidate[\s\S]*?^}/m, "");

/** These read our own requests to the auth server. */
const readsNoVisitor = /app\/features\/auth\/session\/outage\.server\.ts$|\.client\.tsx?$/;
const reading =
  /(?:query|form|formData|fields|search|searchParams|parameters|readForm\(request\)\))\??\.(?:get|getAll|has)\(\s*"([^"]+)"/g;
const namedReading = /\b(?:named|typed)\("([^"]+)"\)/g;

function namesRead(source: string): string[] {
  return [...source.matchAll(reading), ...source.matchAll(namedReading)].map(
    ([, name = ""]) => name,
  );
}

test("the list of what routes read names every route and no other", () => {
  expect(Object.keys(routeInputs).toSorted()).toEqual(modules.toSorted());
});

test("each route is listed with what its module reads, and with fields if it takes posts", () => {
  const missing = modules.flatMap((file) => {
    const { query = [], fields } = routeInputs[file] ?? {};
    const listed = new Set([...query, ...(fields ?? [])]);
    const source = sourceOf(file);
    const takesPosts = /export (async )?function action|export const action/.test(source);
    return [
      ...namesRead(source)
        .filter((name) => !listed.has(name))
        .map((name) => `${file} reads ${name}`),
      ...(takesPosts === (fields !== undefined) ? [] : [`${file}: posts ${takesPosts}`]),
    ];
  });
  expect(missing).toEqual([]);
});

test("whatever the server reads by name belongs to some route", () => {
  const listed = new Set(
    Object.values(routeInputs).flatMap(({ query = [], fields = [] }) => [...query, ...fields]),
  );
  const sources = globSync("app/**/*.{ts,tsx}").filter((file) => !readsNoVisitor.test(file));
  const read = sources.flatMap((file) => namesRead(readFileSync(file, "utf8")));
  expect(read.length).toBeGreaterThan(60);
  expect([...new Set(read)].filter((name) => !listed.has(name))).toEqual([]);
});

test("every cookie and every header that the server reads is listed", () => {
  const found = (files: string, pattern: RegExp) =>
    new Set(
      globSync(files)
        .flatMap((file) => [...readFileSync(file, "utf8").matchAll(pattern)])
        .map(([, name]) => name),
    );
  const made =
    /(?:createCookie|signedCookie|sealedCookie|visitorState)(?:<\w+>)?\((?:\w+, )?"([^"]+)"/g;
  const cookies = found("app/**/*.server.ts", made);
  expect([...cookies].toSorted()).toEqual(Object.keys(siteCookies).toSorted());
  const headers = found("{app,workers}/**/*.ts", /request\.headers\.get\("([^"]+)"\)/g);
  const listed = [...siteHeaders, "cookie", "origin", "content-type"];
  expect([...headers].toSorted()).toEqual(listed.toSorted());
});
