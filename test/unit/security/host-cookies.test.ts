import { afterEach, describe, expect, test, vi } from "vitest";
import { hasSignedInHint } from "~/http/cookies";
import type { Configuration } from "~/platform/env/configuration.server";
import { firstPaintScript } from "~/ui/chrome/theme";
import { withHostCookies, withOwnCookies } from "../../../workers/headers/host-cookies.ts";

afterEach(() => void vi.unstubAllGlobals());

const at = (SITE_URL: string) => ({ SITE_URL }) as Configuration;
const https = at("https://www.example.com");

function read(cookie: string, configuration = https): string | null {
  const request = new Request("https://www.example.com/", { headers: { cookie } });
  return withOwnCookies(request, configuration).headers.get("cookie");
}

function sent(line: string, configuration = https, cookie = ""): string[] {
  const headers = new Headers(line ? { "set-cookie": line } : {});
  const response = new Response(null, { status: 303, headers });
  const request = new Request("https://www.example.com/", { headers: { cookie } });
  return withHostCookies(response, request, configuration).headers.getSetCookie();
}

describe("on HTTPS", () => {
  test("a cookie goes out with the prefix, for this host and all its paths, over HTTPS alone", () => {
    expect(sent("kept=a=b; Max-Age=60; Path=/x; HttpOnly; SameSite=Lax")).toEqual([
      "__Host-kept=a=b; Max-Age=60; HttpOnly; SameSite=Lax; Path=/; Secure",
    ]);
    expect(sent("kept=; Domain=example.com; secure; path=/")).toEqual([
      "__Host-kept=; Path=/; Secure",
    ]);
  });

  test("a session that a browser keeps without the prefix is removed from it, and no other cookie", () => {
    const former = "sb-ref-auth-token.0=x; a=1;sb-ref-auth-token.1=y; sb-ref-auth-token.0=z";
    const removed = (name: string) => `${name}=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax`;
    const both = ["sb-ref-auth-token.0", "sb-ref-auth-token.1"].map(removed);
    expect(sent("", https, former)).toEqual(both);
    expect(sent("kept=1", https, `${former}; __Host-sb-ref-auth-token=new`)).toEqual([
      "__Host-kept=1; Path=/; Secure",
      ...both,
    ]);
    expect(sent("", https, "__Host-sb-ref-auth-token=new; signed-in=1; sb-=1; x=sb-a=1")).toEqual(
      [],
    );
    const many = Array.from({ length: 50 }, (_, index) => `sb-${index}=1`).join("; ");
    expect(sent("", https, many)).toHaveLength(20);
  });

  test("only prefixed names are read, without their prefix", () => {
    expect(read("a=1; __Host-b=2;__Host-c=x=y; __host-d=4; __Secure-e=5")).toBe("b=2; c=x=y");
    expect(read("a=1")).toBeNull();
  });

  test("what comes twice is not read: a browser has one cookie of such a name", () => {
    expect(read("__Host-a=1; __Host-b=2; __Host-a=3")).toBe("b=2");
    expect(read("__Host-a=1; __Host-a =3")).toBeNull();
  });

  test.each([
    "=__Host-a=1",
    "\u00a0__Host-a=1",
    "__Host-=1",
    "__Host-a",
    '$Version=1; "__Host-a"=1',
  ])("%j is none", (cookie) => {
    expect(read(cookie)).toBeNull();
  });

  test("the body of a request goes along", async () => {
    const request = new Request("https://www.example.com/", {
      method: "POST",
      body: "intent=x",
      headers: { cookie: "__Host-a=1" },
    });
    expect(await withOwnCookies(request, https).text()).toBe("intent=x");
  });
});

test("on a site without HTTPS names stay as they are", () => {
  const http = at("http://127.0.0.1:8787");
  expect(read("a=1; a=2", http)).toBe("a=1; a=2");
  expect(sent("a=1; Path=/", http, "sb-ref-auth-token=x")).toEqual(["a=1; Path=/"]);
});

test.each([
  ["https:", "__Host-signed-in=1; a=b", true, true],
  ["https:", "signed-in=1", false, false],
  ["http:", "a=b; signed-in=1", true, true],
  ["https:", "__Host-signed-in=trial", true, false],
  ["https:", "signed-in=trial", false, false],
])(
  "scripts of a page on %s find the hint among %s: %s, of an account: %s",
  (protocol, cookie, found, ofAccount) => {
    const classes = new Map<string, boolean>();
    const documentElement = {
      dataset: {},
      classList: {
        add: () => {},
        toggle: (name: string, on: boolean) => void classes.set(name, on),
      },
    };
    vi.stubGlobal("location", { protocol });
    vi.stubGlobal("document", { cookie, documentElement, querySelectorAll: () => [] });
    vi.stubGlobal("addEventListener", () => {});
    vi.stubGlobal("matchMedia", () => ({ matches: false }));
    expect(hasSignedInHint()).toBe(found);
    new Function(firstPaintScript)();
    // In a trial public pages show what they show visitors.
    expect(classes.get("signed-in")).toBe(ofAccount);
  },
);
