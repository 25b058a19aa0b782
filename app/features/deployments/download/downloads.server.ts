import { data } from "react-router";
import { sessionContext } from "~/features/auth/session/session.server";
import type { AppContext } from "~/http/app-context";
import type { Bundle, BundleFile, BundleVersion, Secrets } from "../bundle/bundle-types.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { deploymentsUnreadable, type Found, readVersion } from "../record/deployments.server";
import { findDeployment } from "../record/requested-deployment.server";
import type { Deployment, StoredOptions } from "../stored-deployment";
import { bundleOrThrow } from "./bundles.server";

/** What was found; the rest of the loader runs only then. Somebody else's is 404 like nobody's. */
export function foundOrThrow<Thing>(found: Found<Thing>): Thing {
  if (found.state === "found") return found.value;
  throw found.state === "unknown"
    ? data(null, { status: 404 })
    : data(deploymentsUnreadable, { status: 503 });
}

/** The deployment at an address, in the version that `?version=` asks for, else the current one. */
export async function readForDownload(
  args: Parameters<typeof findDeployment>[0],
  version: string | null,
): Promise<{ deployment: Deployment; stored: StoredOptions; version: number }> {
  const deployment = foundOrThrow(await findDeployment(args));
  if (version === null) {
    return { deployment, stored: deployment.stored, version: deployment.version };
  }
  const number = /^[1-9]\d{0,8}$/.test(version) ? Number(version) : Number.NaN;
  const old = foundOrThrow(
    await readVersion(args.context.get(sessionContext).supabase, deployment.id, number),
  );
  return { deployment, stored: old.stored, version: old.version };
}

/**
 * The zip's name at the customer: letters, digits, dots and hyphens only. One for `livekit-deploy apply` connects no new
 * machine, so that the two are not taken for each other.
 */
export function zipName(
  { domain }: DeploymentOptions,
  version: number,
  use: "new-machine" | "apply" = "new-machine",
): string {
  return `${domain}-v${version}${use === "apply" ? "-apply" : ""}.zip`;
}

const probe: Secrets = {
  apiKey: "APIxxxxxxxxxxxx",
  apiSecret: "x".repeat(43),
  redisPassword: "x".repeat(43),
  webhookSecret: "x".repeat(43),
};

/**
 * The paths of the files that secrets made in a browser would go into. The server only ever has
 * them without, so it hands out neither them nor a zip.
 */
export async function filesWithSecrets(
  context: Pick<AppContext, "bindings" | "configuration">,
  options: DeploymentOptions,
  made: Bundle,
  version: BundleVersion,
): Promise<ReadonlySet<string>> {
  if (options.secrets !== "browser") return new Set();
  const plain = new Map(made.files.map(({ path, content }) => [path, content]));
  const { files } = await bundleOrThrow(context, options, { secrets: probe, version });
  return new Set(files.filter((file) => plain.get(file.path) !== file.content).map(pathOf));
}

function pathOf({ path }: BundleFile): string {
  return path;
}

/** What a download answers when the choices cannot become files, or not here. */
export function refusedDownload(message: string, status = 409): Response {
  return new Response(`${message}\n`, {
    status,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-store" },
  });
}

/** A download that is one too many in a minute, by its person or by where it is asked from. */
export function refuseManyDownloads(): Response {
  return new Response("Too many downloads in a minute. Please wait a minute and try again.\n", {
    status: 429,
    headers: { "content-type": "text/plain; charset=utf-8", "cache-control": "private, no-store" },
  });
}

export const outdatedChoices =
  "The choices of this version no longer make a server. Edit the deployment and save it again.";
export const madeInBrowser =
  "The secrets of this deployment are made in your browser, so this is made there too: open the deployment's page.";
