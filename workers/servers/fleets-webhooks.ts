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
import { webhooksOf } from "./fleet-calls";
import { FleetsAlerts } from "./fleets-alerts";

/** The webhooks of a workspace, which get what its audit log says. */
export abstract class FleetsWebhooks extends FleetsAlerts implements WebhookCalls {
  async webhooks(workspace: string): Promise<WebhookView[]> {
    return webhooksOf(this.env, workspace).views();
  }

  async checkWebhook(workspace: string, url: string, isNew: boolean): Promise<CheckedWebhook> {
    return webhooksOf(this.env, workspace).check(url, isNew);
  }

  async addWebhook(workspace: string, request: WebhookRequest): Promise<AddedWebhook> {
    return webhooksOf(this.env, workspace).add(request);
  }

  async changeWebhook(
    workspace: string,
    id: string,
    change: WebhookChange,
  ): Promise<ChangedWebhook | undefined> {
    return webhooksOf(this.env, workspace).change(id, change);
  }

  async rotateWebhook(workspace: string, id: string, secret?: string): Promise<string | undefined> {
    return webhooksOf(this.env, workspace).rotate(id, secret);
  }

  async enableWebhook(workspace: string, id: string): Promise<boolean> {
    return webhooksOf(this.env, workspace).enable(id);
  }

  async disableWebhook(workspace: string, id: string): Promise<boolean> {
    return webhooksOf(this.env, workspace).disable(id);
  }

  async removeWebhook(workspace: string, id: string): Promise<void> {
    await webhooksOf(this.env, workspace).remove(id);
  }

  async testWebhook(workspace: string, id: string): Promise<WebhookTest | undefined> {
    return webhooksOf(this.env, workspace).test(id);
  }

  async sendEventAgain(workspace: string, id: string, event: string): Promise<boolean> {
    return webhooksOf(this.env, workspace).sendAgain(id, event);
  }

  /** Hands lines of the audit log over. Answers which webhooks were switched off, until `removeWebhookNotice`. */
  async enqueueAuditEvents(
    workspace: string,
    events: readonly AuditEvent[],
  ): Promise<WebhookNotice[]> {
    return webhooksOf(this.env, workspace).enqueue(events);
  }

  async removeWebhookNotice(workspace: string, id: string): Promise<void> {
    await webhooksOf(this.env, workspace).removeNotice(id);
  }
}
