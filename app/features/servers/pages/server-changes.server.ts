import {
  auditServerChange,
  type ChangeOutcome,
  type FormServer,
  notReached,
  outcomeOf,
  refused,
  type ServerFormScope,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import { tooManyChecks } from "./rung-lines";

const changes = {
  allow: (scope) => answerRequest(scope, true),
  refuse: (scope) => answerRequest(scope, false),
  disconnect,
  keep,
  label,
  check,
} satisfies Record<string, (scope: ServerFormScope) => Promise<ChangeOutcome>>;
/** The forms of a server's page that are not about what is wrong with it. */
export type ServerIntent = keyof typeof changes;

export const isServerIntent = (name: string): name is ServerIntent => Object.hasOwn(changes, name);

/** The action of a server's page. */
export function changeServer(intent: ServerIntent, scope: ServerFormScope): Promise<ChangeOutcome> {
  return changes[intent](scope);
}

const otherRequest = refused(409, "Another machine asks now. Look at it again.");

/** Allows or refuses the request on the page, by its time: another machine may have made a newer one since. */
async function answerRequest(scope: ServerFormScope, isAllowed: boolean): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const at = Date.parse(form.get("asked") ?? "");
  if (server.request?.at !== at) return otherRequest;
  const action = isAllowed ? "server.replacement-allowed" : "server.replacement-refused";
  const audited = await auditServerChange(scope, { action, ...targetOf(server) });
  if (!audited.ok) return audited;
  const { FLEETS } = context.bindings;
  return outcomeOf(
    FLEETS.answerRequest(workspace.id, server.id, isAllowed, at),
    "servers",
    otherRequest,
  );
}

/** Ends the key of a server. The machine goes on as before, and what it reported stays. */
async function disconnect(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server } = scope;
  const audited = await auditServerChange(scope, {
    action: "server.disconnected",
    ...targetOf(server),
  });
  if (!audited.ok) return audited;
  const ended = context.bindings.FLEETS.retire(workspace.id, server.id).then(() => true);
  return outcomeOf(ended, "servers", notReached("servers"));
}

/** Lets a paused server report again, and one pauses instead where the quota does not allow both. */
async function keep(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server } = scope;
  const audited = await auditServerChange(scope, { action: "server.kept", ...targetOf(server) });
  if (!audited.ok) return audited;
  return outcomeOf(
    context.bindings.FLEETS.keepServer(workspace.id, server.id),
    "servers",
    refused(404, "This server is not paused any more. Load the page again."),
  );
}

const maxLabels = 10;
const maxLength = 40;

/** Labels as they are typed, with commas between them. */
export function labelsIn(text: string): string[] {
  const typed = text.split(",").map((label) => label.trim().replaceAll(/\s+/g, " "));
  return [...new Set(typed)].filter(Boolean);
}

async function label(scope: ServerFormScope): Promise<ChangeOutcome> {
  const { context, workspace, server, form } = scope;
  const labels = labelsIn(form.get("labels") ?? "");
  if (labels.length > maxLabels || labels.some(({ length }) => length > maxLength)) {
    return refused(400, "At most ten labels, each of at most 40 letters.");
  }
  const audited = await auditServerChange(scope, {
    ...{ action: "server.labelled", ...targetOf(server) },
    after: { labels: labels.join(", ") },
  });
  if (!audited.ok) return audited;
  return outcomeOf(
    context.bindings.FLEETS.setLabels(workspace.id, server.id, labels),
    "servers",
    refused(404, "This server is not there any more."),
  );
}

/** Checks a server from outside now. It changes nothing, so the audit log does not have it. */
async function check({ context, workspace, server }: ServerFormScope): Promise<ChangeOutcome> {
  const answer = await orUndefined(
    context.bindings.FLEETS.checkServer(workspace.id, server.id).then((checked) => ({ checked })),
  );
  if (!answer) return notReached("servers");
  const { checked } = answer;
  if (checked === "checked") return { ok: true };
  return checked
    ? refused(429, tooManyChecks(checked.waitMs))
    : refused(409, "Its last report does not say where it is, so nothing can be checked.");
}

const targetOf = ({ id, name }: FormServer) => ({ target: name, targetId: id });
