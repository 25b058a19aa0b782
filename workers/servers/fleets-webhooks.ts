import type { AuditEvent } from "~/features/webhooks/event";
import type {
  AddedWebhook,
  ChangedWebhook,
  CheckedWebhook,
  WebhookCalls,
  WebhookChange,
  WebhookNotice,
  WebhookRequest,
  WebhookTest,
  WebhookView,
} from "~/features/webhooks/webhook";
import { FleetsAlerts } from "./fleets-alerts";

/** The webhooks of a workspace, which get what its audit log says. */
export abstract class FleetsWebhooks extends FleetsAlerts implements WebhookCalls {
  #of(workspace: string) {
    return this.env.WEBHOOKS.getByName(workspace);
  }

  async webhooks(workspace: string): Promise<WebhookView[]> {
    return this.#of(workspace).views();
  }

  async checkWebhook(workspace: string, url: string, isNew: boolean): Promise<CheckedWebhook> {
    return this.#of(workspace).check(url, isNew);
  }

  async addWebhook(workspace: string, request: WebhookRequest): Promise<AddedWebhook> {
    return this.#of(workspace).add(request);
  }

  async changeWebhook(
    workspace: string,
    id: string,
    change: WebhookChange,
  ): Promise<ChangedWebhook | undefined> {
    return this.#of(workspace).change(id, change);
  }

  async rotateWebhook(workspace: string, id: string, secret?: string): Promise<string | undefined> {
    return this.#of(workspace).rotate(id, secret);
  }

  async switchWebhook(workspace: string, id: string, isOn: boolean): Promise<boolean> {
    return this.#of(workspace).switch(id, isOn);
  }

  async removeWebhook(workspace: string, id: string): Promise<void> {
    await this.#of(workspace).remove(id);
  }

  async testWebhook(workspace: string, id: string): Promise<WebhookTest | undefined> {
    return this.#of(workspace).test(id);
  }

  async sendEventAgain(workspace: string, id: string, event: string): Promise<boolean> {
    return this.#of(workspace).sendAgain(id, event);
  }

  /** Hands lines of the audit log over. Answers which webhooks were switched off, until `removeWebhookNotice`. */
  async enqueueAuditEvents(
    workspace: string,
    events: readonly AuditEvent[],
  ): Promise<WebhookNotice[]> {
    return this.#of(workspace).enqueue(events);
  }

  async removeWebhookNotice(workspace: string, id: string): Promise<void> {
    await this.#of(workspace).removeNotice(id);
  }
}
