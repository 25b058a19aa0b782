import { data } from "react-router";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import type { Bundle, BundleVersion, Connection, Secrets } from "../bundle/bundle-types.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { deploymentsUnreadable } from "../record/deployments.server";

// Bundles are made by the servers Worker (workers/servers/bundles.ts). Nothing but an outage makes it fail.

type Context = Pick<AppContext, "bindings" | "configuration">;

/** Where machines find the console, and what else they need to connect; undefined where there is none. */
export function connectionOf(
  { configuration }: Context,
  more: Omit<Connection, "url"> = {},
): Connection | undefined {
  const url = configuration.SERVERS_URL;
  return url === undefined ? undefined : { url, ...more };
}

/**
 * The bundle of these options; with the version that they were saved as, for a download, and with a token. Throws an
 * answer of 503 while it cannot be made.
 */
export function bundleOrThrow(
  context: Context,
  options: DeploymentOptions,
  { secrets, version, token }: { secrets?: Secrets; version?: BundleVersion; token?: string } = {},
): Promise<Bundle> {
  const connection = connectionOf(context, {
    ...(version ? { version } : {}),
    ...(token ? { token } : {}),
  });
  return orThrow(context.bindings.BUNDLES.make(options, secrets, connection));
}

/** What differs between the bundles of two versions' options. Throws an answer of 503 while they cannot be made. */
export function compareOrThrow(
  { bindings }: Pick<Context, "bindings">,
  before: DeploymentOptions,
  after: DeploymentOptions,
) {
  return orThrow(bindings.BUNDLES.compare(before, after));
}

/**
 * Its files as one zip; with a token, by which the machine introduces itself. Throws an answer of 503 while it cannot be
 * made.
 */
export function zipOrThrow(
  context: Context,
  options: DeploymentOptions,
  version: BundleVersion,
  token?: string,
): Promise<Uint8Array> {
  const connection = connectionOf(context, { version, ...(token ? { token } : {}) });
  return orThrow(context.bindings.BUNDLES.zip(options, connection));
}

/** The hash of what options install on a machine; only for those that it was made with. */
export type InstalledHashOf = (options: DeploymentOptions) => string | undefined;

/** The hashes of what each of these options installs, in one call; undefined while they cannot be had. */
export async function readInstalledHashes(
  { bindings }: Pick<Context, "bindings">,
  all: readonly DeploymentOptions[],
): Promise<InstalledHashOf | undefined> {
  if (all.length === 0) return () => undefined;
  const hashes = await orUndefined(bindings.BUNDLES.installedHashes(all));
  if (!hashes) return;
  const hashByOptions = new Map(all.map((options, at) => [options, hashes[at]]));
  return (options) => hashByOptions.get(options);
}

async function orThrow<Made>(call: Promise<Made>): Promise<Made> {
  const made = await orUndefined(call);
  if (made === undefined) throw data(deploymentsUnreadable, { status: 503 });
  return made;
}

async function orUndefined<Made>(call: Promise<Made>): Promise<Made | undefined> {
  try {
    return await call;
  } catch (error) {
    log.error("A bundle was not made", describeError(error));
  }
}
