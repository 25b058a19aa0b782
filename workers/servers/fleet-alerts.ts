import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import type { Hours } from "~/features/servers/hours";
import {
  type Answer,
  answersIn,
  removeAnswers,
} from "~/features/servers/notifications/answers.server";
import type {
  AddedChannel,
  ChannelRequest,
  Sent,
  ServiceRequest,
  Turn,
} from "~/features/servers/notifications/channel";
import type { ChannelLimits } from "~/features/servers/notifications/channel-limits";
import { channelsIn } from "~/features/servers/notifications/channels.server";
import {
  type PagerAnswer,
  type PagerWebhook,
  takePagerWebhook,
} from "~/features/servers/notifications/pagerduty-webhook.server";
import type { AlertTimesChange } from "~/features/servers/notifications/times/alert-times";
import {
  alertTimesIn,
  changeAlertTimes,
} from "~/features/servers/notifications/times/alert-times.server";
import { type RotaView, rotaView } from "~/features/servers/notifications/times/rota-view.server";
import { FleetObject } from "./fleet-object";

/** Whom a fleet notifies, when, and what came back: its channels, their times, and PagerDuty's webhooks. */
export abstract class FleetAlerts extends FleetObject {
  channels() {
    return this.parts.channels.views();
  }

  async addChannel(request: ChannelRequest, turn: Turn, addedBy?: string, limits?: ChannelLimits) {
    this.parts.refuseInTrial();
    return this.#begin(this.parts.channels.add(request, turn, addedBy, limits));
  }

  /** A new channel is notified at once of what pages and nobody has acknowledged. */
  async #begin(added: AddedChannel): Promise<AddedChannel> {
    if ("channel" in added) {
      this.parts.queue.addOpenings(added.channel.id);
      await this.parts.alarms.arm();
    }
    return added;
  }

  async addServiceChannel(request: ServiceRequest) {
    this.parts.refuseInTrial();
    return this.#begin(this.parts.channels.addService(request));
  }

  changeTurn(channel: string, turn: Turn): boolean {
    return this.parts.channels.changeTurn(channel, turn);
  }

  /** Null: it has none. Whether there is such a channel. */
  async setQuietHours(channel: string, quiet: Hours | null): Promise<boolean> {
    return this.parts.change(() => this.parts.channels.setQuietHours(channel, quiet));
  }

  alertTimes(isWhole: boolean): RotaView | undefined {
    const channels = this.parts.channels.views();
    return channels && rotaView(alertTimesIn(this.sql), channels, this.now(), isWhole);
  }

  async changeAlertTimes(change: AlertTimesChange): Promise<boolean> {
    const channels = () => ({ channels: channelsIn(this.sql), now: this.now() });
    return this.parts.change(() => changeAlertTimes(this.sql, change, channels()));
  }

  async testChannel(channel: string): Promise<Sent | undefined> {
    return this.parts.hasTables ? this.parts.queue.sendTest(channel) : undefined;
  }

  /** Whether there is such a webhook, which gets the result of an embedded test with the next alarm. */
  async sendConnectionTest(channel: string, report: ConnectionTestReport): Promise<boolean> {
    if (!this.parts.hasTables) return false;
    const isAdded = this.parts.queue.addConnectionTest(channel, report);
    await this.parts.alarms.arm();
    return isAdded;
  }

  /** Lets PagerDuty's webhooks, which it signs with this secret, acknowledge. Whether there is such a channel. */
  setPagerSecret(channel: string, secret: string): boolean {
    return this.parts.channels.setPagerSecret(channel, secret);
  }

  async takePagerWebhook(webhook: PagerWebhook): Promise<PagerAnswer> {
    if (!this.parts.hasTables) return "unknown";
    const answer = await takePagerWebhook(this.sql, this.parts.monitor, webhook, this.now());
    await this.parts.alarms.arm();
    return answer;
  }

  removeChannel(channel: string): void {
    this.parts.channels.remove(channel);
  }

  /** What waits for the workspace's audit log. */
  answers(): Answer[] {
    return this.parts.hasTables ? answersIn(this.sql) : [];
  }

  removeAnswers(ids: readonly string[]): void {
    if (this.parts.hasTables) removeAnswers(this.sql, ids);
  }
}
