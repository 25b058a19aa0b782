import { readVersion } from "~/features/deployments/record/deployments.server";
import type { AppContext } from "~/http/app-context";
import { toBase64url } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import { orUndefined } from "../fleets.server";
import { isoOf } from "../iso-of";
import type { Report } from "../state/server-record";
import { readApprovers } from "./approvers-page/approvers.server";
import { relyingParty } from "./relying-party";
import { isEnded, isPastAbort, type RolloutView, type ServerRollouts } from "./rollout";
import { stateWords, stepWords } from "./state-words";

type ReportingServer = {
  id: string;
  madeFrom?: Report["madeFrom"] | undefined;
  rollouts?: ServerRollouts;
};

/** What a server's page shows of its rollouts. */
export type RolloutDetails = Awaited<ReturnType<typeof rolloutDetails>>;

type Scope = {
  context: AppContext;
  supabase: Parameters<typeof readVersion>[0];
  workspace: { id: string };
  /** Who reads it. */
  person: string;
  mayRollOut: boolean;
};

/** Undefined where the server's files know no rollouts. */
export async function rolloutDetails(
  scope: Scope,
  { id: server, rollouts, madeFrom }: ReportingServer,
) {
  if (!rollouts || (!rollouts.approvals && rollouts.list.length === 0)) return;
  const { list, approvals } = rollouts;
  const open = list.find(({ targets }) => targets.some(({ state }) => !isEnded(state)));
  return {
    needed: approvals?.needed ?? 1,
    knows: approvals?.known.length ?? 0,
    windows: rollouts.windows,
    open: open && {
      ...lineOf(open, server),
      ...(await approvalOf(scope, open, approvals?.known)),
      isOfOtherRelease: await isOfOtherRelease(scope, open, { id: server, madeFrom }),
    },
    past: list.filter((each) => each !== open).map((each) => lineOf(each, server)),
  };
}

function lineOf({ approvals, targets, ...of }: RolloutView, server: string) {
  const target = targets.find((each) => each.server === server) ?? targets[0];
  const state = target?.state ?? "requested";
  const waits = state === "approved" && of.beginsAt !== undefined && of.beginsAt > Date.now();
  const current = targets.find(({ state }) => !isEnded(state));
  return {
    ...{ id: of.id, version: of.version, requestedBy: of.requestedBy, needed: of.needed },
    ...{ requestedAt: isoOf(of.requestedAt), endsAt: isoOf(of.endsAt) },
    ...(of.beginsAt === undefined ? {} : { beginsAt: isoOf(of.beginsAt) }),
    ...{ state, title: waits ? "Approved, waits for its window" : stateWords[state] },
    reason: target?.reason,
    isAborting: current?.isAborting === true,
    mayAbort: current !== undefined && !isPastAbort(current.state) && !current.isAborting,
    approvedBy: approvals.map(({ by }) => by),
    // That it was asked for, and by whom, stands above them.
    steps: (target?.steps ?? [])
      .filter(({ state }) => state !== "requested")
      .map(({ state, at }) => ({ ...{ state, title: stepWords[state], at: isoOf(at) } })),
    others: targets
      .filter((each) => each !== target)
      .map(({ server: id, name, state, reason }) => ({
        ...{ id, name, title: stateWords[state], reason },
      })),
  };
}

/**
 * Whether the server's files are of another release of ours than today's, while an approval is waited for: the page compares
 * two versions as today's release makes them.
 */
async function isOfOtherRelease(
  { context, supabase, workspace, mayRollOut }: Scope,
  { deployment, targets }: RolloutView,
  { id, madeFrom }: Pick<ReportingServer, "id" | "madeFrom">,
): Promise<boolean> {
  const url = context.configuration.SERVERS_URL;
  const isWaiting = targets.some(({ state }) => state === "requested");
  if (!url || !mayRollOut || !isWaiting || madeFrom?.deployment !== deployment) return false;
  const { version } = madeFrom;
  const read = await readVersion(supabase, deployment, version);
  if (read.state !== "found" || !("options" in read.value.stored)) return false;
  const inputs = { options: read.value.stored.options, version, url };
  const { FLEETS } = context.bindings;
  return (await orUndefined(FLEETS.hasFilesOfToday(workspace.id, id, inputs))) === false;
}

/** What the browser of somebody who may approve it signs, and why they cannot where they cannot. */
async function approvalOf(
  { context, workspace, person, mayRollOut }: Scope,
  { manifest, approvals, targets }: RolloutView,
  known: readonly string[] = [],
) {
  if (!mayRollOut || !manifest || !targets.some(({ state }) => state === "requested")) return {};
  if (approvals.some((each) => each.person === person)) return { obstacle: "approved" as const };
  const approvers = await readApprovers({ context, workspace });
  if (!approvers) return { obstacle: "unreadable" as const };
  const mine = approvers.passkeys.filter((each) => each.person === person);
  const usable = mine.filter(({ fingerprint }) => known.includes(fingerprint));
  if (usable.length === 0) {
    return { obstacle: mine.length === 0 ? ("no-passkey" as const) : ("unknown-there" as const) };
  }
  return {
    terms: {
      challenge: toBase64url(await sha256(manifest)),
      site: relyingParty(context.configuration.SITE_URL).id,
      credentials: usable.map(({ credential }) => credential),
    },
  };
}
