import * as fc from "fast-check";
import { expect, test } from "vitest";
import { canonicalAddress, canonicalPath } from "../../../workers/origin/canonical-address.ts";

const pages = new Set(["/", "/pricing", "/docs/api"]);
const isCacheable = (path: string) => pages.has(path) || /^\/blog\/[a-z0-9-]{1,80}$/.test(path);

/** Where a request for an address is led to; undefined: nowhere, it is answered there. */
function ledTo(address: string, method = "GET") {
  const request = new Request(new URL(address, "https://site.example"), { method });
  const path = canonicalPath(new URL(request.url).pathname, isCacheable);
  const response = canonicalAddress(request, path);
  return response && [response.status, response.headers.get("location")];
}

test.each([
  ["/pricing/", "/pricing"],
  ["/pricing///?a=1", "/pricing?a=1"],
  ["/PRICING", "/pricing"],
  ["/Pricing?plan=PRO", "/pricing?plan=PRO"],
  ["/%70ricing", "/pricing"],
  ["/%50RICING%2f", "/PRICING%2f"],
  ["/pricing.DATA", "/pricing.data"],
  ["/pricing/.data", "/pricing.data"],
  ["/pricing/_.data", "/pricing.data"],
  ["/.data", "/_.data"],
  ["/docs//api", "/docs/api"],
  ["/blog/A-Story", "/blog/a-story"],
  ["https://site.example//", "/"],
  [
    "https://site.example//auth/confirm?token_hash=a%2Fb&type=email",
    "/auth/confirm?token_hash=a%2Fb&type=email",
  ],
  ["https://site.example//evil.example/", "/evil.example"],
  ["https://site.example///evil.example", "/evil.example"],
  ["https://site.example/\\evil.example", "/evil.example"],
  ["/./%2e//evil.example", "/evil.example"],
])("%s leads to %s", (from, to) => {
  expect(ledTo(from)).toEqual([308, to]);
  expect(ledTo(from, "HEAD")).toEqual([308, to]);
});

test.each([
  ["/"],
  ["/pricing?plan=PRO"],
  ["/_.data"],
  ["/dashboard/deployments/AbC"],
  ["/%5Cevil.example"],
  ["/%2Fevil.example"],
  ["/caf%C3%A9"],
])("%s is where it is", (address) => {
  expect(ledTo(address)).toBeUndefined();
});

test("a form is never sent on to another address", () => {
  expect(ledTo("/PRICING/", "POST")).toBeUndefined();
});

test("however an address is written, it leads to this host and comes to an end", () => {
  const piece = fc.constantFrom(
    ..."/ // \\ . .. %2e %2F %5c %70 % %25 37 30 : @ evil.example .data _ A \t".split(" "),
    "?next=//evil.example",
    "#",
  );
  fc.assert(
    fc.property(fc.array(piece, { maxLength: 12 }), (pieces) => {
      let url = URL.parse(`https://site.example/${pieces.join("")}`);
      fc.pre(url !== null);
      for (let hops = 0; hops < 8; hops++) {
        const [, location] = ledTo(url?.href ?? "") ?? [];
        if (typeof location !== "string") return;
        url = new URL(location, url?.href);
        expect(url.origin).toBe("https://site.example");
      }
      expect.unreachable(`${url?.href} still leads on`);
    }),
    { numRuns: 3_000 },
  );
});
