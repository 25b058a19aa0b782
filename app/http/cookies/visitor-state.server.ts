import { createWorkersKVSessionStorage } from "@react-router/cloudflare";
import { describeError, log } from "~/platform/log/log.server";
import type { AppContext } from "../app-context";
import { signedCookie } from "./signed-cookie.server";
import type { SiteCookie } from "./site-cookies";

const kvPatienceMs = 500;

/**
 * Something that a visitor's next pages show, such as a notice or a draft: in KV for as long as
 * the cookie lives, under an id that a signed cookie carries. KV may be late or down, so pages must read well without
 * it. Only for pages that no cache keeps, and never for who somebody is.
 */
export function visitorState<Value extends object>(
  { configuration, bindings }: AppContext,
  name: SiteCookie,
) {
  const storage = createWorkersKVSessionStorage<{ value: Value }>({
    kv: bindings.VISITOR_STATE,
    cookie: signedCookie(configuration, name),
  });

  async function orNothing<Result>(work: Promise<Result>): Promise<Result | undefined> {
    try {
      return await Promise.race([work, patience()]);
    } catch (error) {
      log.warn("KV did not answer", { state: name, ...describeError(error) });
    }
  }

  return {
    /** What was kept for whoever asks; undefined when nothing was, or no longer. */
    read: (request: Request): Promise<Value | undefined> =>
      orNothing(
        storage.getSession(request.headers.get("cookie")).then((session) => session.get("value")),
      ),
    /** Keeps a value; answers the Set-Cookie header to send, unless KV failed. */
    async keep(value: Value): Promise<string | undefined> {
      const session = await storage.getSession();
      session.set("value", value);
      return orNothing(storage.commitSession(session));
    },
  };
}

/** What KV keeps here is worth no wait: a slow answer counts as none. */
function patience(): Promise<undefined> {
  return new Promise((resolve) => setTimeout(resolve, kvPatienceMs));
}
