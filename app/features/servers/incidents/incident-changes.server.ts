import { nextHour } from "~/ui/time-zones";
import {
  auditAlertChange,
  type ChangeOutcome,
  outcomeOf,
  refused,
  type ServerFormScope,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { morningHour } from "./morning";

const hourMs = 3_600_000;

/** Until when something is quiet, by the value of its form. */
const snoozes = { "1": hours(1), "8": hours(8) };
const windows = { "1": hours(1), "4": hours(4), "24": hours(24) };

/**
 * When a snooze that somebody chose ends, in milliseconds since 1970; undefined for what is no choice. The morning is that
 * of the workspace's time zone.
 */
export async function snoozeEnd(
  choice: string,
  { context, workspace }: Pick<ServerFormScope, "context" | "workspace">,
): Promise<number | undefined> {
  if (choice !== "morning") return endOf(choice, snoozes);
  const times = await orUndefined(context.bindings.FLEETS.alertTimes(workspace.id, false));
  return nextHour(morningHour, times?.zone ?? "UTC", Date.now());
}

/** The same of a maintenance window; null ends one. */
export const windowEnd = (choice: string): number | null | undefined =>
  choice === "end" ? null : endOf(choice, windows);

const changes = { acknowledge, unacknowledge, snooze, maintenance };
/** The forms about what is wrong with a server. */
export type IncidentIntent = keyof typeof changes;

export const isIncidentIntent = (name: string): name is IncidentIntent =>
  Object.hasOwn(changes, name);

/** The action of the forms about a server's incident. */
export function changeIncident(
  intent: IncidentIntent,
  scope: ServerFormScope,
): Promise<ChangeOutcome> {
  return changes[intent](scope);
}

const gone = refused(404, "This is over already. Load the page again.");
const unknown = refused(400, "Choose until when.");

async function acknowledge(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, principal, workspace, server } = scope;
  const incident = openIncident(scope);
  if (!incident) return gone;
  const audited = await auditAlertChange(scope, {
    ...{ action: "incident.acknowledged", target: server.name, targetId: server.id },
  });
  if (!audited.ok) return audited;
  const { id: person, email: who } = principal.user;
  const note = (scope.form.get("note") ?? "").trim().slice(0, 200);
  const words = { ...(who ? { who } : {}), ...(note ? { note } : {}) };
  return outcomeOf(
    context.bindings.FLEETS.acknowledge(workspace.id, incident, person, words),
    "alerts",
    gone,
  );
}

async function unacknowledge(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server } = scope;
  const incident = openIncident(scope);
  if (!incident) return gone;
  const audited = await auditAlertChange(scope, {
    ...{ action: "incident.unacknowledged", target: server.name, targetId: server.id },
  });
  if (!audited.ok) return audited;
  const { FLEETS } = context.bindings;
  return outcomeOf(FLEETS.unacknowledge(workspace.id, incident), "alerts", gone);
}

async function snooze(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const incident = openIncident(scope);
  if (!incident) return gone;
  const until = await snoozeEnd(form.get("until") ?? "", scope);
  if (until === undefined) return unknown;
  const audited = await auditAlertChange(scope, {
    ...{ action: "incident.snoozed", target: server.name, targetId: server.id },
    after: { until: new Date(until).toISOString() },
  });
  if (!audited.ok) return audited;
  return outcomeOf(context.bindings.FLEETS.snooze(workspace.id, incident, until), "alerts", gone);
}

/** Begins a maintenance window now, or ends it. */
async function maintenance(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const until = windowEnd(form.get("until") ?? "");
  if (until === undefined) return unknown;
  const audited = await auditAlertChange(scope, {
    ...{ action: "server.maintenance", target: server.name, targetId: server.id },
    after: { until: until === null ? "" : new Date(until).toISOString() },
  });
  if (!audited.ok) return audited;
  return outcomeOf(
    context.bindings.FLEETS.setMaintenance(workspace.id, server.id, until),
    "alerts",
    gone,
  );
}

/** The incident that the form was about, where it is still the server's open one. */
function openIncident({ server, form }: ServerFormScope): string | undefined {
  return server.incident?.id === form.get("incident") ? server.incident?.id : undefined;
}

function endOf(
  choice: string,
  choices: Readonly<Record<string, () => number>>,
): number | undefined {
  return Object.hasOwn(choices, choice) ? choices[choice]?.() : undefined;
}

function hours(count: number): () => number {
  return () => Date.now() + count * hourMs;
}
