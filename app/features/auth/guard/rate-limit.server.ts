import type { MiddlewareFunction } from "react-router";
import { appContext } from "~/http/app-context";
import { type LimitName, withinLimit, withinLimitOf } from "~/http/limits/rate-limit.server";
import { sessionContext } from "../session/session.server";

/**
 * Counts each read of a route: by network address, and by person where one is known; or, with a
 * `purpose`, by person alone and apart from what else `limit` counts. `refuse` is the answer beyond it. A
 * post is counted by the guard of actions.
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
