import { orUndefined } from "~/features/servers/fleets.server";
import { isServerId } from "~/features/servers/server-id";
import { fill } from "~/features/workspaces/fill";
import {
  type FormOutcome,
  type FormRefusal,
  type FormScope,
  pageForms,
} from "~/features/workspaces/page-forms.server";
import { workspaceWords } from "~/features/workspaces/workspace-words.server";
import { type EventGroup, isEventGroup, type WebhookCalls, type WebhookView } from "../webhook";
import { noteWebhookChange, type WebhookAudit } from "./note-change.server";

/** What a form of the page did. `secret` is shown once, in this answer. */
type Changed =
  | { webhook: string; secret: string; isNew: boolean }
  | { webhook: string; done: Done };
type Done = "changed" | "tested" | "disabled" | "enabled" | "removed" | "repeated";
export type WebhookOutcome = FormOutcome<Changed, ReturnType<typeof typed>>;

type Answer = Changed | FormRefusal;

type Fleets = WebhookCalls & { removeWebhook(workspace: string, id: string): Promise<void> };

/** A form about one webhook, which is there. */
type OneScope = FormScope & { webhook: WebhookView };

const changes = {
  "add-webhook": add,
  "change-webhook": ofOne(change),
  "test-webhook": ofOne(test),
  "rotate-webhook": ofOne(rotate),
  "disable-webhook": ofOne(disable),
  "enable-webhook": ofOne(enable),
  "remove-webhook": ofOne(remove),
  "repeat-event": ofOne(repeat),
} satisfies Record<string, (scope: FormScope) => Promise<Answer>>;
export type WebhookIntent = keyof typeof changes;

const typed = (form: URLSearchParams) => ({
  webhook: form.get("webhook") ?? "",
  typed: { url: (form.get("url") ?? "").slice(0, 600), groups: groupsIn(form) },
});

/** The forms of the page of webhooks, for its action. */
export const webhookForms = pageForms<Changed, ReturnType<typeof typed>>({ changes, typed });

/** A form has no field twice: each group is a field of its own. */
const groupsIn = (form: URLSearchParams): EventGroup[] => [...form.keys()].filter(isEventGroup);

/** The same change, of a webhook that the form names. */
function ofOne(changeOne: (scope: OneScope) => Promise<Answer>) {
  return async (scope: FormScope): Promise<Answer> => {
    const id = scope.form.get("webhook") ?? "";
    const views = await orUndefined(fleetsOf(scope).webhooks(scope.workspace.id));
    if (!views) return unavailable;
    const webhook = isServerId(id) ? views.find((each) => each.id === id) : undefined;
    return webhook ? changeOne({ ...scope, webhook }) : gone;
  };
}

const fleetsOf = ({ context }: FormScope): Fleets => context.bindings.FLEETS;
const unavailable = { refused: "unavailable" } as const;
const gone = { refused: "no such webhook" } as const;

/** The refusal where a change was not noted, and so is not made. */
async function refusalOf(scope: FormScope, change: WebhookAudit): Promise<Answer | undefined> {
  const { database, principal, workspace } = scope;
  const noted = await noteWebhookChange(
    database,
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

async function add(scope: FormScope): Promise<Answer> {
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

async function enable(scope: OneScope): Promise<Answer> {
  const { workspace, webhook } = scope;
  const refusal = await refusalOf(scope, { action: "webhook.enabled", ...about(scope) });
  if (refusal) return refusal;
  const isThere = await orUndefined(fleetsOf(scope).enableWebhook(workspace.id, webhook.id));
  if (isThere === undefined) return unavailable;
  return isThere ? { webhook: webhook.id, done: "enabled" } : gone;
}

async function disable(scope: OneScope): Promise<Answer> {
  const { workspace, webhook } = scope;
  const refusal = await refusalOf(scope, { action: "webhook.disabled", ...about(scope) });
  if (refusal) return refusal;
  const isThere = await orUndefined(fleetsOf(scope).disableWebhook(workspace.id, webhook.id));
  if (isThere === undefined) return unavailable;
  return isThere ? { webhook: webhook.id, done: "disabled" } : gone;
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
