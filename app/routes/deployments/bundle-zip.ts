import { rateLimit } from "~/features/auth/guard/rate-limit.server";
import { requireUserForDownload } from "~/features/auth/guard/require-user.server";
import { sessionMiddleware } from "~/features/auth/session/session.server";
import { zipOrThrow } from "~/features/deployments/download/bundles.server";
import {
  madeInBrowser,
  outdatedChoices,
  readForDownload,
  refusedDownload,
  refuseManyDownloads,
  zipName,
} from "~/features/deployments/download/downloads.server";
import { requireRight, requireWorkspaceForDownload } from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/bundle-zip";

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
  requireRight("download"),
];

/** All files of a deployment, made anew from its options. */
export async function loader(args: Route.LoaderArgs) {
  const { request, context } = args;
  const wanted = new URL(request.url).searchParams.get("version");
  const { stored, version } = await readForDownload(args, wanted);
  if (!("options" in stored) || !stored.options) return refusedDownload(outdatedChoices);
  if (stored.options.secrets === "browser") return refusedDownload(madeInBrowser);
  const zip = await zipOrThrow(context.get(appContext), stored.options);
  // Copied, because a response body wants a buffer of its own and not a view of a shared one.
  return new Response(new Uint8Array(zip), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${zipName(stored.options, version)}"`,
      "cache-control": "private, no-store",
    },
  });
}
