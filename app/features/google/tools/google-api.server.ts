import type * as z from "zod/mini";
import type { Configuration } from "~/platform/env/configuration.server";
import { describeError, log } from "~/platform/log/log.server";
import { type GoogleFailure, notFound, readFailure, unreachable } from "./google-failure.server";

export type GoogleCall<Body> = {
  method: "GET" | "POST" | "PUT" | "PATCH" | "DELETE";
  /** As Google's reference has it, from the first slash: `/gmail/v1/users/me/messages`. */
  path: string;
  /** Undefined values are left out; a list repeats the name. */
  query?: Readonly<Record<string, string | number | boolean | readonly string[] | undefined>>;
  /** Sent as JSON. */
  body?: object;
  headers?: Readonly<Record<string, string>>;
  /** What of the answer is used; an answer of another shape is a failure of Google's. */
  answer: z.ZodMiniType<Body>;
};

export type GoogleAnswer<Body> = { ok: true; body: Body } | GoogleFailure;

/** One person's way to Google's APIs, for one request of theirs. */
export type Google = {
  /** Asks once: what is not sure to have happened is not repeated here. */
  call<Body>(call: GoogleCall<Body>): Promise<GoogleAnswer<Body>>;
  /** When the person asked. */
  now: Date;
  /** The address of the connected Google account, so that links open in it; "" when unknown. */
  email: string;
};

const standardAddress = "https://www.googleapis.com";
/** Google has a host for each of these; what is not listed is on the standard one. */
const hosts: Readonly<Record<string, string>> = {
  gmail: "https://gmail.googleapis.com",
  tasks: "https://tasks.googleapis.com",
  v1: "https://docs.googleapis.com",
  tokeninfo: "https://oauth2.googleapis.com",
  revoke: "https://oauth2.googleapis.com",
};

/** A fake has everything at one address. */
export function googleAddress({ GOOGLE_API_URL }: Configuration, path: string): URL {
  const first = path.split("/", 2)[1] ?? "";
  const isStandard = GOOGLE_API_URL === standardAddress;
  return new URL((isStandard ? (hosts[first] ?? standardAddress) : GOOGLE_API_URL) + path);
}

/** Longer than a big document takes, shorter than a person waits. */
const patienceMs = 15_000;

/** Google's APIs in the name of whoever gave us `token`, which is never logged. */
export function googleClient(
  configuration: Configuration,
  { token, email }: { token: string; email: string },
): Google {
  return {
    now: new Date(),
    email,
    async call({ method, path, query = {}, body, headers, answer }) {
      const url = googleAddress(configuration, path);
      // An id such as `..` is no id: it would make the address another one.
      if (url.pathname !== path) return notFound;
      for (const [name, value] of Object.entries(query)) {
        for (const each of Array.isArray(value) ? value : [value]) {
          if (each !== undefined) url.searchParams.append(name, String(each));
        }
      }
      // The path names messages and documents of people; the API is enough for a log.
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
          signal: AbortSignal.timeout(patienceMs),
        });
        const text = await response.text();
        if (!response.ok) {
          const failure = readFailure(response, text);
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
