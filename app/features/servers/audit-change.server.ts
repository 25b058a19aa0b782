import type { PrincipalScope } from "~/features/auth/session/session.server";
import { roleChanged } from "~/features/workspaces/roles";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import { orUndefined } from "./fleets.server";
import type { Threshold } from "./state/threshold";

/** The principal of a change, and the workspace to which the servers and alerts belong. */
export type ChangeScope = PrincipalScope & { workspace: { id: string } };

/** The server whose page has a form, with what the form may be about. */
export type FormServer = {
  id: string;
  name: string;
  deployment?: string | undefined;
  request: { at: number } | undefined;
  incident: { id: string } | undefined;
  thresholds?: readonly Threshold[];
};

export type ServerFormScope = ChangeScope & { server: FormServer; form: URLSearchParams };

/** What the audit log calls each change of a server; the content of its page has words for them. */
export const serverActions = [
  "server.token-made",
  "server.tokens-revoked",
  "server.replacement-allowed",
  "server.replacement-refused",
  "server.disconnected",
  "server.kept",
  "server.labelled",
  "room.end-ordered",
  "room.removal-ordered",
  "room.mute-ordered",
] as const;

/** What the audit log calls each change of alerts, for which the role needs another right. */
export const alertActions = [
  "channel.added",
  "channel.turn-changed",
  "channel.tested",
  "channel.removed",
  "channel.answers-set",
  "channel.quiet-set",
  "rota.set",
  "rota.ended",
  "rota.absence",
  "rota.absence-ended",
  "alerts.zone-set",
  "incident.acknowledged",
  "incident.unacknowledged",
  "incident.snoozed",
  "server.maintenance",
  "threshold.set",
  "threshold.removed",
] as const;

/** What the audit log calls what is done about a rollout. */
export const rolloutActions = [
  "rollout.requested",
  "rollout.approved",
  "rollout.aborted",
  /** What was noted before did not happen: something else came in between. */
  "rollout.refused",
] as const;

export type ChangeRefusal = {
  ok: false;
  status: 400 | 403 | 404 | 409 | 429 | 502 | 503;
  message: string;
};

export const refused = (status: ChangeRefusal["status"], message: string): ChangeRefusal => ({
  ok: false,
  status,
  message,
});

/** The refusal where the servers Worker or the database does not answer. */
export const notReached = (what: "servers" | "alerts"): ChangeRefusal =>
  refused(
    503,
    `Your ${what} cannot be reached from here right now. Nothing was changed. Please try again in a moment.`,
  );

export type ChangeOutcome = { ok: true } | ChangeRefusal;

/** The outcome of a call that changes something in the servers Worker; `gone`: the refusal where the call answers false. */
export async function outcomeOf(
  call: Promise<boolean>,
  what: "servers" | "alerts",
  gone: ChangeRefusal,
): Promise<ChangeOutcome> {
  const answer = await orUndefined(call);
  if (answer === undefined) return notReached(what);
  return answer ? { ok: true } : gone;
}

/** Writes the line of the audit log before the change, so that no change is missing there. The database checks the role again. */
export async function auditServerChange(
  { context, principal, workspace }: ChangeScope,
  change: {
    action: (typeof serverActions)[number];
    target: string;
    targetId: string;
    after?: Record<string, string | number>;
  },
): Promise<ChangeOutcome> {
  const { targetId, ...line } = change;
  const scope = { actor: principal.user.id, workspace: workspace.id };
  const database = serviceClient(context.configuration, context.caller);
  const written = await database.rpc("note_server_change", {
    ...scope,
    ...line,
    target_id: targetId,
  });
  return answered(written, "servers");
}

/** The same of a token of the workspace, which acts by its id. */
type TokenScope = Pick<ChangeScope, "context" | "workspace"> & { actor: string };

/** As `auditServerChange`, for changes of alerts. A channel that is added has no id yet. */
export async function auditAlertChange(
  { context, workspace, ...scope }: ChangeScope | TokenScope,
  change: {
    action: (typeof alertActions)[number];
    target: string;
    targetId?: string;
    before?: Record<string, string>;
    after?: Record<string, string>;
  },
): Promise<ChangeOutcome> {
  const { targetId, ...line } = change;
  const actor = "actor" in scope ? scope.actor : scope.principal.user.id;
  const database = serviceClient(context.configuration, context.caller);
  const written = await database.rpc("note_alert_change", {
    ...{ actor, workspace: workspace.id },
    ...line,
    ...(targetId ? { target_id: targetId } : {}),
  });
  return answered(written, "alerts");
}

/** As `auditServerChange`, for rollouts of a server. */
export async function auditRolloutChange(
  { context, workspace, ...scope }: ChangeScope | TokenScope,
  change: {
    action: (typeof rolloutActions)[number];
    target: string;
    targetId: string;
    after?: Record<string, string | number>;
  },
): Promise<ChangeOutcome> {
  const { targetId, ...line } = change;
  const actor = "actor" in scope ? scope.actor : scope.principal.user.id;
  const database = serviceClient(context.configuration, context.caller);
  const written = await database.rpc("note_rollout_change", {
    ...{ actor, workspace: workspace.id },
    ...line,
    target_id: targetId,
  });
  return answered(written, "servers");
}

function answered(
  { data, error }: { data: boolean | null; error: unknown },
  what: "servers" | "alerts",
): ChangeOutcome {
  if (error) {
    log.error(changeNotNoted[what], describeError(error));
    return notReached(what);
  }
  return data ? { ok: true } : refused(403, roleChanged);
}

const changeNotNoted = {
  servers: "A change of a server was not noted",
  alerts: "A change of alerts was not noted",
} as const;
