import { data } from "react-router";
import { rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { bundleOrThrow } from "~/features/deployments/download/bundles.server";
import {
  filesWithSecrets,
  madeInBrowser,
  outdatedChoices,
  readForDownload,
  refusedDownload,
  refuseManyDownloads,
} from "~/features/deployments/download/downloads.server";
import { requireRight, requireWorkspaceForDownload } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/file";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
  requireRight("download"),
];

/** One file of a deployment, made anew from its options. */
export async function loader(args: Route.LoaderArgs) {
  const { params, request, context } = args;
  const search = new URL(request.url).searchParams;
  const { deployment, stored, version } = await readForDownload(args, search.get("version"));
  if (!("options" in stored) || !stored.options) return refusedDownload(outdatedChoices);
  const app = context.get(appContext);
  const saved = { deployment: deployment.id, number: version };
  const made = await bundleOrThrow(app, stored.options, { version: saved });
  const file = made.files.find(({ path }) => path === params.name);
  if (!file) throw data(null, { status: 404 });
  const withSecrets = await filesWithSecrets(app, stored.options, made, saved);
  if (withSecrets.has(file.path)) return refusedDownload(madeInBrowser);
  const disposition = search.has("download") ? "attachment" : "inline";
  return new Response(file.content, {
    headers: {
      "content-type": "text/plain; charset=utf-8",
      "content-disposition": `${disposition}; filename="${file.path}"`,
      "cache-control": "private, no-store",
    },
  });
}
