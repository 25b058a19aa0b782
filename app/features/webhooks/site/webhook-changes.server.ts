import type { PrincipalScope } from "~/features/auth/session/session.server";
import { orUndefined } from "~/features/servers/fleets.server";
import { isServerId } from "~/features/servers/server-id";
import { fill } from "~/features/workspaces/fill";
import type { Workspace } from "~/features/workspaces/my-workspaces.server";
import {
  type Refused,
  sentenceOf,
  statusOf,
  workspaceWords,
} from "~/features/workspaces/workspace-words.server";
import { serviceClient } from "~/platform/database/service-client.server";
import { type EventGroup, isEventGroup, type WebhookCalls, type WebhookView } from "../webhook";
import { noteWebhookChange, type WebhookAudit } from "./note-change.server";

/** What came of a form of the page. `secret` is shown once, in this answer. */
export type WebhookOutcome =
  | { ok: true; webhook: string; secret: string; isNew: boolean }
  | { ok: true; webhook: string; done: Done }
  | RefusedWebhook;
export type RefusedWebhook = {
  ok: false;
  status: Status;
  message: string;
  intent: string;
  webhook: string;
  typed: { url: string; groups: EventGroup[] };
};
type Status = 400 | 401 | 403 | 404 | 409 | 429 | 502 | 503;
type Done = "changed" | "tested" | "disabled" | "enabled" | "removed" | "repeated";

type Answer =
  | { webhook: string; secret: string; isNew: boolean }
  | { webhook: string; done: Done }
  | { refused: Refused }
  /** In words of the address's, and not of the page's. */
  | { says: string; status: Status };

type Fleets = WebhookCalls & { removeWebhook(workspace: string, id: string): Promise<void> };

type Scope = PrincipalScope & { workspace: Workspace; form: URLSearchParams };
/** A form about one webhook, which is there. */
type OneScope = Scope & { webhook: WebhookView };

const ofOne = {
  "change-webhook": change,
  "test-webhook": test,
  "rotate-webhook": rotate,
  "disable-webhook": (scope: OneScope) => setEnabled(scope, false),
  "enable-webhook": (scope: OneScope) => setEnabled(scope, true),
  "remove-webhook": remove,
  "repeat-event": repeat,
} satisfies Record<string, (scope: OneScope) => Promise<Answer>>;
export type WebhookIntent = "add-webhook" | keyof typeof ofOne;

const isOfOne = (intent: string): intent is keyof typeof ofOne => Object.hasOwn(ofOne, intent);

/** Carries out what a form of the page asks for; its `intent` says which. */
export async function changeWebhooks(
  scope: PrincipalScope & { workspace: Workspace },
  form: URLSearchParams,
): Promise<WebhookOutcome> {
  const answer = await answerOf({ ...scope, form });
  if (!("refused" in answer) && !("says" in answer)) return { ok: true, ...answer };
  if ("says" in answer) {
    return refusedWebhooks({ status: answer.status, message: answer.says }, form);
  }
  const words = await workspaceWords(scope.context);
  const message = sentenceOf(answer.refused, words, { workspace: scope.workspace.name });
  return refusedWebhooks({ status: statusOf(answer.refused), message }, form);
}

/** A refusal of this form, also the guard's, with what was typed. */
export function refusedWebhooks(
  { status, message }: { status: Status; message: string },
  form: URLSearchParams,
): RefusedWebhook {
  return {
    ...{ ok: false, status, message, intent: form.get("intent") ?? "" },
    webhook: form.get("webhook") ?? "",
    typed: { url: (form.get("url") ?? "").slice(0, 600), groups: groupsIn(form) },
  };
}

/** A form has no field twice: each group is a field of its own. */
const groupsIn = (form: URLSearchParams): EventGroup[] => [...form.keys()].filter(isEventGroup);

async function answerOf(scope: Scope): Promise<Answer> {
  const intent = scope.form.get("intent") ?? "";
  if (intent === "add-webhook") return add(scope);
  if (!isOfOne(intent)) return { refused: "intent" };
  const id = scope.form.get("webhook") ?? "";
  const views = await orUndefined(fleetsOf(scope).webhooks(scope.workspace.id));
  if (!views) return unavailable;
  const webhook = isServerId(id) ? views.find((each) => each.id === id) : undefined;
  return webhook ? ofOne[intent]({ ...scope, webhook }) : gone;
}

const fleetsOf = ({ context }: Scope): Fleets => context.bindings.FLEETS;
const unavailable = { refused: "unavailable" } as const;
const gone = { refused: "no such webhook" } as const;

/** The refusal where a change was not noted, and so is not made. */
async function refusalOf(scope: Scope, change: WebhookAudit): Promise<Answer | undefined> {
  const { context, principal, workspace } = scope;
  const noted = await noteWebhookChange(
    serviceClient(context.configuration, context.caller),
    { actor: principal.user.id, workspace: workspace.id },
    change,
  );
  return noted === "noted" ? undefined : { refused: noted };
}

const about = ({ webhook: { id, host } }: OneScope) => ({ target: host, targetId: id });
const listOf = (groups: readonly EventGroup[]) => ({ events: groups.join(", ") });

type Refusal = { refused: "too-many" } | { refused: "address"; says: string };
const refusalIn = (answer: Refusal): Answer =>
  answer.refused === "address" ? { says: answer.says, status: 400 } : { refused: "webhook full" };

async function add(scope: Scope): Promise<Answer> {
  const { workspace, form } = scope;
  const url = form.get("url") ?? "";
  const groups = groupsIn(form);
  if (groups.length === 0) return { refused: "webhook events" };
  const checked = await orUndefined(fleetsOf(scope).checkWebhook(workspace.id, url, true));
  if (!checked) return unavailable;
  if ("refused" in checked) return refusalIn(checked);
  const refusal = await refusalOf(scope, {
    ...{ action: "webhook.added", target: checked.host, after: listOf(groups) },
  });
  if (refusal) return refusal;
  const added = await orUndefined(fleetsOf(scope).addWebhook(workspace.id, { url, groups }));
  if (!added) return unavailable;
  if ("refused" in added) return refusalIn(added);
  return { webhook: added.webhook.id, secret: added.secret, isNew: true };
}

async function change(scope: OneScope): Promise<Answer> {
  const { workspace, form, webhook } = scope;
  const groups = groupsIn(form);
  if (groups.length === 0) return { refused: "webhook events" };
  const url = (form.get("url") ?? "").trim() || undefined;
  const checked =
    url === undefined
      ? { host: webhook.host }
      : await orUndefined(fleetsOf(scope).checkWebhook(workspace.id, url, false));
  if (!checked) return unavailable;
  if ("refused" in checked) return refusalIn(checked);
  const refusal = await refusalOf(scope, {
    ...{ action: "webhook.changed", ...about(scope) },
    before: { ...listOf(webhook.groups), ...(url ? { address: webhook.host } : {}) },
    after: { ...listOf(groups), ...(url ? { address: checked.host } : {}) },
  });
  if (refusal) return refusal;
  const call = fleetsOf(scope).changeWebhook(workspace.id, webhook.id, { url, groups });
  const answer = await orUndefined(call.then((changed) => ({ changed })));
  if (!answer) return unavailable;
  if (!answer.changed) return gone;
  if ("refused" in answer.changed) return refusalIn(answer.changed);
  return { webhook: webhook.id, done: "changed" };
}

async function test(scope: OneScope): Promise<Answer> {
  const { workspace, webhook, context } = scope;
  const refusal = await refusalOf(scope, { action: "webhook.tested", ...about(scope) });
  if (refusal) return refusal;
  const call = fleetsOf(scope).testWebhook(workspace.id, webhook.id);
  const answer = await orUndefined(call.then((tried) => ({ tried })));
  if (!answer) return unavailable;
  if (!answer.tried) return gone;
  const { sent } = answer.tried;
  if (sent.ok) return { webhook: webhook.id, done: "tested" };
  const { webhooks: labels } = await workspaceWords(context);
  return { says: fill(labels.notTested, { reason: sent.reason }), status: 502 };
}

async function rotate(scope: OneScope): Promise<Answer> {
  const { workspace, webhook } = scope;
  const refusal = await refusalOf(scope, { action: "webhook.secret-changed", ...about(scope) });
  if (refusal) return refusal;
  const call = fleetsOf(scope).rotateWebhook(workspace.id, webhook.id);
  const answer = await orUndefined(call.then((secret) => ({ secret })));
  if (!answer) return unavailable;
  if (answer.secret === undefined) return gone;
  return { webhook: webhook.id, secret: answer.secret, isNew: false };
}

async function setEnabled(scope: OneScope, isOn: boolean): Promise<Answer> {
  const { workspace, webhook } = scope;
  const action = isOn ? "webhook.enabled" : "webhook.disabled";
  const refusal = await refusalOf(scope, { action, ...about(scope) });
  if (refusal) return refusal;
  const isThere = await orUndefined(fleetsOf(scope).switchWebhook(workspace.id, webhook.id, isOn));
  if (isThere === undefined) return unavailable;
  return isThere ? { webhook: webhook.id, done: isOn ? "enabled" : "disabled" } : gone;
}

async function remove(scope: OneScope): Promise<Answer> {
  const { workspace, webhook } = scope;
  const refusal = await refusalOf(scope, { action: "webhook.removed", ...about(scope) });
  if (refusal) return refusal;
  const removed = await orUndefined(
    fleetsOf(scope)
      .removeWebhook(workspace.id, webhook.id)
      .then(() => true),
  );
  return removed ? { webhook: webhook.id, done: "removed" } : unavailable;
}

async function repeat(scope: OneScope): Promise<Answer> {
  const { workspace, webhook, form } = scope;
  const event = form.get("event") ?? "";
  if (!webhook.deliveries.some(({ id, state }) => id === event && state !== "waiting")) {
    return { refused: "no such event" };
  }
  const refusal = await refusalOf(scope, {
    ...{ action: "webhook.event-repeated", ...about(scope), after: { event } },
  });
  if (refusal) return refusal;
  const isThere = await orUndefined(
    fleetsOf(scope).sendEventAgain(workspace.id, webhook.id, event),
  );
  if (isThere === undefined) return unavailable;
  return isThere ? { webhook: webhook.id, done: "repeated" } : { refused: "no such event" };
}
