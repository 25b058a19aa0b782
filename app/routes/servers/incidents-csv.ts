import { rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { refuseManyDownloads } from "~/features/deployments/download/downloads.server";
import { incidentsCsv } from "~/features/servers/incidents/incidents-view.server";
import { requireWorkspaceForDownload } from "~/features/workspaces/workspace.server";
import type { Route } from "./+types/incidents-csv";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
];

/** The incidents of a workspace, or the uptime of its servers, as CSV. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const search = new URL(request.url).searchParams;
  const csv = await incidentsCsv(context, search);
  if (csv === undefined) {
    return new Response(
      "Your incidents cannot be read right now. Please try again in a moment.\n",
      {
        status: 503,
        headers: { "content-type": "text/plain; charset=utf-8" },
      },
    );
  }
  const name = search.get("of") === "uptime" ? "uptime" : "incidents";
  return new Response(csv, {
    headers: {
      "content-type": "text/csv; charset=utf-8",
      "content-disposition": `attachment; filename="${name}.csv"`,
    },
  });
}
