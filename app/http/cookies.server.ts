import { parseCookieHeader, serializeCookieHeader } from "@supabase/ssr";
import { type Cookie, createCookie } from "react-router";
import * as z from "zod/mini";
import type { Configuration } from "~/platform/env/configuration.server";
import type { AppContext } from "./app-context";
import { removalOf, type SiteCookie, siteCookies } from "./cookies";
import { fromBase64, fromBase64url, toBase64url } from "./encodings";

const ivBytes = 12;

/**
 * An encrypted cookie: AES-256-GCM with a key that HKDF derives from COOKIE_SECRET and the cookie's name. The first
 * secret encrypts; all of them decrypt. A value that cannot be decrypted, has another shape or is too old counts as
 * no cookie.
 */
export function sealedCookie<Value extends object>(
  { configuration }: Pick<AppContext, "configuration">,
  name: SiteCookie,
  shape: z.ZodMiniType<Value>,
) {
  const secure = configuration.SITE_URL.startsWith("https://");
  const sealed = z.object({ until: z.number(), value: shape });
  return {
    async read(request: Request): Promise<Value | undefined> {
      const sent = parseCookieHeader(request.headers.get("cookie") ?? "");
      const text = sent.find((each) => each.name === name)?.value;
      if (!text) return;
      for (const secret of configuration.COOKIE_SECRET) {
        const opened = sealed.safeParse(await open(await keyFor(secret, name), text));
        if (opened.success) return opened.data.until > Date.now() ? opened.data.value : undefined;
      }
    },
    /** The Set-Cookie header that keeps `value` for `seconds`. The server checks the age as well. */
    async keep(value: Value, seconds: number = siteCookies[name]): Promise<string> {
      const content = { until: Date.now() + seconds * 1_000, value };
      const text = await seal(await keyFor(configuration.COOKIE_SECRET[0] ?? "", name), content);
      return serializeCookieHeader(name, text, {
        path: "/",
        maxAge: seconds,
        secure,
        httpOnly: true,
        sameSite: "lax",
      });
    },
    forget: (): string => removalOf(name),
  };
}

async function keyFor(secret: string, name: string): Promise<CryptoKey> {
  const bytes = fromBase64(secret);
  const material = await crypto.subtle.importKey("raw", bytes, "HKDF", false, ["deriveKey"]);
  return crypto.subtle.deriveKey(
    {
      name: "HKDF",
      hash: "SHA-256",
      salt: new Uint8Array(),
      info: new TextEncoder().encode(`cookie ${name}`),
    },
    material,
    { name: "AES-GCM", length: 256 },
    false,
    ["encrypt", "decrypt"],
  );
}

async function seal(key: CryptoKey, content: object): Promise<string> {
  const iv = crypto.getRandomValues(new Uint8Array(ivBytes));
  const plain = new TextEncoder().encode(JSON.stringify(content));
  const secret = await crypto.subtle.encrypt({ name: "AES-GCM", iv }, key, plain);
  return toBase64url(new Uint8Array([...iv, ...new Uint8Array(secret)]));
}

/** The decrypted content; undefined when it was not encrypted with this key. */
async function open(key: CryptoKey, text: string): Promise<unknown> {
  try {
    const bytes = fromBase64url(text);
    const iv = bytes.subarray(0, ivBytes);
    const plain = await crypto.subtle.decrypt(
      { name: "AES-GCM", iv },
      key,
      bytes.subarray(ivBytes),
    );
    return JSON.parse(new TextDecoder().decode(plain));
  } catch {
    return undefined;
  }
}

/**
 * A signed cookie, which scripts cannot read. The first COOKIE_SECRET signs; all of them verify. A value with a wrong
 * signature reads as null. The key depends on the cookie's name, so the value of one signed cookie is not accepted in
 * another. Only the browser enforces the age: if a copy must not work for longer, the value must contain its end.
 */
export function signedCookie(configuration: Configuration, name: SiteCookie): Cookie {
  return createCookie(name, {
    path: "/",
    maxAge: siteCookies[name],
    httpOnly: true,
    secure: configuration.SITE_URL.startsWith("https://"),
    sameSite: "lax",
    secrets: configuration.COOKIE_SECRET.map((secret) => `${secret} signed cookie ${name}`),
  });
}
