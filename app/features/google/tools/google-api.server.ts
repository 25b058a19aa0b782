import type * as z from "zod/mini";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { type GoogleFailure, googleFailure, notFound, unreachable } from "./google-failure.server";

export type GoogleCall<Body> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** The path as in Google's reference, such as `/gmail/v1/users/me/messages`. */
  path: string;
  /** Undefined values are left out; a list repeats the name. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Sent as JSON. */
  body?: object;
  headers?: Readonly<Record<string, string>>;
  /** The fields that we use of the answer. An answer without them counts as none. */
  answer: z.ZodMiniType<Body>;
};

export type GoogleAnswer<Body> = { ok: true; body: Body } | GoogleFailure;

/** A client of Google's APIs with one person's token, for one request. */
export type Google = {
  /** Makes the call once, without retries: a call without an answer may have taken effect. */
  call<Body>(call: GoogleCall<Body>): Promise<GoogleAnswer<Body>>;
  /** The time of the request. */
  now: Date;
  /** The address of the connected Google account, so that links open in it; "" when unknown. */
  email: string;
};

const standardAddress = "https://www.googleapis.com";
/** The hosts of Google's APIs by the first part of a path; every other API is at `standardAddress`. */
const hosts: Readonly<Record<string, string>> = {
  gmail: "https://gmail.googleapis.com",
  tasks: "https://tasks.googleapis.com",
  v1: "https://docs.googleapis.com",
  tokeninfo: "https://oauth2.googleapis.com",
  revoke: "https://oauth2.googleapis.com",
};

/** The address of a path at Google. The fake serves all APIs at one address. */
export function googleAddress({ GOOGLE_API_URL }: Configuration, path: string): URL {
  const first = path.split("/", 2)[1] ?? "";
  const isStandard = GOOGLE_API_URL === standardAddress;
  return new URL((isStandard ? (hosts[first] ?? standardAddress) : GOOGLE_API_URL) + path);
}

/** A large document takes less; a person would not wait longer. */
const timeoutMs = 15_000;

/** Makes the client for a token, which is never logged. */
export function googleClient(
  configuration: Configuration,
  { token, email }: { token: string; email: string },
): Google {
  return {
    now: new Date(),
    email,
    async call({ method, path, query = {}, body, headers, answer }) {
      const url = googleAddress(configuration, path);
      // An id such as `..` would change the path.
      if (url.pathname !== path) return notFound;
      for (const [name, value] of Object.entries(query)) {
        for (const each of Array.isArray(value) ? value : [value]) {
          if (each !== undefined) url.searchParams.append(name, String(each));
        }
      }
      // A path contains ids of messages and documents, so only the name of the API is logged.
      const api = path.split("/", 2)[1];
      try {
        const response = await fetch(url, {
          method,
          headers: {
            authorization: `Bearer ${token}`,
            accept: "application/json",
            ...(body && { "content-type": "application/json" }),
            ...headers,
          },
          ...(body && { body: JSON.stringify(body) }),
          // Followed, a redirect would take the person's token to a host that nobody configured.
          redirect: "manual",
          signal: AbortSignal.timeout(timeoutMs),
        });
        const text = await response.text();
        if (!response.ok) {
          const failure = googleFailure(response, text);
          log.warn("Google refused a call", {
            api,
            status: response.status,
            kind: failure.kind,
          });
          return failure;
        }
        return { ok: true, body: answer.parse(text === "" ? undefined : JSON.parse(text)) };
      } catch (error) {
        const { error: name } = describeError(error);
        log.error("Google did not answer a call", { api, error: name });
        return unreachable;
      }
    },
  };
}
