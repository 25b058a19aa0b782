import { needsAccount } from "~/content/trial";
import { guarded, rateLimit, requireUserForDownload } from "~/features/auth/guard.server";
import { isInTrial } from "~/features/auth/session/in-trial.server";
import { sessionContext, sessionMiddleware } from "~/features/auth/session/session.server";
import { zipOrThrow } from "~/features/deployments/download/bundles.server";
import {
  madeInBrowser,
  outdatedChoices,
  readForDownload,
  refusedDownload,
  refuseManyDownloads,
  zipName,
} from "~/features/deployments/download/downloads.server";
import { makeEnrolmentToken } from "~/features/servers/connect/enrolment-tokens.server";
import {
  openWorkspace,
  requireRight,
  requireWorkspaceForDownload,
} from "~/features/workspaces/workspace.server";
import { appContext } from "~/http/app-context";
import { readForm } from "~/http/body.server";
import type { Route } from "./+types/bundle-zip";

/** A trial reads each file on its page; the archive of them is for accounts. */
const refuseInTrial: Route.MiddlewareFunction = async ({ context }, next) =>
  (await isInTrial(context.get(sessionContext))) ? refusedDownload(needsAccount, 403) : next();

export const middleware: Route.MiddlewareFunction[] = [
  sessionMiddleware,
  requireUserForDownload,
  refuseInTrial,
  rateLimit("DOWNLOAD_LIMIT", refuseManyDownloads),
  requireWorkspaceForDownload,
  requireRight("download"),
];

/** All files of a deployment, made anew from its options. */
export async function loader(args: Route.LoaderArgs) {
  const { searchParams } = new URL(args.request.url);
  const use = searchParams.get("for") === "apply" ? "apply" : "new-machine";
  return zipOf(args, await readForDownload(args, searchParams.get("version")), use);
}

/**
 * The same, with a token by which the machine introduces itself to the console where the form asks for that. Where the
 * plan has no room for another server the files have none.
 */
export const action = guarded({
  refused: ({ status, message }) => refusedDownload(message, status),
  async allowed(args: Route.ActionArgs, principal) {
    const { context, request } = args;
    const app = context.get(appContext);
    const form = await readForm(request);
    const found = await readForDownload(args, form.get("version"));
    const connects = form.get("connect") === "yes" && app.configuration.SERVERS_URL;
    if (!connects) return zipOf(args, found, "new-machine");
    const scope = { context: app, session: context.get(sessionContext), principal };
    const workspace = openWorkspace(context);
    const { deployment, stored, version } = found;
    const of = { ...deployment, stored, version };
    return zipOf(args, found, "new-machine", () =>
      makeEnrolmentToken({ ...scope, workspace }, of, "bundle"),
    );
  },
});

async function zipOf(
  { context }: Pick<Route.LoaderArgs, "context">,
  { deployment, stored, version }: Awaited<ReturnType<typeof readForDownload>>,
  use: "new-machine" | "apply",
  makeToken?: () => ReturnType<typeof makeEnrolmentToken>,
): Promise<Response> {
  if (!("options" in stored) || !stored.options) return refusedDownload(outdatedChoices);
  if (stored.options.secrets === "browser") return refusedDownload(madeInBrowser);
  const made = await makeToken?.();
  if (made && !made.ok && made.left === undefined) {
    return refusedDownload(made.message, made.status);
  }
  const token = made?.ok ? made.token : undefined;
  const saved = { deployment: deployment.id, number: version };
  const zip = await zipOrThrow(context.get(appContext), stored.options, saved, token);
  // Copied, because a response body wants a buffer of its own and not a view of a shared one.
  return new Response(new Uint8Array(zip), {
    headers: {
      "content-type": "application/zip",
      "content-disposition": `attachment; filename="${zipName(stored.options, version, use)}"`,
      "cache-control": "private, no-store",
    },
  });
}
