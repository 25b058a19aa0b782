import { expect, test } from "vitest";
import type { AppContext } from "~/http/app-context";
import { authServerFetch } from "~/platform/auth-server/auth-server-fetch.server";
import { callerOf } from "~/platform/caller";

const configuration = {
  SUPABASE_URL: "https://project.supabase.co",
  SUPABASE_PUBLISHABLE_KEY: "sb_publishable_x",
  SUPABASE_SECRET_KEY: "sb_secret_x",
} as AppContext["configuration"];

/** What leaves when a client with the publishable key asks for this address. */
async function sent(
  address: string,
  headers: Record<string, string> = {},
  caller = { address: "203.0.113.7", userAgent: "A browser" },
) {
  let left: RequestInit | undefined;
  const ask = authServerFetch({ configuration, caller }, async (_, init) => {
    left = init;
    return new Response();
  });
  await ask(address, {
    method: "POST",
    headers: { apikey: "sb_publishable_x", authorization: "Bearer sb_publishable_x", ...headers },
  });
  return { headers: Object.fromEntries(new Headers(left?.headers)), redirect: left?.redirect };
}

const auth = "https://project.supabase.co/auth/v1";

test.each([
  "/token?grant_type=password",
  "/token?grant_type=refresh_token",
  "/verify",
  "/otp",
  "/signup",
  "/recover",
  "/user",
  "/.well-known/jwks.json",
])("a call of the auth server's %s names the visitor, with the secret key", async (path) => {
  expect(await sent(auth + path)).toEqual({
    headers: {
      apikey: "sb_secret_x",
      "sb-forwarded-for": "203.0.113.7",
      "user-agent": "livekit-deploy A browser",
    },
    redirect: "manual",
  });
});

test("a person's own token stays", async () => {
  const { headers } = await sent(`${auth}/user`, { authorization: "Bearer a.b.c" });
  expect(headers).toMatchObject({ apikey: "sb_secret_x", authorization: "Bearer a.b.c" });
});

test.each([
  "https://project.supabase.co/rest/v1/deployments",
  "https://project.supabase.co/auth/v1/../../rest/v1/deployments",
  "https://project.supabase.co/auth/v1%2f..%2f../rest/v1/deployments",
  "https://project.supabase.co/rest/v1/auth/v1/token",
  "https://project.supabase.co/auth/v10/token",
  "https://project.supabase.co/storage/v1/object",
  "https://elsewhere.example/auth/v1/token",
  "http://project.supabase.co/auth/v1/token",
])("a call of %s goes as it is, without the secret key", async (address) => {
  const { headers } = await sent(address);
  expect(headers).toEqual({
    apikey: "sb_publishable_x",
    authorization: "Bearer sb_publishable_x",
  });
});

test("without an address or a name nothing is made up", async () => {
  const { headers } = await sent(`${auth}/otp`, {}, {} as never);
  expect(headers).toEqual({ apikey: "sb_secret_x" });
});

const longName = `Mozilla/5.0 ${"x".repeat(5_000)}`;

test.each([
  ["203.0.113.7", "203.0.113.7"],
  ["2001:db8::1", "2001:db8::1"],
  ["::ffff:203.0.113.7", "::ffff:203.0.113.7"],
  ["unknown", undefined],
  ["203.0.113.7, 198.51.100.1", undefined],
  ["203.0.113.300", undefined],
  ["203.0.113.7:443", undefined],
  ["<script>", undefined],
  ["", undefined],
  [undefined, undefined],
])("of the address %s is forwarded: %s", (sentAs, forwarded) => {
  const request = new Request("https://example.com");
  if (sentAs !== undefined) request.headers.set("cf-connecting-ip", sentAs);
  expect(callerOf(request).address).toBe(forwarded);
});

test.each([
  ["Mozilla/5.0 (X11)", "Mozilla/5.0 (X11)"],
  [longName, longName.slice(0, 256)],
  [undefined, undefined],
])("a browser's name is forwarded, cut where it is long", (sentAs, forwarded) => {
  const request = new Request("https://example.com");
  if (sentAs !== undefined) request.headers.set("user-agent", sentAs);
  expect(callerOf(request).userAgent).toBe(forwarded);
});
