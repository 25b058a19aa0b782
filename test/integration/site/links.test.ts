import { beforeAll, expect, test } from "vitest";
import { siteUrl } from "../../support/site/own-site.ts";
import { publicPaths } from "../../support/site/site-routes.ts";

/** What one address answers: asked once, however many links lead there. */
type Target = { status: number; html: string };

const targets = new Map<string, Promise<Target>>();

function ask(address: string): Promise<Target> {
  let target = targets.get(address);
  if (!target) {
    target = fetch(siteUrl + address, { redirect: "manual" }).then(async (response) => ({
      status: response.status,
      html: await response.text(),
    }));
    targets.set(address, target);
  }
  return target;
}

type Reference = { page: string; to: string };

/** Everything that a page links to or loads. */
async function referencesOf(page: string): Promise<Reference[]> {
  const { html } = await ask(page);
  return [...html.matchAll(/\s(?:href|src|action|srcset)="([^"]*)"/g)].map(([, to = ""]) => ({
    page,
    to: to.replaceAll("&amp;", "&"),
  }));
}

const pages = publicPaths().concat("/signin");
let references: Reference[] = [];

beforeAll(async () => {
  references = (await Promise.all(pages.map(referencesOf))).flat();
});

/** Addresses of ours lead to a page or a file, or to the sign-in where they are somebody's own. */
async function faultOf({ page, to }: Reference): Promise<string | undefined> {
  const { pathname, search, hash } = new URL(to, siteUrl + page);
  const { status, html } = await ask(pathname + search);
  const isOwn = pathname.startsWith("/dashboard");
  if (status !== 200 && !(isOwn && status === 302)) return `${page}: ${to} answers ${status}`;
  const id = decodeURIComponent(hash.slice(1));
  return id === "" || html.includes(` id="${id}"`) ? undefined : `${page}: ${to} is on no page`;
}

test("every link of every public page leads to a page, and to a place on it that there is", async () => {
  const inside = references.filter(
    ({ page, to }) => new URL(to, siteUrl + page).origin === siteUrl,
  );
  expect(new Set(inside.map(({ to }) => to)).size).toBeGreaterThan(150);
  expect(inside.filter(({ to }) => to.includes("#")).length).toBeGreaterThan(100);
  const faults = await Promise.all(inside.map(faultOf));
  expect([...new Set(faults.filter(Boolean))]).toEqual([]);
});

test("every link that leaves the site is https, without a name or a key in it", () => {
  const outside = references.filter(
    ({ page, to }) => new URL(to, siteUrl + page).origin !== siteUrl,
  );
  expect(outside.length).toBeGreaterThan(20);
  const odd = outside.filter(
    ({ to }) => !/^(https:\/\/[a-z0-9.-]+(\/[^\s@]*)?|mailto:[^\s?]+(\?\S*)?)$/.test(to),
  );
  expect([...new Set(odd.map(({ page, to }) => `${page}: ${to}`))]).toEqual([]);
});
