import { planQuotas } from "~/content/plans";
import type { WatchLoss } from "~/features/billing/plan-change/downgrade-losses";
import type { AppContext } from "~/http/app-context";
import { orUndefined, readFleet } from "../fleets.server";

/**
 * The connected servers of a workspace, the one that reported last first: it stays watched with Basic where nobody picks
 * another. None where all stay watched, or where they cannot be read.
 */
export async function watchLossIn(
  context: AppContext,
  workspace: { id: string } | null,
): Promise<WatchLoss> {
  if (!workspace || !context.configuration.SERVERS_URL) return [];
  const fleet = await readFleet({ context, workspace });
  const connected = fleet?.servers.filter(({ retiredAt }) => retiredAt === undefined) ?? [];
  if (connected.length <= planQuotas.basic.servers) return [];
  return connected
    .toSorted((one, other) => (other.lastReportAt ?? 0) - (one.lastReportAt ?? 0))
    .map(({ id, name }) => ({ id, name }));
}

/** Notes which server stays watched. Where that cannot be noted it is the one that reports last, and another can be picked later. */
export async function pickWatched(
  context: AppContext,
  workspace: { id: string } | null,
  server: string | null,
): Promise<void> {
  if (!workspace || !server || !/^[0-9a-f-]{36}$/.test(server)) return;
  await orUndefined(context.bindings.FLEETS.pickServer(workspace.id, server));
}
