import type { CheckTarget, RungResult } from "~/features/deployments/checks/check";
import { countRequestedCheck, type RequestedChecks } from "~/features/servers/checks/check-limits";
import { checkTarget } from "~/features/servers/checks/check-schedule";
import { type StoredIncident, toStored } from "~/features/servers/incidents/stored-incident";
import { keySecrets } from "~/features/servers/ingest/credentials.server";
import {
  type EnrolmentTerms,
  livingTokens,
  type Revoked,
  revokeTokens,
  revokeTokensOfNonMembers,
  saveToken,
} from "~/features/servers/ingest/enrolment.server";
import { readTicket } from "~/features/servers/live/endpoint.server";
import type { Closed } from "~/features/servers/live/sockets.server";
import type { Range } from "~/features/servers/metrics/series";
import {
  type ChannelView,
  channelTitle,
  viewOfChannel,
} from "~/features/servers/notifications/channel";
import { savedServer } from "~/features/servers/pages/fleet-view.server";
import type { WireFigures, WireOverview, WirePage } from "~/features/servers/pages/wire";
import {
  type Approvers,
  removeApprovers,
  saveApprovers,
} from "~/features/servers/rollouts/approvers.server";
import type { ServerRollouts } from "~/features/servers/rollouts/rollout";
import { groupOf, type SavedServer } from "~/features/servers/state/server-record";
import {
  type Member,
  recordUpdate,
  type WorkspaceFacts,
} from "~/features/servers/state/workspace-facts.server";
import type { TrialDeployments } from "~/features/servers/trial/seed-trial.server";
import { FleetMachines } from "./fleet-machines";

const requestedChecks = "checks-requested";

/** For so long the hourly update still answers a disconnected server to the site. */
const answeredForMs = 30 * 86_400_000;

/**
 * What one workspace's servers are like now: one object for a workspace, by its id. It has no tables before the first
 * token is made, so that reading creates nothing. Here are its servers, from their tokens to their end, as the site asks
 * for them; what machines call, alerts, incidents and rollouts have rooms of their own.
 */
export class Fleet extends FleetMachines {
  /** Fills the fleet of a trial with simulated servers; it deletes itself at `endsAt`. A second call changes nothing. */
  async beginTrial(endsAt: number, deployments: TrialDeployments): Promise<void> {
    this.parts.createTables();
    this.parts.trial.begin(endsAt, deployments);
    await this.parts.alarms.arm();
  }

  /** The member who makes the workspace's first token gets a mail channel: its id, then alone. */
  async makeToken(
    hash: string,
    terms: EnrolmentTerms,
    facts?: WorkspaceFacts,
    recipient?: { person: string; address: string },
  ): Promise<string | undefined> {
    this.parts.refuseInTrial();
    this.parts.createTables();
    if (facts) this.parts.suspensions.update(facts);
    saveToken(this.sql, hash, terms, this.now());
    const added = recipient && this.parts.channels.addFirst({ kind: "mail", ...recipient });
    await this.parts.alarms.arm();
    return added && "channel" in added ? added.channel.id : undefined;
  }

  /**
   * The hourly update by the site: it sets an alarm that was lost, and ends what belongs to deployments that were
   * deleted. Answers every server, but for those that were disconnected so long ago that the site has noted it.
   */
  async update(
    facts: WorkspaceFacts,
    deletedDeployments: readonly string[],
    members?: readonly Member[],
    approvers?: Approvers,
  ): Promise<SavedServer[]> {
    if (!this.parts.hasTables || this.parts.trial.isOn) return [];
    recordUpdate(this.sql, this.now());
    this.parts.suspensions.update(facts);
    if (members) {
      this.parts.queue.addEnded(this.parts.channels.reconcileMembers(members));
      revokeTokensOfNonMembers(this.sql, members, this.now());
      const second = this.parts.channels.addSecond(members);
      if (second) this.parts.queue.addTest(second);
    }
    if (approvers) saveApprovers(this.sql, approvers);
    else if (members) {
      removeApprovers(this.sql, (person) =>
        members.some((each) => each.person === person && each.connects !== false),
      );
    }
    await this.parts.alarms.heal();
    await this.parts.alarms.arm();
    await this.#endDeployments(deletedDeployments);
    const from = this.now() - answeredForMs;
    return this.parts
      .records()
      .filter(({ retiredAt }) => retiredAt === undefined || retiredAt > from)
      .map(savedServer);
  }

  /** The team picked this server to stay. Whether it is there, paused for want of room in the plan. */
  async keepServer(id: string): Promise<boolean> {
    return this.parts.change(() => this.parts.servers.keep(id));
  }

  /** Whether the server is connected that is to stay when the plan has room for fewer. */
  pickServer(id: string): boolean {
    return this.parts.hasTables && this.parts.servers.pick(id);
  }

  /** The channels of a former member end, and the others are notified of those that were not their own mail. */
  async removePerson(person: string): Promise<string[]> {
    this.revokeTokens({ maker: person });
    if (this.parts.hasTables) removeApprovers(this.sql, (each) => each !== person);
    const ended = this.parts.channels.removePerson(person);
    await this.parts.change(() => {
      this.parts.queue.addEnded(ended.filter(({ kind }) => kind !== "mail"));
      return ended.length > 0;
    });
    return ended.map((each) => channelTitle(viewOfChannel(each), true));
  }

  revokeTokens(which: Revoked): void {
    if (this.parts.hasTables) revokeTokens(this.sql, which);
  }

  overview(): WireOverview & { channels: ChannelView[] | undefined } {
    return {
      ...this.parts.views.overview(this.parts.records()),
      tokens: this.parts.hasTables ? livingTokens(this.sql, this.now()) : [],
      channels: this.parts.channels.views(),
    };
  }

  figures(): WireFigures {
    return this.parts.views.figures(this.parts.records());
  }

  server(
    id: string,
    range?: Range,
  ): (WirePage & { incidents: StoredIncident[]; rollouts: ServerRollouts }) | undefined {
    const record = this.parts.record(id);
    if (!record) return;
    const incidents = this.parts.monitor.list(record);
    return {
      ...this.parts.views.page(record, range, incidents),
      incidents: incidents.map(toStored),
      rollouts: this.rolloutsOf(record),
    };
  }

  /** Ends a server's key. One that is not there, or that has ended, stays as it is. */
  async retire(id: string): Promise<void> {
    await this.parts.change(() => this.parts.servers.retire(id));
  }

  /** Allows or refuses the request of `requestedAt` for a server's place. False where the open request is another one. */
  async answerRequest(id: string, isAllowed: boolean, requestedAt: number): Promise<boolean> {
    return this.parts.change(() => this.parts.servers.answerRequest(id, isAllowed, requestedAt));
  }

  /** Whether there is such a server. */
  async setLabels(id: string, labels: readonly string[]): Promise<boolean> {
    return this.parts.change(() => this.parts.servers.label(id, labels));
  }

  /**
   * Counts a check that somebody asks for; the milliseconds until one is allowed again, where there were too many. It is
   * no table's, because people check before they make a token.
   */
  countRequestedCheck(deployment: string): number | undefined {
    this.parts.refuseInTrial();
    const { kv } = this.ctx.storage;
    const former = kv.get<RequestedChecks>(requestedChecks) ?? {};
    const counted = countRequestedCheck(former, deployment, this.now());
    if ("waitMs" in counted) return counted.waitMs;
    kv.put(requestedChecks, counted.requested);
  }

  /** Counts a check of a server that somebody asks for, and says what to check. Undefined where there is no such server. */
  beginCheck(id: string): { target: CheckTarget } | { waitMs: number } | undefined {
    const record = this.parts.record(id);
    const target = record && record.retiredAt === undefined ? checkTarget(record) : undefined;
    if (!record || !target) return;
    const waitMs = this.countRequestedCheck(groupOf(record));
    return waitMs === undefined ? { target } : { waitMs };
  }

  /** What that check came to. */
  async takeCheck(id: string, results: readonly RungResult[]): Promise<void> {
    await this.parts.change(() => {
      this.parts.checks.take(id, results, false);
      return true;
    });
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  async endDeployment(deployment: string): Promise<void> {
    if (this.parts.hasTables) await this.#endDeployments([deployment]);
  }

  async #endDeployments(deployments: readonly string[]): Promise<void> {
    const ended = new Set(deployments);
    if (ended.size === 0) return;
    for (const deployment of ended) revokeTokens(this.sql, { deployment });
    await this.parts.change(() => this.parts.servers.retireOf(ended));
  }

  /** Opens the socket of a page whose ticket the Worker has read. */
  override async fetch(request: Request): Promise<Response> {
    const response = this.parts.sockets.accept(request);
    // Now somebody looks at the servers of a trial.
    if (this.parts.trial.isOn) await this.parts.alarms.arm();
    return response;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const [, ticket] =
      typeof message === "string" ? (/^renew (\S{1,300})$/.exec(message) ?? []) : [];
    if (ticket === undefined) return this.parts.sockets.refuse(socket);
    this.parts.sockets.renew(socket, await readTicket(keySecrets(this.env), ticket));
  }

  override webSocketClose(socket: WebSocket): void {
    this.parts.sockets.left(socket);
  }

  /** Closes the sockets of a session, of a person or of everybody, for whom nothing here is to be seen any more. */
  closeSockets(which: Closed): void {
    this.parts.sockets.close(which);
  }

  /** Whether the workspace has, or had, such a server, whose History is then read. */
  async hasServer(id: string): Promise<boolean> {
    await this.#fillHistory();
    return this.parts.record(id) !== undefined;
  }

  /** Of every server that the workspace has, or had. */
  async serverIds(): Promise<string[]> {
    await this.#fillHistory();
    return this.parts.records().map(({ id }) => id);
  }

  /** In a trial a server's History is filled before it is read for the first time. */
  async #fillHistory(): Promise<void> {
    const missing = this.parts.trial.missingSessions();
    if (!missing) return;
    await this.env.HISTORIES.getByName(missing.server).take(missing.sessions);
    this.parts.trial.noteSessions();
  }

  /** Removes everything. It may be repeated. */
  async forget(): Promise<void> {
    if (!this.parts.hasTables) return this.ctx.storage.deleteAll();
    // Where one fails, this is called again.
    const histories = this.parts.records().map(({ id }) => this.env.HISTORIES.getByName(id));
    await Promise.all(histories.map((history) => history.forget()));
    this.parts.sockets.close("all");
    if (!this.parts.trial.isOn) await this.parts.outage.report([], this.now());
    await this.ctx.storage.deleteAll();
    this.parts.forget();
  }

  override async alarm(): Promise<void> {
    if (this.parts.trial.hasEnded) await this.forget();
    else if (this.parts.hasTables) await this.parts.alarms.run();
  }
}
