import { sessionContext } from "~/features/auth/session/session.server";
import { bundle } from "~/features/deployments/bundle/bundle";
import { refuseManyDownloads } from "~/features/deployments/download/download-limit.server";
import {
  madeInBrowser,
  outdatedChoices,
  readForDownload,
  refusedDownload,
  zipName,
} from "~/features/deployments/download/downloads.server";
import { appContext } from "~/http/app-context";
import type { Route } from "./+types/bundle-zip";

/** All files of a deployment, made anew from its options. */
export async function loader({ params, request, context }: Route.LoaderArgs) {
  const app = context.get(appContext);
  const session = context.get(sessionContext);
  const tooMany = await refuseManyDownloads(app, session, request);
  if (tooMany) return tooMany;
  const wanted = new URL(request.url).searchParams.get("version");
  const { stored, version } = await readForDownload(session.supabase, params.id, wanted);
  if (!("options" in stored) || !stored.options) return refusedDownload(outdatedChoices);
  if (stored.options.secrets === "browser") return refusedDownload(madeInBrowser);
  // Loaded here, because fflate fills its tables when it is loaded, and few requests want a zip.
  const { zipOf } = await import("~/features/deployments/bundle/zip");
  // Copied, because a response body wants a buffer of its own and not a view of a shared one.
  return new Response(new Uint8Array(zipOf(bundle(stored.options).files)), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${zipName(stored.options, version)}"`,
      "cache-control": "private, no-store",
    },
  });
}
