import { DurableObject } from "cloudflare:workers";
import type { CheckTarget, RungResult } from "~/features/deployments/checks/check";
import type { ConnectionTestReport } from "~/features/deployments/embedded-test/report";
import { countRequestedCheck, type RequestedChecks } from "~/features/servers/checks/check-limits";
import { checkTarget } from "~/features/servers/checks/check-schedule";
import type { Acknowledgement } from "~/features/servers/incidents/incident";
import {
  type IncidentFile,
  type IncidentList,
  incidentFile,
  incidentList,
} from "~/features/servers/incidents/incident-list.server";
import { type IncidentPage, incidentPage } from "~/features/servers/incidents/incident-page.server";
import type { IncidentQuery } from "~/features/servers/incidents/incident-query";
import { maxIncidents } from "~/features/servers/incidents/incident-query";
import { newestIncidents } from "~/features/servers/incidents/incident-table.server";
import { changeMany, type Many, type ManyChange } from "~/features/servers/incidents/many.server";
import { type StoredIncident, toStored } from "~/features/servers/incidents/stored-incident";
import { type Key, keySecrets } from "~/features/servers/ingest/credentials.server";
import {
  archiveInputsOf,
  type Enrolment,
  type EnrolmentTerms,
  type EnrolRefusal,
  enrol,
  type Leaving,
  livingTokens,
  type Revoked,
  revokeTokens,
  revokeTokensOfNonMembers,
  saveToken,
} from "~/features/servers/ingest/enrolment.server";
import { readTicket } from "~/features/servers/live/endpoint.server";
import type { Closed } from "~/features/servers/live/sockets.server";
import { saveSample } from "~/features/servers/metrics/metrics-table.server";
import type { Range } from "~/features/servers/metrics/series";
import type { LinkContent } from "~/features/servers/notifications/acknowledge-link.server";
import {
  type Answer,
  answersIn,
  removeAnswers,
} from "~/features/servers/notifications/answers.server";
import {
  type AddedChannel,
  type ChannelRequest,
  type ChannelView,
  channelTitle,
  type Sent,
  type ServiceRequest,
  type Turn,
  viewOfChannel,
} from "~/features/servers/notifications/channel";
import type { ChannelLimits } from "~/features/servers/notifications/channel-limits";
import { channelsIn } from "~/features/servers/notifications/channels.server";
import type {
  LinkOutcome,
  LinkRequest,
  LinkView,
} from "~/features/servers/notifications/linked-incidents.server";
import {
  type PagerAnswer,
  type PagerWebhook,
  takePagerWebhook,
} from "~/features/servers/notifications/pagerduty-webhook.server";
import { messageWorkspace } from "~/features/servers/notifications/senders/post.server";
import type { AlertTimesChange } from "~/features/servers/notifications/times/alert-times";
import {
  alertTimesIn,
  changeAlertTimes,
} from "~/features/servers/notifications/times/alert-times.server";
import type { QuietHours } from "~/features/servers/notifications/times/quiet-hours";
import { type RotaView, rotaView } from "~/features/servers/notifications/times/rota-view.server";
import { savedServer } from "~/features/servers/pages/fleet-view.server";
import type { WireOverview, WirePage } from "~/features/servers/pages/wire";
import { type Restart, restartOf } from "~/features/servers/room-sessions/restart";
import type { Report, SavedServer, ServerRecord } from "~/features/servers/state/server-record";
import { recordIn, recordsIn } from "~/features/servers/state/server-table.server";
import type { Threshold } from "~/features/servers/state/threshold";
import {
  factsIn,
  type Member,
  recordUpdate,
  type WorkspaceFacts,
} from "~/features/servers/state/workspace-facts.server";
import type { TrialDeployments } from "~/features/servers/trial/seed-trial.server";
import { FleetParts } from "./fleet-parts";

const requestedChecks = "checks-requested";

/** For so long the hourly update still answers a disconnected server to the site. */
const answeredForMs = 30 * 86_400_000;

export type ReportAnswer =
  | { outcome: "taken"; restart?: Restart }
  | { outcome: "unknown-key" | "key-revoked" | "another-machine" | "machine-refused" }
  | { outcome: "too-often" | "paused"; waitMs: number };

/**
 * What one workspace's servers are like now: one object for a workspace, by its id. It has no tables before the first
 * token is made, so that reading creates nothing.
 */
export class Fleet extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #parts: FleetParts;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.#now = now;
    this.#sql = ctx.storage.sql;
    this.#parts = new FleetParts(ctx, env, now);
  }

  /** Fills the fleet of a trial with simulated servers; it deletes itself at `endsAt`. A second call changes nothing. */
  async beginTrial(endsAt: number, deployments: TrialDeployments): Promise<void> {
    this.#parts.createTables();
    const { server, events } = this.#parts.trial.begin(endsAt, deployments);
    await this.#parts.alarms.arm();
    await this.env.HISTORIES.getByName(server).take({ events });
  }

  /** The member who makes the workspace's first token gets a mail channel: its id, then alone. */
  async makeToken(
    hash: string,
    terms: EnrolmentTerms,
    facts?: WorkspaceFacts,
    recipient?: { person: string; address: string },
  ): Promise<string | undefined> {
    this.#refuseInTrial();
    this.#parts.createTables();
    if (facts) this.#parts.suspensions.update(facts);
    saveToken(this.#sql, hash, terms, this.#now());
    const added = recipient && this.#parts.channels.addFirst({ kind: "mail", ...recipient });
    await this.#parts.alarms.arm();
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
  ): Promise<SavedServer[]> {
    if (!this.#parts.hasTables || this.#parts.trial.isOn) return [];
    recordUpdate(this.#sql, this.#now());
    this.#parts.suspensions.update(facts);
    if (members) {
      this.#parts.queue.addEnded(this.#parts.channels.reconcileMembers(members));
      revokeTokensOfNonMembers(this.#sql, members, this.#now());
      const second = this.#parts.channels.addSecond(members);
      if (second) this.#parts.queue.addTest(second);
    }
    await this.#parts.alarms.heal();
    await this.#parts.alarms.arm();
    await this.#endDeployments(deletedDeployments);
    const from = this.#now() - answeredForMs;
    return this.#records()
      .filter(({ retiredAt }) => retiredAt === undefined || retiredAt > from)
      .map(savedServer);
  }

  /** The team picked this server to stay. Whether it is there, paused for want of room in the plan. */
  async keepServer(id: string): Promise<boolean> {
    return this.#changed(() => this.#parts.servers.keep(id));
  }

  /** Whether the server is connected that is to stay when the plan has room for fewer. */
  pickServer(id: string): boolean {
    return this.#parts.hasTables && this.#parts.servers.pick(id);
  }

  channels() {
    return this.#parts.channels.views();
  }

  async addChannel(request: ChannelRequest, turn: Turn, addedBy?: string, limits?: ChannelLimits) {
    this.#refuseInTrial();
    return this.#begin(this.#parts.channels.add(request, turn, addedBy, limits));
  }

  /** A new channel is notified at once of what pages and nobody has acknowledged. */
  async #begin(added: AddedChannel): Promise<AddedChannel> {
    if ("channel" in added) {
      this.#parts.queue.addOpenings(added.channel.id);
      await this.#parts.alarms.arm();
    }
    return added;
  }

  async addServiceChannel(request: ServiceRequest) {
    this.#refuseInTrial();
    return this.#begin(this.#parts.channels.addService(request));
  }

  changeTurn(channel: string, turn: Turn): boolean {
    return this.#parts.channels.changeTurn(channel, turn);
  }

  /** Null: it has none. Whether there is such a channel. */
  async setQuietHours(channel: string, quiet: QuietHours | null): Promise<boolean> {
    return this.#changed(() => this.#parts.channels.setQuietHours(channel, quiet));
  }

  alertTimes(isWhole: boolean): RotaView | undefined {
    const channels = this.#parts.channels.views();
    return channels && rotaView(alertTimesIn(this.#sql), channels, this.#now(), isWhole);
  }

  async changeAlertTimes(change: AlertTimesChange): Promise<boolean> {
    const channels = () => ({ channels: channelsIn(this.#sql), now: this.#now() });
    return this.#changed(() => changeAlertTimes(this.#sql, change, channels()));
  }

  async testChannel(channel: string): Promise<Sent | undefined> {
    return this.#parts.hasTables ? this.#parts.queue.sendTest(channel) : undefined;
  }

  /** Whether there is such a webhook, which gets the result of an embedded test with the next alarm. */
  async sendConnectionTest(channel: string, report: ConnectionTestReport): Promise<boolean> {
    if (!this.#parts.hasTables) return false;
    const isAdded = this.#parts.queue.addConnectionTest(channel, report);
    await this.#parts.alarms.arm();
    return isAdded;
  }

  /** Lets PagerDuty's webhooks, which it signs with this secret, acknowledge. Whether there is such a channel. */
  setPagerSecret(channel: string, secret: string): boolean {
    return this.#parts.channels.setPagerSecret(channel, secret);
  }

  async takePagerWebhook(webhook: PagerWebhook): Promise<PagerAnswer> {
    if (!this.#parts.hasTables) return "unknown";
    const answer = await takePagerWebhook(this.#sql, this.#parts.monitor, webhook, this.#now());
    await this.#parts.alarms.arm();
    return answer;
  }

  removeChannel(channel: string): void {
    this.#parts.channels.remove(channel);
  }

  /** The channels of a former member end, and the others are notified of those that were not their own mail. */
  async removePerson(person: string): Promise<string[]> {
    this.revokeTokens({ maker: person });
    const ended = this.#parts.channels.removePerson(person);
    await this.#changed(() => {
      this.#parts.queue.addEnded(ended.filter(({ kind }) => kind !== "mail"));
      return ended.length > 0;
    });
    return ended.map((each) => channelTitle(viewOfChannel(each), true));
  }

  revokeTokens(which: Revoked): void {
    if (this.#parts.hasTables) revokeTokens(this.#sql, which);
  }

  /** The same token with the same key is the same server again, also when the token's uses are up or it has ended. */
  enrol(tokenHash: string, enrolment: Enrolment): { server: string } | { refused: EnrolRefusal } {
    if (!this.#parts.hasTables) return { refused: "unknown-token" };
    const answer = enrol(this.#sql, tokenHash, enrolment, this.#now());
    if ("isNew" in answer && answer.isNew) this.#parts.sockets.notify(answer.server, true);
    return "server" in answer ? { server: answer.server } : answer;
  }

  archiveInputs(tokenHash: string): ReturnType<typeof archiveInputsOf> {
    return this.#parts.hasTables
      ? archiveInputsOf(this.#sql, tokenHash, this.#now())
      : { refused: "unknown-token" };
  }

  /** Two rows are written, the server's and that of its quarter of an hour, and one more where its incident changes. */
  async report(key: Key, report: Report): Promise<ReportAnswer> {
    const record = this.#recordOf(key);
    if (!record) return { outcome: "unknown-key" };
    const incident = this.#parts.monitor.living.get(record.id);
    const taken = this.#parts.monitor.report(record, report);
    if ("sample" in taken && taken.sample) saveSample(this.#sql, record.id, taken.sample);
    await this.#parts.alarms.notLaterThan(this.#parts.dueAfterReport(record, incident));
    if ("waitMs" in taken) return { outcome: taken.outcome, waitMs: taken.waitMs };
    if (taken.outcome !== "taken") return { outcome: taken.outcome };
    const restart = restartOf(record, report);
    return { outcome: "taken", ...(restart ? { restart } : {}) };
  }

  /** A copy of the machine, by its id or its instance, ends nothing: only its request for the place is removed. */
  async disconnect(
    key: Key,
    { machine, instance }: Leaving,
  ): Promise<{ ended: boolean } | { refused: "unknown-key" | "key-revoked" }> {
    const record = this.#recordOf(key);
    if (!record) return { refused: "unknown-key" };
    if (record.retiredAt !== undefined) return { refused: "key-revoked" };
    const isSame = machine === record.machine && instance === record.instance;
    if (isSame) {
      this.#parts.queue.addDisconnected(record);
      await this.retire(record.id);
    } else this.#parts.servers.withdraw(record, { machine, instance });
    return { ended: isSame };
  }

  overview(): WireOverview & { channels: ChannelView[] | undefined } {
    return {
      ...this.#parts.views.overview(this.#records()),
      tokens: this.#parts.hasTables ? livingTokens(this.#sql, this.#now()) : [],
      channels: this.#parts.channels.views(),
    };
  }

  server(id: string, range?: Range): (WirePage & { incidents: StoredIncident[] }) | undefined {
    const record = this.#record(id);
    if (!record) return;
    const incidents = this.#parts.monitor.list(id);
    return {
      ...this.#parts.views.page(record, range, incidents),
      incidents: incidents.map(toStored),
    };
  }

  /** The page of incidents. A workspace without a server has none. */
  incidents(query: IncidentQuery): IncidentList & { readAt: number } {
    const readAt = this.#now();
    return { readAt, ...incidentList(this.#incidentSource(), query, readAt) };
  }

  /** Every incident that matches, and the uptime of every server. */
  incidentFile(query: IncidentQuery): IncidentFile {
    return incidentFile(this.#incidentSource(), query, this.#now());
  }

  incident(id: string): IncidentPage | undefined {
    const incident = this.#parts.hasTables ? this.#parts.monitor.incident(id) : undefined;
    return incident && incidentPage(incident, this.#record(incident.server), this.#now());
  }

  #incidentSource() {
    const incidents = this.#parts.hasTables ? newestIncidents(this.#sql, maxIncidents) : [];
    return { incidents, servers: this.#records() };
  }

  /** Ends a server's key. One that is not there, or that has ended, stays as it is. */
  async retire(id: string): Promise<void> {
    await this.#changed(() => this.#parts.servers.retire(id));
  }

  /** Allows or refuses the request of `requestedAt` for a server's place. False where the open request is another one. */
  async answerRequest(id: string, isAllowed: boolean, requestedAt: number): Promise<boolean> {
    return this.#changed(() => this.#parts.servers.answerRequest(id, isAllowed, requestedAt));
  }

  /** Somebody acknowledges an incident. Whether there is such an open one. */
  async acknowledge(incident: string, by: Omit<Acknowledgement, "at">): Promise<boolean> {
    const at = this.#now();
    return this.#changed(() => this.#parts.monitor.acknowledge(incident, { ...by, at }));
  }

  /** Takes an acknowledgement back. Whether there is such an open incident. */
  async unacknowledge(incident: string): Promise<boolean> {
    return this.#changed(() => this.#parts.monitor.unacknowledge(incident));
  }

  /** What a link of a message leads to; undefined for one that is too old, or whose channel was removed. */
  linkedIncidents(content: LinkContent): LinkView | undefined {
    if (!this.#parts.hasTables) return;
    return this.#parts.linked.view(content, messageWorkspace(this.env, factsIn(this.#sql)));
  }

  async actByLink(content: LinkContent, request: LinkRequest): Promise<LinkOutcome> {
    if (!this.#parts.hasTables) return "gone";
    const outcome = this.#parts.linked.use(content, request);
    await this.#parts.alarms.arm();
    return outcome;
  }

  /** What waits for the workspace's audit log. */
  answers(): Answer[] {
    return this.#parts.hasTables ? answersIn(this.#sql) : [];
  }

  removeAnswers(ids: readonly string[]): void {
    if (this.#parts.hasTables) removeAnswers(this.#sql, ids);
  }

  /** Until then only the end of an incident is sent. Whether there is such an open one. */
  async snooze(incident: string, until: number): Promise<boolean> {
    return this.#changed(() => this.#parts.monitor.snooze(incident, until));
  }

  /** Does the same with many servers or their incidents at once. Answers with how many. */
  async changeMany(of: Many, change: ManyChange): Promise<number> {
    if (!this.#parts.hasTables) return 0;
    const count = changeMany(this.#sql, this.#parts.monitor, { of, change, now: this.#now() });
    await this.#parts.alarms.arm();
    return count;
  }

  /** Opens a maintenance window of a server until then; null closes it. Whether there is such a server. */
  async setMaintenance(server: string, until: number | null): Promise<boolean> {
    return this.#changed(() => this.#parts.monitor.setMaintenance(server, until));
  }

  /** Whether there is such a server. */
  async setLabels(id: string, labels: readonly string[]): Promise<boolean> {
    return this.#changed(() => this.#parts.servers.label(id, labels));
  }

  /** False where there are too many. */
  async setThreshold(threshold: Omit<Threshold, "id">): Promise<boolean> {
    return this.#changed(() => this.#parts.thresholds.set(threshold));
  }

  async removeThreshold(id: string): Promise<boolean> {
    return this.#changed(() => this.#parts.thresholds.remove(id));
  }

  /**
   * Counts a check that somebody asks for; the milliseconds until one is allowed again, where there were too many. It is
   * no table's, because people check before they make a token.
   */
  countRequestedCheck(deployment: string): number | undefined {
    this.#refuseInTrial();
    const { kv } = this.ctx.storage;
    const former = kv.get<RequestedChecks>(requestedChecks) ?? {};
    const counted = countRequestedCheck(former, deployment, this.#now());
    if ("waitMs" in counted) return counted.waitMs;
    kv.put(requestedChecks, counted.requested);
  }

  /** Counts a check of a server that somebody asks for, and says what to check. Undefined where there is no such server. */
  beginCheck(id: string): { target: CheckTarget } | { waitMs: number } | undefined {
    const record = this.#record(id);
    const target = record && record.retiredAt === undefined ? checkTarget(record) : undefined;
    if (!record || !target) return;
    const waitMs = this.countRequestedCheck(record.deployment);
    return waitMs === undefined ? { target } : { waitMs };
  }

  /** What that check came to. */
  async takeCheck(id: string, results: readonly RungResult[]): Promise<void> {
    await this.#changed(() => {
      this.#parts.checks.take(id, results, false);
      return true;
    });
  }

  async #changed(change: () => boolean): Promise<boolean> {
    if (!this.#parts.hasTables || !change()) return false;
    await this.#parts.alarms.arm();
    return true;
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  async endDeployment(deployment: string): Promise<void> {
    if (this.#parts.hasTables) await this.#endDeployments([deployment]);
  }

  async #endDeployments(deployments: readonly string[]): Promise<void> {
    const ended = new Set(deployments);
    if (ended.size === 0) return;
    for (const deployment of ended) revokeTokens(this.#sql, { deployment });
    await this.#changed(() => this.#parts.servers.retireOf(ended));
  }

  /** Opens the socket of a page whose ticket the Worker has read. */
  override async fetch(request: Request): Promise<Response> {
    const response = this.#parts.sockets.accept(request);
    // Now somebody looks at the servers of a trial.
    if (this.#parts.trial.isOn) await this.#parts.alarms.arm();
    return response;
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const [, ticket] =
      typeof message === "string" ? (/^renew (\S{1,300})$/.exec(message) ?? []) : [];
    if (ticket === undefined) return this.#parts.sockets.refuse(socket);
    this.#parts.sockets.renew(socket, await readTicket(keySecrets(this.env), ticket));
  }

  override webSocketClose(socket: WebSocket): void {
    this.#parts.sockets.left(socket);
  }

  /** Closes the sockets of a session, of a person or of everybody, for whom nothing here is to be seen any more. */
  closeSockets(which: Closed): void {
    this.#parts.sockets.close(which);
  }

  /** Whether the workspace has, or had, such a server. */
  hasServer(id: string): boolean {
    return this.#record(id) !== undefined;
  }

  /** Removes everything. It may be repeated. */
  async forget(): Promise<void> {
    if (!this.#parts.hasTables) return this.ctx.storage.deleteAll();
    // Where one fails, this is called again.
    const histories = this.#records().map(({ id }) => this.env.HISTORIES.getByName(id));
    await Promise.all(histories.map((history) => history.forget()));
    this.#parts.sockets.close("all");
    if (!this.#parts.trial.isOn) await this.#parts.outage.report([], this.#now());
    await this.ctx.storage.deleteAll();
    this.#parts.forget();
  }

  override async alarm(): Promise<void> {
    if (this.#parts.trial.hasEnded) await this.forget();
    else if (this.#parts.hasTables) await this.#parts.alarms.run();
  }

  /** The site has refused it before: nothing of a trial may connect a machine or notify anybody. */
  #refuseInTrial(): void {
    if (this.#parts.trial.isOn) throw new Error("The fleet is a trial's");
  }

  #records(): ServerRecord[] {
    if (!this.#parts.hasTables) return [];
    this.#parts.trial.refresh();
    return recordsIn(this.#sql).map((record) => this.#shown(record));
  }

  #record(id: string): ServerRecord | undefined {
    if (!this.#parts.hasTables) return;
    this.#parts.trial.refresh();
    const record = recordIn(this.#sql, id);
    return record && this.#shown(record);
  }

  #shown(record: ServerRecord): ServerRecord {
    return this.#parts.checks.shown(this.#parts.trial.shown(record));
  }

  #recordOf({ server, keyHash }: Key): ServerRecord | undefined {
    const record = this.#record(server);
    return record?.keyHash === keyHash ? record : undefined;
  }
}
