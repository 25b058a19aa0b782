import * as z from "zod/mini";
import { serviceClient } from "~/platform/database/service-client.server";
import { describeError, log } from "~/platform/log/log.server";
import {
  auditAlertChange,
  type ChangeRefusal,
  type ChangeScope,
  notReached,
  refused,
} from "../audit-change.server";
import { orUndefined } from "../fleets.server";
import {
  type AlertScope,
  channelIn,
  goneChannel,
  notConnected,
  readChannels,
  targetOf,
} from "./alert-scope.server";
import type { DoneAlert } from "./alerts-view.server";
import {
  type AddedChannel,
  channelTitle,
  isServiceKind,
  type ServiceFields,
  serviceFieldNames,
  type Turn,
  turnAuditWords,
} from "./channel";
import type { ChannelLimits } from "./channel-limits";
import { timeChanges } from "./times/time-changes.server";

/** `secret` is that of a new webhook, which is shown this once. */
export type AlertOutcome =
  | { ok: true; done: DoneAlert }
  | { ok: true; secret: string }
  | ChangeRefusal;

const changes = {
  "add-mail": addMail,
  "add-pagerduty": addPager,
  "add-webhook": addWebhook,
  "add-service": addService,
  turn: changeTurn,
  test,
  remove,
  "pager-secret": setPagerSecret,
  ...timeChanges,
} satisfies Record<string, (scope: AlertScope) => Promise<AlertOutcome>>;
export type AlertIntent = keyof typeof changes;

const isIntent = (name: string): name is AlertIntent => Object.hasOwn(changes, name);

const id = z.guid();
const routingKey = z.string().check(z.trim(), z.regex(/^[A-Za-z0-9]{32}$/));

/** The action of the page of alerts; `intent` names the form. */
export async function changeAlerts(
  scope: ChangeScope,
  form: URLSearchParams,
): Promise<AlertOutcome> {
  const intent = form.get("intent") ?? "";
  if (!isIntent(intent)) return unknownForm;
  return changes[intent]({ ...scope, form });
}

const unknownForm = refused(400, "This form is not known here. Load the page again.");

async function addMail(scope: AlertScope): Promise<AlertOutcome> {
  const { context, principal, workspace, form } = scope;
  const noAddress = "Choose a member whose address is confirmed.";
  const person = id.safeParse(form.get("person"));
  if (!person.success) return refused(400, noAddress);
  const { data: address, error } = await serviceClient(context.configuration, context.caller).rpc(
    "confirmed_member_address",
    { actor: principal.user.id, workspace: workspace.id, person: person.data },
  );
  if (error) {
    log.error("A member's address was not read", describeError(error));
    return notReached("alerts");
  }
  if (!address) return refused(400, noAddress);
  const target = channelTitle({ kind: "mail", address }, false);
  return add(scope, target, (fleets, turn, actor, limits) =>
    fleets.addChannel(
      workspace.id,
      { kind: "mail", person: person.data, address },
      turn,
      actor,
      limits,
    ),
  );
}

async function addPager(scope: AlertScope): Promise<AlertOutcome> {
  const key = routingKey.safeParse(scope.form.get("key") ?? "");
  if (!key.success) {
    return refused(400, "A routing key of PagerDuty has 32 letters and digits. Copy it once more.");
  }
  const target = channelTitle({ kind: "pagerduty", ending: key.data.slice(-4) }, false);
  return add(scope, target, (fleets, turn, actor, limits) =>
    fleets.addChannel(
      scope.workspace.id,
      { kind: "pagerduty", routingKey: key.data },
      turn,
      actor,
      limits,
    ),
  );
}

async function addWebhook(scope: AlertScope): Promise<AlertOutcome> {
  const url = (scope.form.get("url") ?? "").trim();
  const host = URL.parse(url)?.host ?? "";
  const target = channelTitle({ kind: "webhook", host: host.slice(0, 100) }, false);
  return add(scope, target, (fleets, turn, actor, limits) =>
    fleets.addChannel(scope.workspace.id, { kind: "webhook", url }, turn, actor, limits),
  );
}

/** The fleet checks what was typed: the forms of services are known there alone. */
async function addService(scope: AlertScope): Promise<AlertOutcome> {
  const { workspace, form } = scope;
  const kind = form.get("kind");
  if (!isServiceKind(kind)) return unknownForm;
  const typed = serviceFieldNames.flatMap((name) => {
    const value = form.get(name)?.slice(0, 1_000);
    return value ? [[name, value]] : [];
  });
  const fields: ServiceFields = Object.fromEntries(typed);
  const target = channelTitle({ kind, place: fields.name?.slice(0, 60) ?? "a new one" }, false);
  return add(scope, target, (fleets, turn, addedBy, limits) =>
    fleets.addServiceChannel(workspace.id, { kind, fields, turn, addedBy, limits }),
  );
}

const refusals = {
  "too-many": "A workspace has at most ten channels. Remove one first.",
  "already-there": "This channel is there already.",
  "not-connected": notConnected.message,
} as const;

type Fleets = ChangeScope["context"]["bindings"]["FLEETS"];

async function add(
  scope: AlertScope,
  target: string,
  call: (
    fleets: Fleets,
    turn: Turn,
    actor: string,
    limits: ChannelLimits | undefined,
  ) => Promise<AddedChannel>,
): Promise<AlertOutcome> {
  const { context, principal } = scope;
  const answer = await readChannels(scope);
  if (!answer) return notReached("alerts");
  if (!answer.channels) return notConnected;
  const turn = turnIn(scope.form);
  const audited = await auditAlertChange(scope, {
    ...{ action: "channel.added", target },
    after: { told: turnAuditWords[turn] },
  });
  if (!audited.ok) return audited;
  const added = await orUndefined(
    call(context.bindings.FLEETS, turn, principal.user.id, limitsIn(scope.form)),
  );
  if (!added) return notReached("alerts");
  if ("channel" in added) {
    return added.secret ? { ok: true, secret: added.secret } : { ok: true, done: "added" };
  }
  if (added.refused === "address") return refused(400, added.says);
  return refused(409, refusals[added.refused]);
}

async function changeTurn(scope: AlertScope): Promise<AlertOutcome> {
  const channel = await channelIn(scope);
  if ("ok" in channel) return channel;
  const turn = turnIn(scope.form);
  const audited = await auditAlertChange(scope, {
    action: "channel.turn-changed",
    ...targetOf(channel),
    before: { told: turnAuditWords[channel.turn] },
    after: { told: turnAuditWords[turn] },
  });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const changed = await orUndefined(
    context.bindings.FLEETS.changeTurn(workspace.id, channel.id, turn),
  );
  if (changed === undefined) return notReached("alerts");
  return changed ? { ok: true, done: turn } : goneChannel;
}

async function test(scope: AlertScope): Promise<AlertOutcome> {
  const channel = await channelIn(scope);
  if ("ok" in channel) return channel;
  const audited = await auditAlertChange(scope, { action: "channel.tested", ...targetOf(channel) });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const answer = await orUndefined(
    context.bindings.FLEETS.testChannel(workspace.id, channel.id).then((sent) => ({ sent })),
  );
  if (!answer) return notReached("alerts");
  if (!answer.sent) return goneChannel;
  if (answer.sent.ok) return { ok: true, done: "tested" };
  return refused(502, `The test did not arrive. ${answer.sent.reason}`);
}

async function remove(scope: AlertScope): Promise<AlertOutcome> {
  const channel = await channelIn(scope);
  if ("ok" in channel) return channel;
  const audited = await auditAlertChange(scope, {
    action: "channel.removed",
    ...targetOf(channel),
  });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const removed = await orUndefined(
    context.bindings.FLEETS.removeChannel(workspace.id, channel.id).then(() => true),
  );
  return removed ? { ok: true, done: "removed" } : notReached("alerts");
}

const noSecret = "Copy the signing secret once more: PagerDuty shows it when the webhook is made.";
const pagerSecret = z.string().check(z.trim(), z.regex(/^[\x21-\x7e]{16,200}$/));

async function setPagerSecret(scope: AlertScope): Promise<AlertOutcome> {
  const channel = await channelIn(scope);
  if ("ok" in channel) return channel;
  const secret = pagerSecret.safeParse(scope.form.get("secret") ?? "");
  if (!secret.success) return refused(400, noSecret);
  const audited = await auditAlertChange(scope, {
    action: "channel.answers-set",
    ...targetOf(channel),
  });
  if (!audited.ok) return audited;
  const { context, workspace } = scope;
  const set = await orUndefined(
    context.bindings.FLEETS.setPagerSecret(workspace.id, channel.id, secret.data),
  );
  if (set === undefined) return notReached("alerts");
  return set ? { ok: true, done: "answers" } : goneChannel;
}

function turnIn(form: URLSearchParams): Turn {
  return form.get("turn") === "second" ? "second" : "first";
}

/** A deployment of another workspace has no server here, so that there is nothing to notify of. */
function limitsIn(form: URLSearchParams): ChannelLimits | undefined {
  const deployment = id.safeParse(form.get("deployment")).data;
  const limits = {
    ...(deployment ? { deployments: [deployment] } : {}),
    ...(form.get("what") === "page" ? { onlyPages: true as const } : {}),
  };
  return Object.keys(limits).length > 0 ? limits : undefined;
}
