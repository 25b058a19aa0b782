import type { FileInputs } from "~/features/servers/state/file-inputs";
import type { UpdateWindow } from "./update-window";

/** How far a rollout is on one server. The last five are its ends. */
export const rolloutStates = [
  ...(["requested", "approved", "fetched", "checked", "draining", "applying", "applied"] as const),
  ...(["proved", "rolled-back", "aborted", "refused", "expired"] as const),
] as const;

export type RolloutState = (typeof rolloutStates)[number];

/** What a machine says of it, in this order; an end may come after each. */
export const machineSteps = [
  ...(["fetched", "checked", "draining", "applying", "applied"] as const),
  ...(["proved", "rolled-back", "aborted", "refused", "expired"] as const),
] as const;

export type MachineStep = (typeof machineSteps)[number];

const orderOf = (state: RolloutState): number => rolloutStates.indexOf(state);

export const isEnded = (state: RolloutState): boolean => orderOf(state) >= orderOf("proved");

/** From then on files are exchanged. */
export const isPastAbort = (state: RolloutState): boolean => orderOf(state) >= orderOf("applying");

/** What a passkey signed, each part in base64url. */
export type Assertion = {
  credential: string;
  authenticatorData: string;
  clientData: string;
  signature: string;
};

/** `person`: the id of their account. `by`: what people read in its place. */
export type Approval = {
  person: string;
  by: string;
  fingerprint: string;
  at: number;
  assertion: Assertion;
};

/** One server that is to take the version. */
export type Target = {
  server: string;
  name: string;
  state: RolloutState;
  /** When it came to each state, oldest first. */
  steps: { state: RolloutState; at: number }[];
  /** Why it ended, in the machine's words or ours. */
  reason?: string;
  /** Somebody asked to abort it, and the machine has not said yet that it did. */
  isAborting?: true;
};

/** The order that servers of one deployment take up a version of it, one after the other. */
export type Rollout = {
  id: string;
  deployment: string;
  version: number;
  /** Whether an older version, or one with older components, is ordered. */
  isLower: boolean;
  /** What approvers sign, as it goes to the machine; missing once it has ended. */
  manifest?: string;
  /** What its files are made of; missing once it has ended. */
  inputs?: FileInputs;
  requestedAt: number;
  /** Who asked for it: what people read. */
  requestedBy: string;
  /** Machines begin it no earlier; missing where it has no window. */
  beginsAt?: number;
  /** Until then machines begin it. In a window they exchange no files later either. */
  endsAt: number;
  /** So many people must approve. */
  needed: number;
  approvals: Approval[];
  targets: Target[];
};

/** For so long after its end a machine that began in time may be at work: it drains for twelve hours at most. */
const workMs = 13 * 3_600_000;

/** The server whose turn it is; undefined where all have ended. */
export const currentTarget = ({ targets }: Pick<Rollout, "targets">): Target | undefined =>
  targets.find(({ state }) => !isEnded(state));

export const isOpen = (rollout: Pick<Rollout, "targets">): boolean =>
  currentTarget(rollout) !== undefined;

export const isApproved = ({ approvals, needed }: Rollout): boolean => approvals.length >= needed;

function reached(target: Target, state: RolloutState, now: number, reason?: string): Target {
  const { isAborting, ...rest } = target;
  return {
    ...rest,
    state,
    steps: [...target.steps, { state, at: now }],
    ...(reason ? { reason } : {}),
    ...(isAborting && !isEnded(state) ? { isAborting } : {}),
  };
}

/** The same with a target that came to a state. After an end that is no success no other server begins. */
function withState(
  rollout: Rollout,
  server: string,
  state: RolloutState,
  now: number,
  reason?: string,
): Rollout {
  const stops = isEnded(state) && state !== "proved";
  const name = rollout.targets.find((each) => each.server === server)?.name ?? "";
  const targets = rollout.targets.map((target) => {
    if (isEnded(target.state)) return target;
    if (target.server === server) return reached(target, state, now, reason);
    return stops
      ? reached(target, "aborted", now, `It ended before this server, on ${name}.`)
      : target;
  });
  return { ...rollout, targets };
}

export function withApproval(rollout: Rollout, approval: Approval): Rollout {
  const approved = { ...rollout, approvals: [...rollout.approvals, approval] };
  if (!isApproved(approved)) return approved;
  return {
    ...approved,
    targets: approved.targets.map((target) => reached(target, "approved", approval.at)),
  };
}

/**
 * After a word of the machine. What was said before, and what comes after an end, changes nothing: undefined. A server whose
 * turn it is not has nothing to say.
 */
export function withStep(
  rollout: Rollout,
  server: string,
  { step, reason }: { step: MachineStep; reason?: string | undefined },
  now: number,
): Rollout | undefined {
  const target = currentTarget(rollout);
  if (target?.server !== server || !isApproved(rollout)) return;
  if (orderOf(step) <= orderOf(target.state)) return;
  return withState(rollout, server, step, now, reason);
}

/** Undefined where it is too late. What no machine has begun ends at once; else the machine hears of it. */
export function withAbort(rollout: Rollout, now: number, by: string): Rollout | undefined {
  const target = currentTarget(rollout);
  if (!target || isPastAbort(target.state)) return;
  const reason = `Aborted by ${by}.`;
  if (target.state === "requested" || target.state === "approved") {
    return withState(rollout, target.server, "aborted", now, reason);
  }
  const targets = rollout.targets.map((each) =>
    each === target ? { ...each, isAborting: true as const } : each,
  );
  return { ...rollout, targets };
}

/** As it is by the clock. */
export function atTime(rollout: Rollout, now: number): Rollout {
  const target = currentTarget(rollout);
  if (!target || now < rollout.endsAt) return rollout;
  const isWaiting = target.state === "requested" || target.state === "approved";
  if (!isWaiting && now < rollout.endsAt + workMs) return rollout;
  const reason = isWaiting
    ? `Its ${rollout.beginsAt === undefined ? "time" : "window"} was over before it began.`
    : "The server did not say how it ended.";
  const at = isWaiting ? rollout.endsAt : rollout.endsAt + workMs;
  return withState(rollout, target.server, "expired", at, reason);
}

/** What a page and the API show of a rollout on one server. Times in milliseconds since 1970. */
export type RolloutView = Omit<Rollout, "inputs" | "approvals"> & {
  approvals: Pick<Approval, "person" | "by" | "fingerprint" | "at">[];
};

export function rolloutView({ inputs: _, approvals, ...rest }: Rollout): RolloutView {
  return {
    ...rest,
    approvals: approvals.map(({ person, by, fingerprint, at }) => ({
      person,
      by,
      fingerprint,
      at,
    })),
  };
}

/** The rollouts of a server, the newest first, and which passkeys it takes; undefined where its files know none. */
export type ServerRollouts = {
  list: RolloutView[];
  approvals: { needed: number; known: string[] } | undefined;
  /** By whose clocks a window is read, and the one of last time; undefined where its files know no windows. */
  windows?: { zone: string; last: UpdateWindow | undefined } | undefined;
};
