import { OutsideChecks } from "~/features/servers/checks/outside-checks.server";
import { checkDue, reportDue } from "~/features/servers/incidents/due.server";
import type { Incident } from "~/features/servers/incidents/incident";
import { removeOldIncidents } from "~/features/servers/incidents/incident-table.server";
import { Monitor } from "~/features/servers/incidents/monitor.server";
import type { Key } from "~/features/servers/ingest/credentials.server";
import { removeOldTokens } from "~/features/servers/ingest/enrolment.server";
import { Sockets } from "~/features/servers/live/sockets.server";
import { packDays } from "~/features/servers/metrics/metrics-table.server";
import { ApprovalMails } from "~/features/servers/notifications/approval-mails.server";
import { FleetChannels } from "~/features/servers/notifications/channels.server";
import { DailyMessages } from "~/features/servers/notifications/daily.server";
import { LinkedIncidents } from "~/features/servers/notifications/linked-incidents.server";
import { NotificationQueue } from "~/features/servers/notifications/queue.server";
import { zoneIn } from "~/features/servers/notifications/times/alert-times.server";
import { Views } from "~/features/servers/pages/fleet-view.server";
import { Rollouts } from "~/features/servers/rollouts/rollouts.server";
import { IngestOutage } from "~/features/servers/state/ingest-outage.server";
import { removeRetired, ServerChanges } from "~/features/servers/state/lifecycle.server";
import { type ServerRecord, watchedOf } from "~/features/servers/state/server-record";
import { recordIn, recordsIn } from "~/features/servers/state/server-table.server";
import { Suspensions } from "~/features/servers/state/suspension.server";
import { Thresholds } from "~/features/servers/state/thresholds.server";
import { beginUpdates, isNotUpdated } from "~/features/servers/state/workspace-facts.server";
import { Alarms, type Piece } from "~/features/servers/storage/alarms.server";
import { prepareTables, saveSetting, settingIn } from "~/features/servers/storage/tables.server";
import { Trial } from "~/features/servers/trial/trial.server";

const dayMs = 86_400_000;

/** The parts of one fleet, and which of them calls which. */
export class FleetParts {
  readonly outage: IngestOutage;
  readonly monitor: Monitor;
  readonly sockets: Sockets;
  readonly thresholds: Thresholds;
  readonly alarms: Alarms;
  readonly channels: FleetChannels;
  readonly queue: NotificationQueue;
  readonly linked: LinkedIncidents;
  readonly suspensions: Suspensions;
  readonly servers: ServerChanges;
  readonly views: Views;
  readonly trial: Trial;
  readonly checks: OutsideChecks;
  readonly rollouts: Rollouts;
  readonly approvalMails: ApprovalMails;
  readonly #daily: DailyMessages;
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  #hasTables: boolean;

  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number) {
    const { sql } = ctx.storage;
    this.#sql = sql;
    this.#now = now;
    this.sockets = new Sockets(ctx, now, () => this.#hasTables);
    this.outage = new IngestOutage(sql, env, ctx.id.toString());
    this.thresholds = new Thresholds(sql);
    this.monitor = new Monitor(sql, env, now, {
      outage: this.outage,
      thresholds: () => this.thresholds.all,
      enqueue: (incident, notification) => this.queue.add(incident, notification),
      notifyPages: (server, isChanged) => this.sockets.notify(server, isChanged),
    });
    const save = (record: ServerRecord) => {
      this.monitor.check(record);
      this.sockets.notify(record.id, true);
    };
    const forgetIncidents = () => this.monitor.forget();
    this.suspensions = new Suspensions(sql, now, {
      ...{ save, forgetIncidents },
      announce: (paused) => this.queue.addPaused(paused),
    });
    this.servers = new ServerChanges(sql, now, { suspensions: this.suspensions, save });
    this.views = new Views(sql, now, {
      ...{ monitor: this.monitor, outage: this.outage, thresholds: this.thresholds },
    });
    const workspace = ctx.id.name ?? ctx.id.toString();
    this.trial = new Trial(sql, now, {
      monitor: this.monitor,
      hasTables: () => this.#hasTables,
      isWatched: () => ctx.getWebSockets().length > 0,
    });
    this.checks = new OutsideChecks(sql, now, {
      ...{ fleet: workspace, save },
      run: (target) => ctx.exports.Checks.run(target),
    });
    this.rollouts = new Rollouts(sql, now, {
      generator: env.VERSION.id,
      record: (id) => this.record(id),
      records: () => this.records(),
      zone: () => zoneIn(sql),
      announce: (rollout) => this.approvalMails.add(rollout),
      notify: (server) => this.sockets.notify(server, true),
    });
    this.approvalMails = new ApprovalMails(sql, env, now, (id) => this.rollouts.waiting(id));
    this.alarms = new Alarms(ctx.storage, now, {
      trial: { due: () => this.trial.due(), run: () => this.trial.refresh() },
      servers: this.#unlessTrial({
        due: () => this.#checkDue(),
        run: () => this.monitor.checkAll(),
      }),
      "daily messages": this.#unlessTrial({
        due: () => this.#daily.due(),
        run: () => this.#daily.add(),
      }),
      messages: this.#unlessTrial({
        due: () => this.queue.due(),
        run: () => this.queue.sendDue(),
      }),
      "mails to approvers": this.#unlessTrial({
        due: () => this.approvalMails.due(),
        run: () => this.approvalMails.sendDue(),
      }),
      "old rows": this.#unlessTrial({
        due: () => removalDue(sql, now()),
        run: () => {
          removeOld(sql, now(), workspace);
          this.rollouts.removeOld();
        },
      }),
      // The last, because it waits for other people's servers.
      checks: this.#unlessTrial({
        due: () => this.checks.due(),
        run: () => this.checks.runDue(),
      }),
    });
    const found = sql.exec("select 1 from sqlite_master where name = 'servers'");
    this.#hasTables = found.toArray().length > 0;
    if (this.#hasTables) prepareTables(sql);
    this.channels = new FleetChannels(sql, env, now, () => this.#hasTables);
    this.queue = new NotificationQueue(sql, env, now, { monitor: this.monitor, workspace });
    this.linked = new LinkedIncidents(sql, now, this.monitor, this.queue);
    this.#daily = new DailyMessages(sql, now, this.monitor, this.queue);
  }

  /** There are none before the first token is made, so that reading creates nothing. */
  get hasTables(): boolean {
    return this.#hasTables;
  }

  createTables(): void {
    prepareTables(this.#sql);
    this.#hasTables = true;
  }

  /** To be called once the tables were removed: what is held in memory of them goes too. */
  forget(): void {
    this.#hasTables = false;
    const parts = [
      this.outage,
      this.monitor,
      this.thresholds,
      this.alarms,
      this.trial,
      this.checks,
    ];
    for (const part of parts) part.forget();
  }

  /** Makes a change of stored rows, and sets the alarm anew where there was one. Whether there was. */
  async change(make: () => boolean): Promise<boolean> {
    if (!this.#hasTables || !make()) return false;
    await this.alarms.arm();
    return true;
  }

  /** The site has refused it before: nothing of a trial may connect a machine or notify anybody. */
  refuseInTrial(): void {
    if (this.trial.isOn) throw new Error("The fleet is a trial's");
  }

  records(): ServerRecord[] {
    if (!this.#hasTables) return [];
    this.trial.refresh();
    return recordsIn(this.#sql).map((record) => this.#shown(record));
  }

  record(id: string): ServerRecord | undefined {
    if (!this.#hasTables) return;
    this.trial.refresh();
    const record = recordIn(this.#sql, id);
    return record && this.#shown(record);
  }

  recordOf({ server, keyHash }: Key): ServerRecord | undefined {
    const record = this.record(server);
    return record?.keyHash === keyHash ? record : undefined;
  }

  #shown(record: ServerRecord): ServerRecord {
    return this.checks.shown(this.trial.shown(record));
  }

  /** The servers of a trial are not watched: nobody is notified of them, and nothing of them is asked of others. */
  #unlessTrial({ due, run }: Piece): Piece {
    return {
      due: () => (this.trial.isOn ? Number.POSITIVE_INFINITY : due()),
      run: () => (this.trial.isOn ? undefined : run()),
    };
  }

  /** When the alarm must ring because of a report alone: for most reports no sooner than it is set already. */
  dueAfterReport(former: ServerRecord, formerIncident: Incident | undefined): number {
    const incident = this.monitor.living.get(watchedOf(former));
    const due = reportDue(former, incident, this.#now());
    if (incident === formerIncident) return due;
    return Math.min(due, this.queue.due(), this.#daily.due());
  }

  #checkDue(): number {
    const records = this.monitor.withoutFailing(this.monitor.monitored());
    return checkDue(records, this.monitor.living, this.outage.last, this.#now());
  }
}

const removedAt = "removed-old";

/**
 * Once a day: removes expired tokens, disconnected servers, and samples and incidents that are no longer shown. Logs an
 * error where the site has not updated the `workspace` for eight days.
 */
export function removeOld(sql: SqlStorage, now: number, workspace: string): void {
  if (now < removalDue(sql, now)) return;
  removeOldTokens(sql, now);
  packDays(sql, now);
  removeRetired(sql, now);
  beginUpdates(sql, now);
  if (isNotUpdated(sql, now)) {
    const message = "The site has not contacted this workspace's servers for eight days";
    console.error(JSON.stringify({ level: "error", message, workspace }));
  }
  removeOldIncidents(sql, now);
  saveSetting(sql, removedAt, now);
}

/** At once where it was never done. */
function removalDue(sql: SqlStorage, now: number): number {
  const removed = settingIn<number>(sql, removedAt);
  return removed === undefined ? now : removed + dayMs;
}
