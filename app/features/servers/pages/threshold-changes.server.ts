import * as z from "zod/mini";
import {
  auditAlertChange,
  type ChangeOutcome,
  outcomeOf,
  refused,
  type ServerFormScope,
} from "../audit-change.server";
import { groupOf } from "../state/server-record";
import { type Measure, measures } from "../state/threshold";
import { measureWords } from "../state/thresholds";

const changes = { "set-threshold": set, "remove-threshold": remove };
/** The forms about the thresholds of a server. */
export type ThresholdIntent = keyof typeof changes;

export const isThresholdIntent = (name: string): name is ThresholdIntent =>
  Object.hasOwn(changes, name);

export function changeThresholds(
  intent: ThresholdIntent,
  scope: ServerFormScope,
): Promise<ChangeOutcome> {
  return changes[intent](scope);
}

const largest: Record<Measure, number> = {
  ...{ participants: 1_000_000, load: 1_000, memory: 100, disk: 100, traffic: 10_000_000 },
};

const fields = z.object({
  measure: z.enum(measures),
  value: z.string().check(z.trim(), z.regex(/^[1-9]\d{0,7}$/)),
  severity: z.enum(["page", "notify"]),
  of: z.enum(["deployment", "all"]),
});

const gone = refused(404, "This threshold is not there any more. Load the page again.");
const tooMany = refused(409, "A workspace has at most 50 thresholds. Remove one first.");

async function set(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const typed = fields.safeParse(Object.fromEntries(form));
  const value = typed.success ? Number(typed.data.value) : 0;
  if (!typed.success || value > largest[typed.data.measure]) {
    return refused(400, "Type a whole number from 1 on; of a share in %, at most 100.");
  }
  const { measure, severity, of } = typed.data;
  const audited = await auditAlertChange(scope, {
    ...{ action: "threshold.set", target: server.name, targetId: server.id },
    after: { threshold: `${measure}: ${measureWords(measure, value)}` },
  });
  if (!audited.ok) return audited;
  const servers = of === "deployment" ? { deployment: groupOf(server) } : {};
  return outcomeOf(
    context.bindings.FLEETS.setThreshold(workspace.id, { ...servers, measure, value, severity }),
    "alerts",
    tooMany,
  );
}

async function remove(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const threshold = server.thresholds?.find(({ id }) => id === form.get("threshold"));
  if (!threshold) return gone;
  const { measure, value } = threshold;
  const audited = await auditAlertChange(scope, {
    ...{ action: "threshold.removed", target: server.name, targetId: server.id },
    before: { threshold: `${measure}: ${measureWords(measure, value)}` },
  });
  if (!audited.ok) return audited;
  return outcomeOf(
    context.bindings.FLEETS.removeThreshold(workspace.id, threshold.id),
    "alerts",
    gone,
  );
}
