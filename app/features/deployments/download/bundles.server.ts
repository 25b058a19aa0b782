import { data } from "react-router";
import type { AppContext } from "~/http/app-context";
import { describeError, log } from "~/platform/log/log.server";
import type { Bundle, Secrets } from "../bundle/bundle-types.ts";
import type { DeploymentOptions } from "../bundle/options/options.ts";
import { deploymentsUnreadable } from "../record/deployments.server";

// Bundles are made by the servers Worker (workers/servers/bundles.ts). Nothing but an outage makes it fail.

type Context = Pick<AppContext, "bindings">;

/** The bundle of these options. Throws an answer of 503 while it cannot be made. */
export function bundleOrThrow(
  { bindings }: Context,
  options: DeploymentOptions,
  secrets?: Secrets,
): Promise<Bundle> {
  return orThrow(bindings.BUNDLES.make(options, secrets));
}

/** Its files as one zip. Throws an answer of 503 while it cannot be made. */
export function zipOrThrow({ bindings }: Context, options: DeploymentOptions): Promise<Uint8Array> {
  return orThrow(bindings.BUNDLES.zip(options));
}

/** The hash of what options install on a machine; only for those that it was made with. */
export type InstalledHashOf = (options: DeploymentOptions) => string | undefined;

/** The hashes of what each of these options installs, in one call; undefined while they cannot be had. */
export async function readInstalledHashes(
  { bindings }: Context,
  all: readonly DeploymentOptions[],
): Promise<InstalledHashOf | undefined> {
  if (all.length === 0) return () => undefined;
  const hashes = await orUndefined(bindings.BUNDLES.installedHashes(all));
  if (!hashes) return;
  const known = new Map(all.map((options, at) => [options, hashes[at]]));
  return (options) => known.get(options);
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
