import { DurableObject } from "cloudflare:workers";
import { saveAgentSessions } from "~/features/servers/agent-sessions/agent-sessions.server";
import {
  type AgentUsage,
  agentUsageIn,
  type DayRange,
} from "~/features/servers/agent-sessions/agent-usage.server";
import type { SeenCall } from "~/features/servers/explanation/explained-call";
import type { Batches } from "~/features/servers/ingest/report";
import { evidenceOfCall } from "~/features/servers/room-sessions/call-evidence.server";
import type { Evidence } from "~/features/servers/room-sessions/evidence";
import {
  type EvidencePage,
  type EvidenceQuery,
  evidenceFilePart,
  evidencePage,
  noEvidence,
} from "~/features/servers/room-sessions/evidence-table.server";
import type { FilePart } from "~/features/servers/room-sessions/file-part";
import {
  endByRestart,
  endSilent,
  removeOld,
  takeEvents,
  takeEvidenceBatch,
} from "~/features/servers/room-sessions/history.server";
import {
  type FileCursor,
  type FileRow,
  filePart,
  type SessionList,
  type SessionPage,
  type SessionQuery,
  sessionList,
  sessionPage,
} from "~/features/servers/room-sessions/history-pages.server";
import { tables } from "~/features/servers/room-sessions/history-tables.server";
import type { Restart } from "~/features/servers/state/server-record";

const dayMs = 86_400_000;

/** What a report says of sessions. */
type Taken = { [Name in keyof Batches]: Batches[Name] | undefined } & {
  /** The oldest first. */
  restarts?: readonly Restart[];
};

/**
 * The sessions in the rooms of one server. It has no tables before the first events come, so that reading creates
 * nothing, and forgets everything when none came for as long as sessions are kept.
 */
export class History extends DurableObject<ServersEnv> {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  #hasTables: boolean;

  /** `now` is for tests, which move the time. */
  constructor(ctx: DurableObjectState, env: ServersEnv, now: () => number = Date.now) {
    super(ctx, env);
    this.#now = now;
    this.#sql = ctx.storage.sql;
    const found = this.#sql.exec("select 1 from sqlite_master where name = 'sessions'");
    this.#hasTables = found.toArray().length > 0;
    if (this.#hasTables) this.#sql.exec(tables);
  }

  /**
   * Whatever was taken before changes nothing. Answers when the newest restart that it has taken began, or 0: one that is
   * later than the events so far waits for the others.
   */
  async take({ events, evidence, agents, restarts = [] }: Taken): Promise<number> {
    const newest = restarts.at(-1)?.startedAt ?? 0;
    if (!this.#hasTables && !events && !evidence && !agents) return newest;
    const through = this.ctx.storage.transactionSync(() => {
      if (!this.#hasTables) this.#sql.exec(tables);
      const later = events ? takeEvents(this.#sql, events, this.#now(), restarts) : restarts;
      if (evidence) takeEvidenceBatch(this.#sql, evidence, this.#now());
      if (agents) saveAgentSessions(this.#sql, agents.sessions, this.#now());
      if (events?.isFull) return restarts[restarts.length - later.length - 1]?.startedAt ?? 0;
      for (const each of later) endByRestart(this.#sql, each);
      return newest;
    });
    if (this.#hasTables) return through;
    this.#hasTables = true;
    await this.ctx.storage.setAlarm(this.#now() + dayMs);
    return through;
  }

  sessions(query: SessionQuery): SessionList {
    return this.#hasTables ? sessionList(this.#sql, query) : { sessions: [], days: [] };
  }

  session(sid: string): SessionPage | undefined {
    return this.#hasTables ? sessionPage(this.#sql, sid) : undefined;
  }

  agentUsage(days: DayRange): AgentUsage {
    return this.#hasTables ? agentUsageIn(this.#sql, days) : [];
  }

  /** One participant's call, with what apps said of it and of others at that time. */
  call(sid: string, who: string): SeenCall | undefined {
    const page = this.session(sid);
    const participant = page?.participants.find((each) => each.sid === who);
    if (!page || !participant) return;
    const { identity, joinedAt, leftAt = this.#now() } = participant;
    const call = { sid: who, identity, roomName: page.session.name, joinedAt, until: leftAt };
    return { page, participant, evidence: evidenceOfCall(this.#sql, call) };
  }

  evidence(query: EvidenceQuery): EvidencePage {
    return this.#hasTables ? evidencePage(this.#sql, query) : noEvidence;
  }

  filePart(after: FileCursor | undefined): FilePart<FileRow, FileCursor> {
    return this.#hasTables ? filePart(this.#sql, after) : { rows: [] };
  }

  evidenceFilePart(after: number | undefined): FilePart<Evidence, number> {
    return this.#hasTables ? evidenceFilePart(this.#sql, after) : { rows: [] };
  }

  /** Removes everything. It may be repeated. */
  async forget(): Promise<void> {
    if (!this.#hasTables) return;
    this.#hasTables = false;
    await this.ctx.storage.deleteAll();
  }

  /** Each day; the next one is set first, so that no failure loses it. */
  override async alarm(): Promise<void> {
    if (!this.#hasTables) return;
    const now = this.#now();
    await this.ctx.storage.setAlarm(now + dayMs);
    endSilent(this.#sql, now);
    if (!removeOld(this.#sql, now)) await this.forget();
  }
}
