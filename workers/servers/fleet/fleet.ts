import { DurableObject } from "cloudflare:workers";
import type { Range } from "~/features/servers/fleet/figures/series";
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
import { factsIn, keepFacts } from "./facts";
import { keepSample, nextNumber, packDays, seriesOf } from "./figures";
import { FleetChannels, type Turn, type WantedTarget } from "./fleet-channels";
import { removeOldIncidents } from "./incidents-table";
import { recordIn, recordsIn } from "./server-table";
import { type Closed, Sockets } from "./sockets";
import { tables } from "./tables";
import { Watch } from "./watch";

/** How many servers a workspace has where its plan is not known. */
const mostServers = 500;
const dayMs = 86_400_000;

type TokenRow = {
  deployment: string;
  version: number;
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
  | { outcome: "too-often"; waitMs: number };

/**
 * What one workspace's servers are like now: one object for a workspace, by its id. It has no tables before the first
 * token is made, so that reading creates nothing.
 */
export class Fleet extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #watch: Watch;
  readonly #sockets: Sockets;
  #hasTables: boolean;
  readonly #channels: FleetChannels;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.#now = now;
    this.#sql = ctx.storage.sql;
    this.#sockets = new Sockets(ctx, now, () => this.#hasTables);
    this.#watch = new Watch(this.#sql, now, (server, isChanged) => {
      this.#sockets.nudge(server, isChanged);
    });
    const found = this.#sql.exec("select 1 from sqlite_master where name = 'servers'");
    this.#hasTables = found.toArray().length > 0;
    if (this.#hasTables) this.#sql.exec(tables);
    this.#channels = new FleetChannels(this.#sql, env, now, () => this.#hasTables);
  }

  /** Whoever makes the workspace's first token is told by mail from then on; the id of that channel, then alone. */
  async makeToken(
    hash: string,
    token: { deployment: string; version: number; uses: number; ends: number },
    facts?: WorkspaceFacts,
    maker?: { person: string; address: string },
  ): Promise<string | undefined> {
    this.#sql.exec(tables);
    this.#hasTables = true;
    if (facts) keepFacts(this.#sql, facts);
    const { deployment, version, uses, ends } = token;
    this.#sql.exec(
      "insert into tokens values (?, ?, ?, ?, 0, ?, 0)",
      ...[hash, deployment, version, uses, ends],
    );
    await this.#setLostAlarm();
    const added = maker && this.#channels.addFirst({ kind: "mail", ...maker });
    return added && "channel" in added ? added.channel.id : undefined;
  }

  /**
   * What the site tells once an hour: it sets an alarm that was lost, and ends what belongs to deployments that were
   * deleted. Answers every server.
   */
  async wake(facts: WorkspaceFacts, deletedDeployments: readonly string[]): Promise<KnownServer[]> {
    if (!this.#hasTables) return [];
    keepFacts(this.#sql, facts);
    await this.#setLostAlarm();
    for (const deployment of deletedDeployments) this.endDeployment(deployment);
    return this.#records().map(({ id, deployment, name, enrolledAt, retiredAt }) => ({
      ...{ id, deployment, name, enrolledAt },
      ...(retiredAt === undefined ? {} : { retiredAt }),
    }));
  }

  async #setLostAlarm(): Promise<void> {
    if ((await this.ctx.storage.getAlarm()) !== null) return;
    await this.ctx.storage.setAlarm(this.#now() + dayMs);
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
  report(key: Key, report: Report): ReportAnswer {
    const record = this.#recordOf(key);
    if (!record) return { outcome: "unknown-key" };
    const taken = this.#watch.report(record, report);
    if ("sample" in taken && taken.sample) keepSample(this.#sql, record.id, taken.sample);
    return taken.outcome === "too-often"
      ? { outcome: "too-often", waitMs: taken.waitMs }
      : { outcome: taken.outcome };
  }

  disconnect(key: Key): { ended: true } | { refused: "unknown-key" | "key-revoked" } {
    const record = this.#recordOf(key);
    if (!record) return { refused: "unknown-key" };
    if (record.retiredAt !== undefined) return { refused: "key-revoked" };
    this.retire(record.id);
    return { ended: true };
  }

  overview(): FleetOverview {
    const readAt = this.#now();
    const servers = this.#records()
      .sort((one, other) => other.enrolledAt - one.enrolledAt)
      .map((record) => this.#view(record, readAt));
    return { readAt, servers };
  }

  server(id: string, range: Range = "48h"): ServerPage | undefined {
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
    };
  }

  /** Ends a server's key. One that is not there, or that has ended, stays as it is. */
  retire(id: string): void {
    const record = this.#record(id);
    if (!record || record.retiredAt !== undefined) return;
    this.#watch.look({ ...record, retiredAt: this.#now() });
    this.#sockets.nudge(id, true);
  }

  answerRequest(id: string, isAllowed: boolean): void {
    const record = this.#record(id);
    if (!record) return;
    this.#watch.look(answerRequest(record, isAllowed, this.#now()));
    this.#sockets.nudge(id, true);
  }

  /** Open incidents and those of the last 90 days, the newest first; `server`: of this one alone. */
  incidents(server?: string): Incident[] {
    return this.#hasTables ? this.#watch.list(server) : [];
  }

  /** A member sees to an incident. Whether there is such an open one. */
  acknowledge(incident: string, person: string): boolean {
    return this.#hasTables && this.#watch.acknowledge(incident, person);
  }

  /** Nothing is said of an incident until then. Whether there is such an open one. */
  snooze(incident: string, until: number): boolean {
    return this.#hasTables && this.#watch.snooze(incident, until);
  }

  /** Nothing is said of a server until then; null ends that. Whether there is such a server. */
  setMaintenance(server: string, until: number | null): boolean {
    return this.#hasTables && this.#watch.setMaintenance(server, until);
  }

  /** Ends the keys of a deployment's servers, and its tokens. */
  endDeployment(deployment: string): void {
    if (!this.#hasTables) return;
    this.#sql.exec(
      "update tokens set revoked = 1 where deployment = ? and revoked = 0",
      deployment,
    );
    for (const record of this.#records()) {
      if (record.deployment === deployment) this.retire(record.id);
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

  /** Removes everything. */
  async forget(): Promise<void> {
    this.#sockets.close("all");
    await this.ctx.storage.deleteAll();
    this.#hasTables = false;
    this.#watch.forget();
  }

  /**
   * Once a day: packs the days that have ended, and removes tokens that have ended and incidents that are no longer
   * shown. The next time is set first.
   */
  override async alarm(): Promise<void> {
    if (!this.#hasTables) return;
    const now = this.#now();
    await this.ctx.storage.setAlarm(now + dayMs);
    this.#sql.exec("delete from tokens where ends < ?", now - 30 * dayMs);
    packDays(this.#sql, now);
    removeOldIncidents(this.#sql, now);
  }

  #view(record: ServerRecord, now: number): ServerView {
    return viewOf(record, now, { incident: this.#watch.summary(record.id) });
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
