import {
  exportStatistics,
  rangeIn,
  readStatistics,
} from "~/features/agents/usage/statistics.server";
import { apiRefusal } from "~/features/auth/session/api-refusal";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { apiError } from "~/http/api-answers";
import { appContext } from "~/http/app-context";
import { withinLimit } from "~/http/limits/rate-limit.server";
import { tooOften } from "~/http/limits/too-often";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/usage";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The visitor's statistics as JSON; as CSV where `format=csv` asks for it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const visitor = await session.visitor();
  if (visitor.state !== "signed-in") return apiRefusal(visitor.state);
  const app = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const days = rangeIn(query, new Date());
  if (!days.ok) return apiError(400, days.message);
  if (!(await withinLimit(app, "USAGE_READ_LIMIT", request, `user:${visitor.userId}`))) {
    return apiError(429, tooOften);
  }
  const { range } = days;
  const asCsv = query.get("format") === "csv";
  const read = asCsv
    ? await exportStatistics(session.supabase, range)
    : await readStatistics(session.supabase, range);
  if ("error" in read) {
    log.error("Token usage could not be read", describeError(read.error));
    return apiError(503, "Your usage cannot be read right now. Please try again in a moment.");
  }
  if ("tooMany" in read) {
    return apiError(400, `That is more than ${read.tooMany} rows. Choose fewer days.`);
  }
  if (!("csv" in read)) return Response.json(read);
  const name = `token-usage-${range.from}-${range.to}.csv`;
  return new Response(read.csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}
