import type { PrincipalScope } from "~/features/auth/session/principal.server";
import { roleChanged } from "~/features/workspaces/roles";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";

/** Who asks, and the workspace whose alerts they are. */
export type AlertScope = PrincipalScope & { workspace: { id: string } };

/** What the audit log calls each change; the content of its page has words for them. */
export const alertActions = [
  "channel.added",
  "channel.turn-changed",
  "channel.tested",
  "channel.removed",
  "incident.acknowledged",
  "incident.snoozed",
  "server.maintenance",
] as const;

type Noted = {
  action: (typeof alertActions)[number];
  target: string;
  targetId?: string;
  before?: Record<string, string>;
  after?: Record<string, string>;
};

export type AlertRefusal = {
  ok: false;
  status: 400 | 403 | 404 | 409 | 502 | 503;
  message: string;
};

export const refused = (status: AlertRefusal["status"], message: string): AlertRefusal => ({
  ok: false,
  status,
  message,
});

/** What is said where the servers Worker or the database does not answer. */
export const notReached =
  "Your alerts cannot be reached from here right now. Nothing was changed. Please try again in a moment.";

/** Writes the line of the audit log first: whatever is done is in it. The database asks for the role once more. */
export async function noteAlertChange(
  { context, principal, workspace }: AlertScope,
  { action, target, targetId, before, after }: Noted,
): Promise<{ ok: true } | AlertRefusal> {
  const { data, error } = await serviceClient(context.configuration, context.caller).rpc(
    "note_alert_change",
    {
      actor: principal.user.id,
      workspace: workspace.id,
      action,
      target,
      ...(targetId ? { target_id: targetId } : {}),
      ...(before ? { before } : {}),
      ...(after ? { after } : {}),
    },
  );
  if (error) {
    log.error("A change of alerts was not noted", describeError(error));
    return refused(503, notReached);
  }
  return data ? { ok: true } : refused(403, roleChanged);
}
