import { rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { refuseManyDownloads } from "~/features/deployments/download/downloads.server";
import { auditCsv, lineBefore } from "~/features/workspaces/audit-log.server";
import {
  openWorkspace,
  requireRight,
  requireWorkspaceForDownload,
} from "~/features/workspaces/workspace.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/audit-csv";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
  requireRight("audit"),
];

/** The audit log of a workspace as CSV. */
export async function loader({ request, context }: Route.LoaderArgs) {
  const scope = { context: context.get(appContext), session: context.get(sessionContext) };
  const csv = await auditCsv(scope, openWorkspace(context), lineBefore(request));
  if (csv !== undefined) {
    return new Response(csv, {
      headers: {
        "content-type": "text/csv; charset=utf-8",
        "content-disposition": 'attachment; filename="audit-log.csv"',
      },
    });
  }
  const { unreadable } = (await workspaceWords(scope.context)).audit;
  return new Response(`${unreadable}\n`, {
    status: 503,
    headers: { "content-type": "text/plain; charset=utf-8" },
  });
}
