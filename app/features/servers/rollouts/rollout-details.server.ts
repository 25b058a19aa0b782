import type { AppContext } from "~/http/app-context";
import { toBase64url } from "~/http/encodings";
import { sha256 } from "~/http/hashes";
import { isoOf } from "../iso-of";
import { readApprovers } from "./approvers-page/approvers.server";
import { relyingParty } from "./relying-party";
import { isEnded, isPastAbort, type RolloutView, type ServerRollouts } from "./rollout";
import { stateWords } from "./state-words";

/** What a server's page shows of its rollouts. */
export type RolloutDetails = Awaited<ReturnType<typeof rolloutDetails>>;

/** Undefined where the server's files know no rollouts. `person`: who reads it. */
export async function rolloutDetails(
  scope: { context: AppContext; workspace: { id: string }; person: string; mayRollOut: boolean },
  server: string,
  rollouts: ServerRollouts | undefined,
) {
  if (!rollouts || (!rollouts.approvals && rollouts.list.length === 0)) return;
  const { list, approvals } = rollouts;
  const open = list.find(({ targets }) => targets.some(({ state }) => !isEnded(state)));
  return {
    needed: approvals?.needed ?? 1,
    knows: approvals?.known.length ?? 0,
    windows: rollouts.windows,
    open: open && { ...lineOf(open, server), ...(await approvalOf(scope, open, approvals?.known)) },
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
    steps: (target?.steps ?? []).map(({ state, at }) => ({
      ...{ state, title: stateWords[state], at: isoOf(at) },
    })),
    others: targets
      .filter((each) => each !== target)
      .map(({ server: id, name, state, reason }) => ({
        ...{ id, name, title: stateWords[state], reason },
      })),
  };
}

/** What the browser of somebody who may approve it signs, and why they cannot where they cannot. */
async function approvalOf(
  { context, workspace, person, mayRollOut }: Parameters<typeof rolloutDetails>[0],
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
