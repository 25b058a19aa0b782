import { rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { refuseManyDownloads } from "~/features/deployments/download/downloads.server";
import { downloadOf } from "~/features/servers/session-pages/server-file.server";
import { sessionsFile } from "~/features/servers/session-pages/sessions-file.server";
import { requireWorkspaceForDownload } from "~/features/workspaces/workspace.server";
import type { Route } from "./+types/sessions-csv";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
];

/** Everybody who was in a session of a server, as CSV. */
export const loader = ({ context, params }: Route.LoaderArgs) =>
  downloadOf(context, params.id, sessionsFile);
