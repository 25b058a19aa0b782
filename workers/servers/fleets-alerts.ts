import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import type { Hours } from "~/features/servers/hours";
import { keySecrets, pagerAddress } from "~/features/servers/ingest/credentials.server";
import type {
  AddedChannel,
  ChannelRequest,
  ChannelView,
  Sent,
  ServiceRequest,
  Turn,
} from "~/features/servers/notifications/channel";
import type { ChannelLimits } from "~/features/servers/notifications/channel-limits";
import type { AlertTimesChange } from "~/features/servers/notifications/times/alert-times";
import type { RotaView } from "~/features/servers/notifications/times/rota-view.server";
import { senderSettings } from "~/features/servers/sender-settings.server";
import { fleetOf } from "./fleet-calls";
import { FleetsHistory } from "./fleets-history";

/** Where a fleet's messages go, and when. */
export abstract class FleetsAlerts extends FleetsHistory {
  /** Undefined before the workspace's first token. */
  async channels(workspace: string): Promise<ChannelView[] | undefined> {
    const channels = await fleetOf(this.env, workspace).channels();
    const secrets = keySecrets(this.env);
    return (
      channels &&
      Promise.all(
        channels.map(async (channel) => {
          if (channel.kind !== "pagerduty") return channel;
          const name = await pagerAddress(secrets, { workspace, channel: channel.id });
          return { ...channel, answerPath: `/v1/pagerduty/${name}` };
        }),
      )
    );
  }

  /** Lets PagerDuty's webhooks, which it signs with this secret, acknowledge. Whether there is such a channel. */
  async setPagerSecret(workspace: string, channel: string, secret: string): Promise<boolean> {
    return fleetOf(this.env, workspace).setPagerSecret(channel, secret);
  }

  /** `addedBy`: the account of the member who adds it, which a site of before does not say. */
  async addChannel(
    workspace: string,
    request: ChannelRequest,
    turn: Turn,
    addedBy?: string,
    limits?: ChannelLimits,
  ): Promise<AddedChannel> {
    return fleetOf(this.env, workspace).addChannel(request, turn, addedBy, limits);
  }

  /** What a browser needs to subscribe to push; undefined where this is not set up. */
  async pushKey(): Promise<string | undefined> {
    return senderSettings(this.env)?.vapid?.publicKey;
  }

  /** A Worker of before does not have this: it would keep a channel to which it cannot send. */
  async addServiceChannel(workspace: string, request: ServiceRequest): Promise<AddedChannel> {
    return fleetOf(this.env, workspace).addServiceChannel(request);
  }

  /** Whether there is such a channel. */
  async changeTurn(workspace: string, channel: string, turn: Turn): Promise<boolean> {
    return fleetOf(this.env, workspace).changeTurn(channel, turn);
  }

  /** Null: it has none. Whether there is such a channel. */
  async setQuietHours(workspace: string, channel: string, quiet: Hours | null): Promise<boolean> {
    return fleetOf(this.env, workspace).setQuietHours(channel, quiet);
  }

  /** What pages show of the time zone and the rota; `isWhole`: with whole addresses. Undefined before the first token. */
  async alertTimes(workspace: string, isWhole: boolean): Promise<RotaView | undefined> {
    return fleetOf(this.env, workspace).alertTimes(isWhole);
  }

  /** False for what cannot be: no such time zone, rota or person. */
  async changeAlertTimes(workspace: string, change: AlertTimesChange): Promise<boolean> {
    return fleetOf(this.env, workspace).changeAlertTimes(change);
  }

  /** What became of a test; undefined where there is no such channel. */
  async testChannel(workspace: string, channel: string): Promise<Sent | undefined> {
    return fleetOf(this.env, workspace).testChannel(channel);
  }

  /** Hands the result of a connection test in the customer's own page to their webhook. Whether there is such a one. */
  async sendConnectionTest(
    workspace: string,
    channel: string,
    report: ConnectionTestReport,
  ): Promise<boolean> {
    return fleetOf(this.env, workspace).sendConnectionTest(channel, report);
  }

  async removeChannel(workspace: string, channel: string): Promise<void> {
    await fleetOf(this.env, workspace).removeChannel(channel);
  }
}
