import {
  type DataStrategyResult,
  isRouteErrorResponse,
  type MiddlewareFunction,
} from "react-router";
import * as z from "zod/mini";

/** The reading of a live page that is under way, of which there is one at a time. */
let reading: { hasFailed: boolean } | undefined;

/** What the loader of a live page says: whether it could read everything but the servers. */
export type Unread = { isUnread: boolean };

const unread = z.object({ isUnread: z.literal(true) });

/** Reads a live page again by `revalidate`; answers whether it could be read. */
export async function refreshData(revalidate: () => Promise<void>): Promise<boolean> {
  const current = { hasFailed: false };
  reading = current;
  try {
    await revalidate();
  } finally {
    if (reading === current) reading = undefined;
  }
  return !current.hasFailed;
}

/**
 * The client middleware of a live page: where it reads itself again in vain it stays as it is. Without this the router
 * would replace it by the error page. A navigation or a form is answered as usual, and so is a page that is gone or
 * forbidden.
 */
export const keepStaleData: MiddlewareFunction<Record<string, DataStrategyResult>> = async (
  { request },
  next,
) => {
  const current = reading;
  const results = await next();
  // Somebody may have gone on to another page while this one was read.
  const isOfThisPage =
    request.method === "GET" && addressOf(request.url) === addressOf(location.href);
  if (!current || !isOfThisPage || !isFailure(Object.values(results))) return results;
  current.hasFailed = true;
  return {};
};

function addressOf(url: string): string {
  const { pathname, search } = new URL(url);
  return pathname + search;
}

/** Whether the answer may be another in a moment: the site or a service behind it is away, or there were too many requests. */
function isFailure(results: readonly DataStrategyResult[]): boolean {
  const errors = results.flatMap(({ type, result }) => (type === "error" ? [result] : []));
  if (errors.length === 0) return results.some(({ result }) => unread.safeParse(result).success);
  const isFinal = (error: unknown) =>
    error instanceof Response ||
    (isRouteErrorResponse(error) && error.status < 500 && error.status !== 429);
  return !errors.some(isFinal);
}
