import { logFailure } from "~/features/servers/log-failure";
import { ourFault, waitAfter } from "~/features/servers/notifications/deliveries.server";
import {
  type SignedSent,
  sendSigned,
} from "~/features/servers/notifications/senders/webhook.server";
import { senderSettings } from "~/features/servers/sender-settings.server";
import { type AuditEvent, eventBody, eventId } from "./event";
import {
  failingMs,
  hasEvent,
  type OffReason,
  type WebhookTest,
  type WorkspaceWebhook,
} from "./webhook";
import {
  addDelivery,
  type Delivery,
  deliveryView,
  dueDeliveries,
  makeDue,
  moveDue,
  nextDue,
  removeOldDeliveries,
  saveNotice,
  saveTry,
  saveWebhook,
  waitingFor,
  webhooksIn,
} from "./webhook-table.server";

/** So many events go to one webhook at one alarm; the others follow at the next, which comes at once. */
const maxAtOnce = 20;
/** For so long after the first a webhook gets further events at one alarm. */
const sendingMs = 6_000;
/** Beyond so many a webhook is switched off: what its object has must not grow without an end. */
const maxWaiting = 2_000;

type Message = Pick<Delivery, "event" | "body">;
type Settled = { webhook: WorkspaceWebhook; delivery: Delivery } & SignedSent;

/**
 * The events that wait for the webhooks of one workspace. Each webhook gets its own in the order of the audit log. While
 * it is away all of its wait; an event that it refuses is tried again later, and the next ones go on.
 */
export class WebhookQueue {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;

  constructor(sql: SqlStorage, env: ServersEnv, now: () => number) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
  }

  /** Lines of the audit log for the webhooks that are on and want them. One that is there already changes nothing. */
  enqueue(events: readonly AuditEvent[]): void {
    for (const webhook of webhooksIn(this.#sql).filter(({ off }) => !off)) {
      for (const event of events.filter(({ action }) => hasEvent(webhook.groups, action))) {
        addDelivery(this.#sql, {
          ...{ webhook: webhook.id, event: eventId(event), number: event.id, type: event.action },
          ...{ at: Date.parse(event.at), body: eventBody(event) },
          ...{ due: this.#dueOf(webhook), tries: 0, tried: null, reason: null },
        });
      }
      if (waitingFor(this.#sql, webhook.id) > maxWaiting) this.#disable(webhook, "full");
    }
  }

  /** What comes while a webhook is away waits with what came before. */
  #dueOf({ id, failing }: WorkspaceWebhook): number {
    const next = failing?.isAway ? nextDue(this.#sql, id) : undefined;
    return Math.max(next ?? 0, this.#now());
  }

  /** When something is to be sent; undefined where nothing waits. */
  due(): number | undefined {
    const due = webhooksIn(this.#sql).flatMap(({ id, off }) =>
      off ? [] : (nextDue(this.#sql, id) ?? []),
    );
    return due.length === 0 ? undefined : Math.min(...due);
  }

  /** Tries what is due, the webhooks beside each other. What throws at one of them is thrown after the others' tries. */
  async sendDue(): Promise<void> {
    const on = webhooksIn(this.#sql).filter(({ off }) => !off);
    const tries = await Promise.allSettled(on.map((webhook) => this.#sendTo(webhook)));
    const failed = tries.find(({ status }) => status === "rejected");
    if (failed?.status === "rejected") throw failed.reason;
  }

  async #sendTo({ id }: WorkspaceWebhook): Promise<void> {
    const until = this.#now() + sendingMs;
    for (const delivery of dueDeliveries(this.#sql, id, this.#now(), maxAtOnce)) {
      const webhook = this.#webhook(id);
      if (!webhook || webhook.off || this.#now() >= until) return;
      const answered = await this.#try(webhook, delivery);
      // It may have been changed or removed while it answered, and its former address says nothing about the new one.
      const present = this.#webhook(id);
      if (present?.url !== webhook.url) return;
      if (!this.#settle({ webhook: present, delivery, ...answered })) return;
    }
    removeOldDeliveries(this.#sql, id);
  }

  #webhook(id: string): WorkspaceWebhook | undefined {
    return webhooksIn(this.#sql).find((each) => each.id === id);
  }

  /** What throws is a try that failed: another event, or another secret, may go. */
  async #try(webhook: WorkspaceWebhook, message: Message): Promise<SignedSent> {
    try {
      return await this.#send(webhook, message);
    } catch (error) {
      logFailure("An event was not sent to a webhook", error, { webhook: webhook.id });
      return { sent: ourFault };
    }
  }

  async #send(
    { url, secret, former }: WorkspaceWebhook,
    { event: id, body }: Message,
  ): Promise<SignedSent> {
    const settings = senderSettings(this.#env);
    if (!settings) {
      const reason = "Webhooks are not set up on this site.";
      return { sent: { ok: false, retry: true, reason } };
    }
    const secrets = former && former.until > this.#now() ? [secret, former.secret] : [secret];
    return sendSigned(settings, { url, secrets }, { id, body });
  }

  /** What became of a try; whether the webhook takes further events now. */
  #settle({ webhook, delivery, sent, status }: Settled): boolean {
    const now = this.#now();
    const tried = { ...delivery, tries: delivery.tries + 1, tried: now };
    if (sent.ok) {
      saveTry(this.#sql, { ...tried, due: null, reason: null });
      if (webhook.failing) saveWebhook(this.#sql, { ...webhook, failing: undefined });
      return true;
    }
    const due = now + waitAfter(delivery.tries, sent.waitMs);
    const { reason } = sent;
    const since = webhook.failing?.since ?? now;
    const isAway = !isRefusal(status);
    const failing = { ...webhook, failing: { since, reason, isAway } };
    saveWebhook(this.#sql, failing);
    if (sent.isOver || now - since >= failingMs) {
      saveTry(this.#sql, { ...tried, due, reason });
      // A person may have disabled it while it answered.
      if (!webhook.off) this.#disable(failing, sent.isOver ? "gone" : "failing");
      return false;
    }
    if (!isAway) {
      const isOver = now - delivery.at >= failingMs;
      saveTry(this.#sql, { ...tried, due: isOver ? null : due, reason });
      return true;
    }
    saveTry(this.#sql, { ...tried, due, reason });
    moveDue(this.#sql, webhook.id, due, due);
    return false;
  }

  /** What waits goes on to wait until somebody switches it on again. */
  #disable(webhook: WorkspaceWebhook, why: OffReason): void {
    const at = this.#now();
    saveWebhook(this.#sql, { ...webhook, off: { at, why } });
    saveNotice(this.#sql, {
      ...{ id: crypto.randomUUID(), at: new Date(at).toISOString(), webhook: webhook.id },
      host: new URL(webhook.url).host,
    });
  }

  /** Makes an event due again, with the id that it had. */
  sendAgain(webhook: string, event: string): boolean {
    return makeDue(this.#sql, webhook, event, this.#now());
  }

  /** What waits is due at once. */
  retryNow(webhook: string): void {
    moveDue(this.#sql, webhook, this.#now());
  }

  /** One message that says that it is a test, which is tried once. Undefined where there is no such webhook. */
  async test(id: string): Promise<WebhookTest | undefined> {
    const webhook = this.#webhook(id);
    if (!webhook) return;
    const at = this.#now();
    const event = `test_${crypto.randomUUID()}`;
    const body = JSON.stringify({
      ...{ type: "webhook.test", timestamp: new Date(at).toISOString(), data: { id: event } },
    });
    const { sent } = await this.#try(webhook, { event, body });
    const delivery: Delivery = {
      ...{ webhook: id, event, number: 0, type: "webhook.test", at, body, due: null, tries: 1 },
      ...{ tried: this.#now(), reason: sent.ok ? null : sent.reason },
    };
    if (this.#webhook(id)) addDelivery(this.#sql, delivery);
    // One that is off has no alarm, which removes them otherwise.
    removeOldDeliveries(this.#sql, id);
    return { delivery: deliveryView(delivery), sent };
  }
}

/** The address answered, and does not take this one event: what is refused by its content or its signature. */
const isRefusal = (status = 0): boolean =>
  status >= 400 && status < 500 && status !== 408 && status !== 429;
