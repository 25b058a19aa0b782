import { DurableObject } from "cloudflare:workers";
import type { Member } from "~/features/servers/channels/channel";
import type { ChannelView, Turn, WantedTarget } from "~/features/servers/channels/channel-view";
import type { Range } from "~/features/servers/fleet/figures/series";
import { repaused } from "~/features/servers/fleet/pauses";
import type { Report } from "~/features/servers/fleet/report";
import type { ServerRecord } from "~/features/servers/fleet/server-record";
import type {
  FleetOverview,
  KnownServer,
  ServerPage,
  ServerView,
} from "~/features/servers/fleet/server-view";
import { viewOf } from "~/features/servers/fleet/state";
import { answerRequest } from "~/features/servers/fleet/take-report";
import type { WorkspaceFacts } from "~/features/servers/fleet/workspace-facts";
import type { Incident } from "~/features/servers/incidents/incident";
import { readTicket } from "../live/tickets";
import type { Key } from "../machines/credentials";
import type { Enrolment } from "../machines/enrolment";
import { keySecrets } from "../machines/key-secrets";
import { Alarms, lookEveryMs } from "./alarms";
import { Deliveries } from "./deliveries";
import { incidentDue, lookDue } from "./due";
import { factsIn, isUnwoken, keepFacts, noteWoken } from "./facts";
import { keepSample, nextNumber, packDays, seriesOf } from "./figures";
import { FleetChannels } from "./fleet-channels";
import { removeHistory } from "./history-end";
import { removeOldIncidents } from "./incidents-table";
import { OurOutage } from "./our-outage";
import { recordIn, recordsIn } from "./server-table";
import { keepSetting, settingIn } from "./settings-table";
import { type Closed, Sockets } from "./sockets";
import { prepareTables } from "./tables";
import { Watch } from "./watch";

/** How many servers a workspace has where its plan is not known. */
const mostServers = 500;
const dayMs = 86_400_000;
/** So soon after a server returned the judge of our own outages is told. */
const returnToldMs = 20_000;

type TokenRow = {
  deployment: string;
  version: number;
  domain: string | null;
  uses: number;
  used: number;
  ends: number;
  revoked: number;
};

export type EnrolRefusal =
  | "unknown-token"
  | "token-ended"
  | "token-used"
  | "token-revoked"
  | "plan-limit";
export type ReportAnswer =
  | { outcome: "taken" | "unknown-key" | "key-revoked" | "another-machine" }
  | { outcome: "too-often" | "paused"; waitMs: number };

/**
 * What one workspace's servers are like now: one object for a workspace, by its id. It has no tables before the first
 * token is made, so that reading creates nothing.
 */
export class Fleet extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #outage: OurOutage;
  readonly #watch: Watch;
  readonly #sockets: Sockets;
  readonly #alarms: Alarms;
  #hasTables: boolean;
  readonly #channels: FleetChannels;
  readonly #deliveries: Deliveries;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.#now = now;
    this.#sql = ctx.storage.sql;
    this.#sockets = new Sockets(ctx, now, () => this.#hasTables);
    this.#outage = new OurOutage(this.#sql, env, ctx.id.toString());
    this.#watch = new Watch(this.#sql, env, now, {
      outage: this.#outage,
      tell: (incident, told) => this.#deliveries.add(incident, told),
      nudge: (server, isChanged) => this.#sockets.nudge(server, isChanged),
    });
    this.#alarms = new Alarms(ctx.storage, now, () => this.#due());
    const found = this.#sql.exec("select 1 from sqlite_master where name = 'servers'");
    this.#hasTables = found.toArray().length > 0;
    if (this.#hasTables) prepareTables(this.#sql);
    this.#channels = new FleetChannels(this.#sql, env, now, () => this.#hasTables);
    const parts = { channels: this.#channels, watch: this.#watch };
    this.#deliveries = new Deliveries(this.#sql, env, now, parts);
  }

  /** Whoever makes the workspace's first token is told by mail from then on; the id of that channel, then alone. */
  async makeToken(
    hash: string,
    token: { deployment: string; version: number; domain?: string; uses: number; ends: number },
    facts?: WorkspaceFacts,
    maker?: { person: string; address: string },
  ): Promise<string | undefined> {
    prepareTables(this.#sql);
    this.#hasTables = true;
    if (facts) this.#tell(facts);
    const { deployment, version, domain, uses, ends } = token;
    this.#sql.exec(
      `insert into tokens (hash, deployment, version, domain, uses, used, ends, revoked)
       values (?, ?, ?, ?, ?, 0, ?, 0)`,
      ...[hash, deployment, version, domain ?? null, uses, ends],
    );
    const added = maker && this.#channels.addFirst({ kind: "mail", ...maker });
    await this.#alarms.arm();
    return added && "channel" in added ? added.channel.id : undefined;
  }

  /**
   * What the site tells once an hour: it sets an alarm that was lost, and ends what belongs to deployments that were
   * deleted. Answers every server.
   */
  async wake(
    facts: WorkspaceFacts,
    deletedDeployments: readonly string[],
    members?: readonly Member[],
  ): Promise<KnownServer[]> {
    if (!this.#hasTables) return [];
    noteWoken(this.#sql, this.#now());
    this.#tell(facts);
    if (members) this.#channels.keepToMembers(members);
    await this.#alarms.heal();
    await this.#alarms.arm();
    for (const deployment of deletedDeployments) await this.endDeployment(deployment);
    return this.#records().map(({ id, deployment, name, enrolledAt, retiredAt }) => ({
      ...{ id, deployment, name, enrolledAt },
      ...(retiredAt === undefined ? {} : { retiredAt }),
    }));
  }

  /** The team picked this server to stay. Whether it is there, paused for want of room in the plan. */
  async keepServer(id: string): Promise<boolean> {
    const record = this.#record(id);
    if (record?.retiredAt !== undefined || record?.paused?.why !== "plan-limit") return false;
    this.#repause(id);
    await this.#alarms.arm();
    return true;
  }

  #tell(facts: WorkspaceFacts): void {
    const former = factsIn(this.#sql);
    keepFacts(this.#sql, facts);
    this.#repause();
    if (facts.isHistoryOver && !former?.isHistoryOver) {
      removeHistory(this.#sql);
      this.#watch.forget();
    }
  }

  /** Lets as many servers report as the plan has; `picked` is one of them. */
  #repause(picked?: string): void {
    const facts = factsIn(this.#sql);
    if (!facts) return;
    const now = this.#now();
    for (const record of repaused(this.#records(), facts, now, picked)) {
      this.#watch.look(record);
      this.#sockets.nudge(record.id, true);
    }
  }

  channels() {
    return this.#channels.views();
  }

  addChannel(wanted: WantedTarget, turn: Turn) {
    return this.#channels.add(wanted, turn);
  }

  changeTurn(channel: string, turn: Turn): boolean {
    return this.#channels.changeTurn(channel, turn);
  }

  testChannel(channel: string) {
    return this.#channels.test(channel);
  }

  removeChannel(channel: string): void {
    this.#channels.remove(channel);
  }

  removePerson(person: string): void {
    this.#channels.removePerson(person);
  }

  /** The same token with the same key is the same server again, also when the token's uses are up or it has ended. */
  enrol(tokenHash: string, enrolment: Enrolment): { server: string } | { refused: EnrolRefusal } {
    if (!this.#hasTables) return { refused: "unknown-token" };
    const { keyHash, boot: _, ...machine } = enrolment;
    const [again] = this.#sql
      .exec<{ id: string }>(
        "select id from servers where token_hash = ? and key_hash = ?",
        ...[tokenHash, keyHash],
      )
      .toArray();
    if (again) return { server: again.id };
    const [token] = this.#sql
      .exec<TokenRow>("select * from tokens where hash = ?", tokenHash)
      .toArray();
    if (!token) return { refused: "unknown-token" };
    const now = this.#now();
    if (token.revoked) return { refused: "token-revoked" };
    if (token.ends <= now) return { refused: "token-ended" };
    if (token.used >= token.uses) return { refused: "token-used" };
    const present = this.#records().filter(({ retiredAt }) => retiredAt === undefined);
    const allowed = factsIn(this.#sql)?.servers ?? mostServers;
    if (present.length >= allowed) return { refused: "plan-limit" };
    const id = crypto.randomUUID();
    const record: ServerRecord = {
      ...machine,
      id,
      keyHash,
      deployment: token.deployment,
      ...(token.domain === null ? {} : { domain: token.domain }),
      enrolledAt: now,
      refused: [],
      boots: [],
      bucket: { left: 10, at: now },
      changes: [],
    };
    this.#sql.exec("update tokens set used = used + 1 where hash = ?", tokenHash);
    this.#sql.exec(
      "insert into servers values (?, ?, ?, ?, ?)",
      ...[id, nextNumber(this.#sql), tokenHash, keyHash, JSON.stringify(record)],
    );
    this.#sockets.nudge(id, true);
    return { server: id };
  }

  /** Two rows are written, the server's and that of its quarter of an hour, and one more where its incident changes. */
  async report(key: Key, report: Report): Promise<ReportAnswer> {
    const record = this.#recordOf(key);
    if (!record) return { outcome: "unknown-key" };
    const incident = this.#watch.living.get(record.id);
    const taken = this.#watch.report(record, report);
    if ("sample" in taken && taken.sample) keepSample(this.#sql, record.id, taken.sample);
    await this.#alarms.notLaterThan(this.#dueAfterReport(record, incident));
    return "waitMs" in taken
      ? { outcome: taken.outcome, waitMs: taken.waitMs }
      : { outcome: taken.outcome };
  }

  async disconnect(
    key: Key,
  ): Promise<{ ended: true } | { refused: "unknown-key" | "key-revoked" }> {
    const record = this.#recordOf(key);
    if (!record) return { refused: "unknown-key" };
    if (record.retiredAt !== undefined) return { refused: "key-revoked" };
    await this.retire(record.id);
    return { ended: true };
  }

  overview(): FleetOverview & { channels: ChannelView[] | undefined } {
    const readAt = this.#now();
    const servers = this.#records()
      .sort((one, other) => other.enrolledAt - one.enrolledAt)
      .map((record) => this.#view(record, readAt));
    return { readAt, servers, channels: this.#channels.views() };
  }

  server(id: string, range: Range = "48h"): (ServerPage & { incidents: Incident[] }) | undefined {
    const record = this.#record(id);
    if (!record) return;
    const now = this.#now();
    const { cpus, memory, disk } = record.report ?? {};
    return {
      ...this.#view(record, now),
      readAt: now,
      changes: record.changes,
      series: seriesOf(this.#sql, id, range, now),
      capacity: { cpus, memory: memory?.total, disk: disk?.total },
      incidents: this.#watch.list(id),
    };
  }

  /** Ends a server's key. One that is not there, or that has ended, stays as it is. */
  async retire(id: string): Promise<void> {
    const record = this.#record(id);
    if (!record || record.retiredAt !== undefined) return;
    this.#watch.look({ ...record, retiredAt: this.#now() });
    this.#sockets.nudge(id, true);
    this.#repause();
    await this.#alarms.arm();
  }

  /** Answers the machine that asked at `askedAt` for a server's place. Whether it is the one that asks now. */
  async answerRequest(id: string, isAllowed: boolean, askedAt: number): Promise<boolean> {
    const record = this.#record(id);
    const answered = record && answerRequest(record, { isAllowed, askedAt }, this.#now());
    if (!answered) return false;
    this.#watch.look(answered);
    this.#sockets.nudge(id, true);
    await this.#alarms.arm();
    return true;
  }

  /** Open incidents and those of the last 90 days, the newest first; `server`: of this one alone. */
  incidents(server?: string): Incident[] {
    return this.#hasTables ? this.#watch.list(server) : [];
  }

  /** A member sees to an incident. Whether there is such an open one. */
  async acknowledge(incident: string, person: string): Promise<boolean> {
    return this.#changed(() => this.#watch.acknowledge(incident, person));
  }

  /** Nothing is said of an incident until then. Whether there is such an open one. */
  async snooze(incident: string, until: number): Promise<boolean> {
    return this.#changed(() => this.#watch.snooze(incident, until));
  }

  /** Nothing is said of a server until then; null ends that. Whether there is such a server. */
  async setMaintenance(server: string, until: number | null): Promise<boolean> {
    return this.#changed(() => this.#watch.setMaintenance(server, until));
  }

  async #changed(change: () => boolean): Promise<boolean> {
    if (!this.#hasTables || !change()) return false;
    await this.#alarms.arm();
    return true;
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  async endDeployment(deployment: string): Promise<void> {
    if (!this.#hasTables) return;
    this.#sql.exec(
      "update tokens set revoked = 1 where deployment = ? and revoked = 0",
      deployment,
    );
    for (const record of this.#records()) {
      if (record.deployment === deployment) await this.retire(record.id);
    }
  }

  /** Opens the socket of a page whose ticket the Worker has read. */
  override fetch(request: Request): Response {
    return this.#sockets.accept(request);
  }

  override async webSocketMessage(socket: WebSocket, message: string | ArrayBuffer): Promise<void> {
    const [, ticket] =
      typeof message === "string" ? (/^renew (\S{1,300})$/.exec(message) ?? []) : [];
    if (ticket === undefined) return this.#sockets.refuse(socket);
    this.#sockets.renew(socket, await readTicket(keySecrets(this.env), ticket));
  }

  override webSocketClose(socket: WebSocket): void {
    this.#sockets.left(socket);
  }

  /** Closes the sockets of a session, of a person or of everybody, for whom nothing here is to be seen any more. */
  closeSockets(which: Closed): void {
    this.#sockets.close(which);
  }

  /** Removes everything. It may be repeated. */
  async forget(): Promise<void> {
    if (!this.#hasTables) return;
    this.#sockets.close("all");
    await this.#outage.tell([], this.#now());
    await this.ctx.storage.deleteAll();
    this.#hasTables = false;
    for (const part of [this.#outage, this.#watch, this.#alarms]) part.forget();
  }

  override async alarm(): Promise<void> {
    if (!this.#hasTables) return;
    await this.#alarms.run({
      servers: () => this.#watch.lookAtAll(),
      "daily messages": () => this.#deliveries.addDaily(),
      messages: () => this.#deliveries.sendDue(),
      housekeeping: () => this.#keepHouse(),
    });
  }

  /** Once a day: removes tokens that have ended, and samples and incidents that are no longer shown. */
  #keepHouse(): void {
    const now = this.#now();
    if (now < this.#houseDue()) return;
    this.#sql.exec("delete from tokens where ends < ?", now - 30 * dayMs);
    packDays(this.#sql, now);
    if (isUnwoken(this.#sql, now)) {
      const workspace = this.ctx.id.name ?? this.ctx.id.toString();
      const message = "The site has not contacted this workspace's servers for eight days";
      console.error(JSON.stringify({ level: "error", message, workspace }));
    }
    removeOldIncidents(this.#sql, now);
    keepSetting(this.#sql, "kept-house", now);
  }

  #houseDue(): number {
    const kept = settingIn<number>(this.#sql, "kept-house");
    return kept === undefined ? this.#now() : kept + dayMs;
  }

  #due(): number {
    const looks = lookDue(this.#records(), this.#watch.living, this.#outage.last, this.#now());
    return Math.min(looks, this.#deliveries.due(), this.#houseDue());
  }

  /** Of a report alone, so that most of them set no alarm. */
  #dueAfterReport(former: ServerRecord, formerIncident: Incident | undefined): number {
    const now = this.#now();
    const returned = former.silence ? now + returnToldMs : now + lookEveryMs;
    const incident = this.#watch.living.get(former.id);
    const sends = incident === formerIncident ? returned : this.#deliveries.due();
    return Math.min(returned, sends, incidentDue(incident, former, now));
  }

  #view(record: ServerRecord, now: number): ServerView {
    const incident = this.#watch.summary(record.id);
    return viewOf(record, now, { incident, outage: this.#outage.last });
  }

  #records(): ServerRecord[] {
    return this.#hasTables ? recordsIn(this.#sql) : [];
  }

  #record(id: string): ServerRecord | undefined {
    return this.#hasTables ? recordIn(this.#sql, id) : undefined;
  }

  #recordOf({ server, keyHash }: Key): ServerRecord | undefined {
    const record = this.#record(server);
    return record?.keyHash === keyHash ? record : undefined;
  }
}
