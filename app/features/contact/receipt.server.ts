import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import type { AppContext } from "~/http/app-context";
import type { SiteCookie } from "~/http/cookies";
import { signedCookie } from "~/http/cookies.server";
import { describeError, log } from "~/platform/log/log.server";

/** What the page after a sent message shows. With the address, a person notices a typing mistake. */
export type Receipt = { id: string; email: string; topic: string };

/** The receipt of the visitor's last message, which is kept for ten minutes. */
export function receiptOf(context: AppContext) {
  return visitorState<Receipt>(context, "contact-receipt");
}

const kvTimeoutMs = 500;

/**
 * A value for a visitor's next pages, such as a notice or a draft. It is in KV, under an id in a signed cookie, for as
 * long as the cookie lives. KV may be late or down, so pages must work without the value. Use it only on pages that
 * are not cached, and never to decide who somebody is.
 */
function visitorState<Value extends object>(
  { configuration, bindings }: AppContext,
  name: SiteCookie,
) {
  const storage = createWorkersKVSessionStorage<{ value: Value }>({
    kv: bindings.VISITOR_STATE,
    cookie: signedCookie(configuration, name),
  });

  async function orNothing<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await Promise.race([work, kvTimeout()]);
    } catch (error) {
      log.warn("KV did not answer", { state: name, ...describeError(error) });
    }
  }

  return {
    /** The visitor's value; undefined when there is none, or when it has expired. */
    read: (request: Request): Promise<Value | undefined> =>
      orNothing(
        storage.getSession(request.headers.get("cookie")).then((session) => session.get("value")),
      ),
    /** Stores a value and returns the Set-Cookie header to send; undefined when KV failed. */
    async keep(value: Value): Promise<string | undefined> {
      const session = await storage.getSession();
      session.set("value", value);
      return orNothing(storage.commitSession(session));
    },
  };
}

/** The timeout for KV, to be raced against a read or write: a page without a notice is better than a slow one. */
function kvTimeout(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, kvTimeoutMs));
}
