import { rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { refuseManyDownloads } from "~/features/deployments/download/downloads.server";
import { sessionsCsv } from "~/features/servers/session-pages/sessions-view.server";
import { requireWorkspaceForDownload } from "~/features/workspaces/workspace.server";
import type { Route } from "./+types/sessions-csv";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
];

/** Everybody who was in a session of a server, as CSV. */
export async function loader({ context, params }: Route.LoaderArgs) {
  const csv = await sessionsCsv(context, params.id);
  if (csv) {
    return new Response(csv, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="sessions.csv"',
      },
    });
  }
  const [words, status] =
    csv === null
      ? ["There is no such server.\n", 404]
      : ["The sessions cannot be read right now. Please try again in a moment.\n", 503];
  return new Response(words, { status, headers: { "content-type": "text/plain; charset=utf-8" } });
}
