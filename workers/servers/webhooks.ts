import { DurableObject } from "cloudflare:workers";
import type { AuditEvent } from "~/features/webhooks/event";
import type {
  AddedWebhook,
  ChangedWebhook,
  CheckedWebhook,
  WebhookChange,
  WebhookNotice,
  WebhookRequest,
  WebhookTest,
  WebhookView,
} from "~/features/webhooks/webhook";
import { WebhookQueue } from "~/features/webhooks/webhook-queue.server";
import {
  hasTables,
  noticesIn,
  prepareTables,
  removeNotice,
} from "~/features/webhooks/webhook-table.server";
import { WorkspaceWebhooks } from "~/features/webhooks/workspace-webhooks.server";

/** An alarm that fails rings again after so long. */
const againMs = 60_000;

/**
 * The webhooks of one workspace, their secrets, and the events on their way: one object for a workspace, by its id. It
 * has no tables before the first webhook, so that reading creates nothing.
 */
export class Webhooks extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #webhooks: WorkspaceWebhooks;
  readonly #queue: WebhookQueue;
  #hasTables: boolean;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.#now = now;
    this.#sql = ctx.storage.sql;
    this.#webhooks = new WorkspaceWebhooks(this.#sql, env, now);
    this.#queue = new WebhookQueue(this.#sql, env, now);
    this.#hasTables = hasTables(this.#sql);
    if (this.#hasTables) prepareTables(this.#sql);
  }

  views(): WebhookView[] {
    return this.#hasTables ? this.#webhooks.views() : [];
  }

  /** Whether an address can be that of a webhook; `isNew`: of one more. */
  async check(url: string, isNew: boolean): Promise<CheckedWebhook> {
    this.#prepare();
    return this.#webhooks.check(url, isNew);
  }

  #prepare(): void {
    if (!this.#hasTables) prepareTables(this.#sql);
    this.#hasTables = true;
  }

  add(request: WebhookRequest): AddedWebhook {
    this.#prepare();
    return this.#webhooks.add(request);
  }

  async change(id: string, change: WebhookChange): Promise<ChangedWebhook | undefined> {
    if (!this.#hasTables) return;
    const changed = this.#webhooks.change(id, change);
    // A new address may take what the former one did not.
    if (change.url !== undefined && changed && "webhook" in changed) await this.#retryNow(id);
    return changed;
  }

  rotate(id: string, secret?: string): string | undefined {
    return this.#hasTables ? this.#webhooks.rotate(id, secret) : undefined;
  }

  async enable(id: string): Promise<boolean> {
    const isThere = this.#hasTables && this.#webhooks.enable(id);
    if (isThere) await this.#retryNow(id);
    return isThere;
  }

  async disable(id: string): Promise<boolean> {
    const isThere = this.#hasTables && this.#webhooks.disable(id);
    if (isThere) await this.#arm();
    return isThere;
  }

  async remove(id: string): Promise<void> {
    if (!this.#hasTables) return;
    this.#webhooks.remove(id);
    await this.#arm();
  }

  async test(id: string): Promise<WebhookTest | undefined> {
    return this.#hasTables ? this.#queue.test(id) : undefined;
  }

  /** Whether the event is there, and does not wait already. */
  async sendAgain(id: string, event: string): Promise<boolean> {
    const isThere = this.#hasTables && this.#queue.sendAgain(id, event);
    if (isThere) await this.#arm();
    return isThere;
  }

  /** Lines of the audit log. Answers which webhooks were switched off; each is answered until it is removed. */
  async enqueue(events: readonly AuditEvent[]): Promise<WebhookNotice[]> {
    if (!this.#hasTables) return [];
    this.ctx.storage.transactionSync(() => this.#queue.enqueue(events));
    await this.#arm();
    return noticesIn(this.#sql);
  }

  removeNotice(id: string): void {
    if (this.#hasTables) removeNotice(this.#sql, id);
  }

  /** Removes everything. It may be repeated. */
  async forget(): Promise<void> {
    this.#hasTables = false;
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
  }

  async #retryNow(id: string): Promise<void> {
    this.#queue.retryNow(id);
    await this.#arm();
  }

  async #arm(): Promise<void> {
    const due = this.#queue.due();
    if (due === undefined) await this.ctx.storage.deleteAlarm();
    else await this.ctx.storage.setAlarm(Math.max(due, this.#now()));
  }

  /** The next one is set first, so that no failure loses it. */
  override async alarm(): Promise<void> {
    if (!this.#hasTables) return;
    await this.ctx.storage.setAlarm(this.#now() + againMs);
    await this.#queue.sendDue();
    await this.#arm();
  }
}
