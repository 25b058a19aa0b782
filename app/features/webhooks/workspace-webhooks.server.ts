import {
  addressRules,
  checkCustomerAddress,
  refusedNow,
} from "~/features/servers/notifications/senders/customer-address.server";
import { newWebhookSecret } from "~/features/servers/notifications/webhook-secret";
import { senderSettings } from "~/features/servers/sender-settings.server";
import {
  type AddedWebhook,
  type ChangedWebhook,
  type CheckedWebhook,
  maxWebhooks,
  overlapMs,
  type WebhookChange,
  type WebhookRequest,
  type WebhookView,
  type WorkspaceWebhook,
} from "./webhook";
import {
  deliveriesOf,
  removeWebhook,
  saveWebhook,
  waitingFor,
  webhooksIn,
} from "./webhook-table.server";

/** The webhooks of one workspace, as people and programs set them. */
export class WorkspaceWebhooks {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #now: () => number;

  constructor(sql: SqlStorage, env: ServersEnv, now: () => number) {
    this.#sql = sql;
    this.#env = env;
    this.#now = now;
  }

  views(): WebhookView[] {
    return webhooksIn(this.#sql).map((webhook) => this.#view(webhook));
  }

  #view({ id, url, groups, madeAt, off, failing, former }: WorkspaceWebhook): WebhookView {
    return {
      ...{ id, groups, madeAt, off, failing, host: new URL(url).host },
      formerUntil: former && former.until > this.#now() ? former.until : undefined,
      waiting: waitingFor(this.#sql, id),
      deliveries: deliveriesOf(this.#sql, id),
    };
  }

  /** Whether an address can be one, also by where its name leads now; `isNew`: of one more webhook. */
  async check(url: string, isNew: boolean): Promise<CheckedWebhook> {
    const checked = this.#checked(url);
    if ("refused" in checked) return checked;
    if (isNew && webhooksIn(this.#sql).length >= maxWebhooks) return { refused: "too-many" };
    const settings = senderSettings(this.#env);
    const refused = settings && (await refusedNow(settings, checked.url));
    if (refused) return { refused: "address", says: refused.reason };
    return { host: new URL(checked.url).host };
  }

  add({ url, groups, secret = newWebhookSecret() }: WebhookRequest): AddedWebhook {
    const checked = this.#checked(url);
    if ("refused" in checked) return checked;
    if (webhooksIn(this.#sql).length >= maxWebhooks) return { refused: "too-many" };
    const id = crypto.randomUUID();
    const webhook = { id, url: checked.url, secret, groups, madeAt: this.#now() };
    saveWebhook(this.#sql, webhook);
    return { webhook: this.#view(webhook), secret };
  }

  change(id: string, { url, groups }: WebhookChange): ChangedWebhook | undefined {
    const webhook = this.#webhook(id);
    if (!webhook) return;
    const checked = url === undefined ? { url: webhook.url } : this.#checked(url);
    if ("refused" in checked) return checked;
    const changed = { ...webhook, ...checked, groups: groups ?? webhook.groups };
    saveWebhook(this.#sql, changed);
    return { webhook: this.#view(changed) };
  }

  #checked(url: string): { url: string } | { refused: "address"; says: string } {
    const settings = senderSettings(this.#env);
    const checked = checkCustomerAddress(url, settings ? addressRules(settings) : { siteUrl: "" });
    return "refusal" in checked ? { refused: "address", says: checked.refusal } : checked;
  }

  #webhook(id: string): WorkspaceWebhook | undefined {
    return webhooksIn(this.#sql).find((each) => each.id === id);
  }

  /** A new secret, beside which the former one signs for a day. One that is set already changes nothing. */
  rotate(id: string, secret = newWebhookSecret()): string | undefined {
    const webhook = this.#webhook(id);
    if (!webhook) return;
    if (webhook.secret === secret) return secret;
    const former = { secret: webhook.secret, until: this.#now() + overlapMs };
    saveWebhook(this.#sql, { ...webhook, secret, former });
    return secret;
  }

  /** Whether there is such a webhook. */
  enable(id: string): boolean {
    const webhook = this.#webhook(id);
    if (webhook) saveWebhook(this.#sql, { ...webhook, off: undefined, failing: undefined });
    return webhook !== undefined;
  }

  /** Whether there is such a webhook. One that is off already keeps its reason. */
  disable(id: string): boolean {
    const webhook = this.#webhook(id);
    if (webhook && !webhook.off) {
      saveWebhook(this.#sql, { ...webhook, off: { at: this.#now(), why: "person" } });
    }
    return webhook !== undefined;
  }

  remove(id: string): void {
    removeWebhook(this.#sql, id);
  }
}
