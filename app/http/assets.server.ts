import { data } from "react-router";
import { describeError, log } from "~/platform/log/log.server";
import type { AppContext } from "./app-context";

/**
 * Reads a file of the client's build by the path that the build gave it. Throws when the file is not where the build
 * put it. The binding ignores the host; Vite, which answers in development, refuses hosts other than localhost's.
 */
export async function fetchAsset(
  path: string,
  { bindings }: Pick<AppContext, "bindings">,
): Promise<Response> {
  const response = await bindings.ASSETS.fetch(new URL(path, "https://assets.localhost"));
  if (!response.ok) throw new Error(`The asset ${path} answered ${response.status}`);
  return response;
}

/**
 * The texts of pages that only the Worker needs: a JSON file of `app/content`, which is a static asset and so is no
 * part of the upload. It is read once for each isolate. `address` is where the build put it (`?url&no-inline`). There
 * are no such pages without it: where it cannot be read, what this returns throws an answer with status 503, whose
 * sentence begins with `subject`.
 */
export function pageTexts<Texts>(address: string, subject: string) {
  // The texts, not the promise of them, which would fail with the request that began to read.
  let cached: Texts | undefined;
  return async (context: Pick<AppContext, "bindings">): Promise<Texts> => {
    try {
      cached ??= await (await fetchAsset(address, context)).json<Texts>();
      return cached;
    } catch (error) {
      log.error("Texts of pages were not read", { ...describeError(error), address });
      throw data(`${subject} cannot be shown right now. Please try again in a moment.`, {
        status: 503,
      });
    }
  };
}
