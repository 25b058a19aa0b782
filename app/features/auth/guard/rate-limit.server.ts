import type { MiddlewareFunction } from "react-router";
import { appContext } from "~/http/app-context";
import { type LimitName, withinLimit, withinLimitOf } from "~/http/rate-limit.server";
import { sessionContext } from "../session/session.server";

/**
 * A middleware that counts each GET of a route against `limit`: by network address and, if somebody is signed in, by
 * person. With a `purpose` a signed-in person is counted alone, apart from other uses of the limit. Above the limit
 * it answers `refuse()`.
 *
 * The method that was sent decides. The guard of actions counts a post, and here `request` is still the post while
 * loaders run around its answer, so it is not counted again. What a script reads after a post, and what a redirect
 * leads to, are requests of their own and count as reads. A HEAD arrives as a GET (workers/app.ts).
 */
export function rateLimit(
  limit: LimitName,
  refuse: () => Response,
  purpose?: string,
): MiddlewareFunction<Response> {
  return async ({ request, context }, next) => {
    if (request.method !== "GET") return next();
    const app = context.get(appContext);
    const visitor = await context.get(sessionContext).visitor();
    const person = "userId" in visitor ? visitor.userId : undefined;
    const isWithin =
      purpose && person
        ? await withinLimitOf(`${purpose}:${person}`, app, limit, request)
        : await withinLimit(app, limit, request, ...(person ? [`user:${person}`] : []));
    return isWithin ? next() : refuse();
  };
}
