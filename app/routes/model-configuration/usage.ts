import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import {
  exportStatistics,
  rangeIn,
  readStatistics,
} from "~/features/agents/usage/statistics.server";
import { readRefusal } from "~/features/auth/session/api-refusal";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { appContext } from "~/http/app-context";
import { withinLimit } from "~/http/limits/rate-limit.server";
import { tooOften } from "~/http/limits/too-often";
import { readFailure } from "~/http/read-failure";
import { answerOr, siteUnreachable } from "~/http/unreachable.client";
import { describeError, log } from "~/platform/log/log.server";
import type { Route } from "./+types/usage";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The visitor's statistics as JSON; as CSV where `format=csv` asks for it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const visitor = await session.visitor();
  if (visitor.state !== "signed-in") return readRefusal(visitor.state);
  const app = context.get(appContext);
  const query = new URL(request.url).searchParams;
  const days = rangeIn(query, new Date());
  if (!days.ok) return readFailure(400, days.message);
  if (!(await withinLimit(app, "USAGE_READ_LIMIT", request, `user:${visitor.userId}`))) {
    return readFailure(429, tooOften);
  }
  const { range } = days;
  const asCsv = query.get("format") === "csv";
  const read = asCsv
    ? await exportStatistics(session.supabase, range)
    : await readStatistics(session.supabase, range);
  if ("error" in read) {
    log.error("Token usage could not be read", describeError(read.error));
    return readFailure(503, "Your usage cannot be read right now. Please try again in a moment.");
  }
  if ("tooMany" in read) {
    return readFailure(400, `That is more than ${read.tooMany} rows. Choose fewer days.`);
  }
  if (!("csv" in read)) return data(read);
  const name = `token-usage-${range.from}-${range.to}.csv`;
  return new Response(read.csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}"`,
    },
  });
}

export const clientLoader = ({ serverLoader }: Route.ClientLoaderArgs) =>
  answerOr(serverLoader(), readFailure(503, siteUnreachable));

/** Of the forms on the page only that of an allowance changes what the statistics show. */
export function shouldRevalidate({ formData, actionStatus }: ShouldRevalidateFunctionArgs) {
  return formData?.get("intent") === "set-allowance" && actionStatus === 200;
}
