import { beforeAll, expect, test } from "vitest";
import { send } from "../../support/attacks/raw-http.ts";
import { routeInputs } from "../../support/attacks/route-inputs.ts";
import { customer } from "../../support/deployments/wizard.ts";
import { testInProof } from "../../support/run/variants.ts";
import { fakes, resetFakes } from "../../support/site/control-fakes.ts";
import { siteUrl } from "../../support/site/own-site.ts";
import { siteRoutes } from "../../support/site/site-routes.ts";
import { Visitor } from "../../support/site/visitor.ts";

/** Ways to write another site that a browser would follow from a redirect. */
const elsewhere = [
  "https://evil.example/",
  "//evil.example",
  "///evil.example",
  "/\\evil.example",
  "\\/evil.example",
  "/\t/evil.example",
  "/.//evil.example",
  "/..//evil.example",
  "/%09/evil.example",
  "https:evil.example",
  "javascript:alert(1)",
  "data:text/html,x",
  `${siteUrl}@evil.example`,
  `${siteUrl}.evil.example`,
  "/dashboard\r\nlocation: https://evil.example",
] as const;

/** Names that other sites give to a way on; ours takes `next` only, and paths only. */
const names = [
  "next",
  "redirect",
  "redirect_to",
  "redirectTo",
  "return_to",
  "returnTo",
  "url",
  "to",
  "continue",
  "dest",
  "callback",
  "code",
];

let visitor: Visitor;

beforeAll(async () => {
  await resetFakes();
  visitor = await customer("pro");
});

/** Where a browser would go from here, or nothing: another site only where we send people by design. */
function leadsElsewhere(location: string | null, from: string): string[] {
  if (location === null) return [];
  const { stripe, supabase } = fakes();
  const url = URL.parse(location, new URL(from, siteUrl));
  const allowed = [siteUrl, stripe.url, supabase.url];
  if (url && allowed.includes(url.origin) && !url.href.startsWith("javascript")) return [];
  return [`${from} leads to ${location}`];
}

testInProof(
  "no parameter of any address leads to another site",
  async () => {
    const stranger = new Visitor();
    const found: string[] = [];
    for (const { path, file } of siteRoutes()) {
      const address = path.replace(/:\w+/g, "x");
      for (const value of ["https://evil.example/", "//evil.example", "/\\evil.example"]) {
        const all = [...new Set([...names, ...(routeInputs[file]?.query ?? [])])];
        const query = new URLSearchParams(all.map((name) => [name, value]));
        const target = `${address}?${query}`;
        for (const who of [visitor, stranger]) {
          const response = await who.request(target);
          await response.body?.cancel();
          found.push(...leadsElsewhere(response.headers.get("location"), target));
        }
      }
    }
    expect(found).toEqual([]);
  },
  180_000,
);

const forms: [
  what: string,
  who: "visitor" | "stranger",
  path: string,
  fields: (next: string) => Record<string, string>,
][] = [
  ["signing other devices out", "visitor", "/signout", (next) => ({ scope: "others", next })],
  [
    "a second factor that is not due",
    "visitor",
    "/dashboard/account/code",
    (next) => ({ next, code: "123456" }),
  ],
  [
    "signing other devices out, signed out",
    "stranger",
    "/signout",
    (next) => ({ scope: "others", next }),
  ],
  ["a provider's sign-in", "stranger", "/signin", (next) => ({ provider: "google", next })],
];

testInProof.each(forms)("%s leads on within the site only", async (_, who, path, fields) => {
  const found: string[] = [];
  for (const value of elsewhere) {
    // Questions about a session are counted by address, and one person does not open so many pages a minute.
    const person = who === "visitor" ? visitor.twin() : new Visitor();
    const response = await person.post(path, fields(value));
    await response.body?.cancel();
    found.push(...leadsElsewhere(response.headers.get("location"), path));
    expect.soft(response.headers.getSetCookie().join(), value).not.toContain("evil.example");
  }
  expect(found).toEqual([]);
});

testInProof("who is signed in and opens the sign-in page is led within the site only", async () => {
  for (const next of elsewhere) {
    for (const path of ["/signin", "/dashboard/account/code"]) {
      const response = await visitor.twin().request(`${path}?${new URLSearchParams({ next })}`);
      expect([path, response.status]).toEqual([path, 302]);
      expect(leadsElsewhere(response.headers.get("location"), path)).toEqual([]);
    }
  }
});

test("a cookie that says where to go after a sign-in is believed for paths of the site only", async () => {
  for (const value of elsewhere) {
    const browser = new Visitor();
    const text = Buffer.from(JSON.stringify(value)).toString("base64");
    browser.setCookie("after-sign-in", encodeURIComponent(text));
    const response = await browser.request("/auth/callback?error=access_denied");
    const location = response.headers.get("location");
    expect(leadsElsewhere(location, "/auth/callback")).toEqual([]);
    const next = new URL(location ?? "", siteUrl).searchParams.get("next");
    expect(leadsElsewhere(next, "/signin")).toEqual([]);
  }
});

testInProof(
  "an address that begins with slashes, or names another host, leads to no other site",
  async () => {
    const targets = [
      "//evil.example/",
      "///evil.example//",
      "/\\evil.example/",
      "/%5cevil.example/",
      "/%2f%2fevil.example/",
      "//evil.example/..",
      "/dashboard//evil.example/",
      "/dashboard/%2f%2fevil.example",
      "/.//evil.example/",
      "/;//evil.example/",
    ];
    for (const target of targets) {
      for (const host of [new URL(siteUrl).host, "evil.example"]) {
        const { status, headers } = await send(siteUrl, {
          method: "GET",
          target,
          headers: { host },
        });
        expect.soft(status, target).toBeLessThan(500);
        const location = headers.location;
        const url =
          location === undefined ? undefined : URL.parse(String(location), `${siteUrl}/x`);
        expect.soft([target, url?.origin ?? siteUrl]).toEqual([target, siteUrl]);
      }
    }
  },
);
