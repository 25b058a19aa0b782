import { data, type ShouldRevalidateFunctionArgs } from "react-router";
import {
  requestedRange,
  usageUnread,
  usageUnreadable,
} from "~/features/agents/usage/requested-range.server";
import { exportStatistics, readStatistics } from "~/features/agents/usage/statistics.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { readRefusal } from "~/features/auth/session/sign-in-problems";
import { namedWorkspace, noSuchWorkspace } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { isFailure, readFailure } from "~/http/read";
import { answerOr, siteUnreachable } from "~/http/unreachable.client";
import type { Route } from "./+types/usage";

export const middleware: Route.MiddlewareFunction[] = [sessionMiddleware];

/** The statistics of the workspace that `workspace` in the query names, as JSON; as CSV where `format=csv` asks for it. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const session = context.get(sessionContext);
  const visitor = await session.visitor();
  if (visitor.state !== "signed-in") return readRefusal(visitor.state);
  const range = await requestedRange(context.get(appContext), request, visitor.userId);
  if (isFailure(range)) return readFailure(range.status, range.error);
  const workspace = await namedWorkspace(request, context);
  if (workspace === null) return readFailure(usageUnread.status, usageUnread.error);
  if (!workspace) return readFailure(404, noSuchWorkspace);
  const asCsv = new URL(request.url).searchParams.get("format") === "csv";
  const read = asCsv
    ? await exportStatistics(session.supabase, workspace, range)
    : await readStatistics(session.supabase, workspace, range);
  if ("error" in read) {
    const { status, error } = usageUnreadable(read.error);
    return readFailure(status, error);
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
