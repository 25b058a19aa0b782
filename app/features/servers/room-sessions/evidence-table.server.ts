import { dayMs, dayNumberOf } from "~/ui/dates";
import { peersOfCall } from "./call-evidence.server";
import { type Evidence, evidenceOf, mergedEvidence } from "./evidence";
import { daysOf, networksOf, shownDays } from "./evidence-days.server";
import { type EvidenceHour, hoursOf } from "./evidence-hours";
import type { CallEvidence } from "./evidence-peers";
import { type EvidenceRow, evidenceIn } from "./evidence-row.server";
import { countsOf, type EvidenceDay, type NetworkSum, surplusName } from "./evidence-sums";
import { type FilePart, filePartSize } from "./file-part";
import { namePrefixes } from "./name-prefixes";
import type { SessionEvent } from "./session-event";
import { withoutPrefix } from "./sid";

// What apps said of calls, beside the sessions in a server's History. `record` is what the other columns do not have.
export const evidenceTables = `
  create table if not exists evidence (
    id integer primary key, participant text not null, session text not null, identity text not null,
    network text not null, first integer not null, record text not null
  );
  drop index if exists evidence_by_participant;
  create unique index if not exists evidence_by_person on evidence (participant, identity) where participant <> '';
  create index if not exists evidence_by_identity on evidence (identity);
  create index if not exists evidence_by_network on evidence (network);
  create index if not exists evidence_by_session on evidence (session) where session <> '';
  create index if not exists evidence_by_time on evidence (first);
  create table if not exists evidence_days (
    day integer, name text, count integer not null, primary key (day, name)
  ) without rowid;`;

/** By how much the counts of a report's days change: written once, since each row that is written costs. */
export type EvidenceCounts = Map<number, Map<string, number>>;

/**
 * Adds what an app said, if the line is one of ours. The caller takes no line twice, and saves the counts. Who it is the
 * machine knows by a token; the sid is the app's word, and each client knows the sids of the others. So one that
 * LiveKit gave to somebody else is passed over, and no two people have one row.
 */
export function takeEvidence(sql: SqlStorage, event: SessionEvent, counts: EvidenceCounts): void {
  const said = evidenceOf(event);
  if (!said || isOfAnother(sql, said)) return;
  const former = said.participant ? rowOf(sql, said) : undefined;
  const evidence = former ? mergedEvidence(former.evidence, said) : said;
  const { participant, session, identity, network, firstAt, ...record } = evidence;
  sql.exec(
    `insert into evidence (id, participant, session, identity, network, first, record)
     values (?, ?, ?, ?, ?, ?, ?)
     on conflict (id) do update set session = excluded.session, network = excluded.network,
       first = excluded.first, record = excluded.record`,
    ...[former?.id ?? null, participant, session, identity, network, firstAt],
    JSON.stringify(record),
  );
  if (former) add(counts, former.evidence, -1);
  add(counts, evidence, 1);
}

function rowOf(sql: SqlStorage, { participant, identity }: Evidence) {
  const [row] = sql
    .exec<EvidenceRow>(
      "select * from evidence where participant = ? and identity = ? and participant <> ''",
      ...[participant, identity],
    )
    .toArray();
  return row && { id: row.id, evidence: evidenceIn(row) };
}

/** Whether LiveKit said that this participant is somebody else. A hash says nothing of a name, where Send names began meanwhile. */
function isOfAnother(sql: SqlStorage, { session, participant, identity }: Evidence): boolean {
  if (!participant || !session) return false;
  const [row] = sql
    .exec<{ identity: string }>(
      `select participants.identity from participants join sessions on sessions.id = participants.session
       where sessions.sid = ? and participants.sid = ?`,
      ...[withoutPrefix(session), withoutPrefix(participant)],
    )
    .toArray();
  if (!row || row.identity.startsWith("=") !== identity.startsWith("=")) return false;
  return row.identity !== identity;
}

function add(counts: EvidenceCounts, evidence: Evidence, by: 1 | -1): void {
  const day = dayNumberOf(evidence.firstAt);
  const ofDay = counts.get(day) ?? new Map<string, number>();
  for (const name of countsOf(evidence)) ofDay.set(name, (ofDay.get(name) ?? 0) + by);
  counts.set(day, ofDay);
}

/** Requests of apps that the machine did not take. */
export function countSurplus(counts: EvidenceCounts, at: number, surplus: number): void {
  if (surplus === 0) return;
  const day = dayNumberOf(at);
  const ofDay = counts.get(day) ?? new Map<string, number>();
  counts.set(day, ofDay.set(surplusName, (ofDay.get(surplusName) ?? 0) + surplus));
}

export function saveEvidenceCounts(sql: SqlStorage, counts: EvidenceCounts): void {
  for (const [day, ofDay] of counts) {
    for (const [name, change] of ofDay) {
      if (change === 0) continue;
      sql.exec(
        `insert into evidence_days (day, name, count) values (?, ?, ?)
         on conflict do update set count = count + excluded.count`,
        ...[day, name, change],
      );
    }
  }
}

export function removeOldEvidence(sql: SqlStorage, from: number): void {
  sql.exec("delete from evidence where first < ?", from);
  sql.exec("delete from evidence_days where day < ?", dayNumberOf(from));
}

/** Whose: of an identity or a network whose hash, or whose name, begins so, at about a time if that is known; or of a session. */
export type EvidenceQuery = { name?: string; session?: string; at?: number };
/** `id`: which row it is. */
export type StoredEvidence = Evidence & { id: number };
export type EvidencePage = {
  /** The newest; `moreCalls` are as old or older. `peers`: how others fared then, where somebody was asked for. */
  calls: (StoredEvidence & { peers?: Pick<CallEvidence, "there" | "elsewhere"> })[];
  moreCalls: number;
  /** Whether any call came with an address. Behind a proxy on the server all have its own. */
  hasNetworks: boolean;
  days: EvidenceDay[];
  /** The worst first; those of `calls` are among them. */
  networks: NetworkSum[];
  /** Of the last 30 days with calls, all or those of the query. A servers Worker of before does not say them. */
  hours?: EvidenceHour[];
};

/** Who was asked for at about a time is looked for from so long before to so long after it. */
const aboutMs = 2 * 60 * 60_000;
const shownCalls = 50;
/** Of so many of the newest calls an hour's figures are made: a busy server's last days. Their rows have 1 MB. */
const maxCallsOfHours = 4_000;

export const noEvidence: EvidencePage = {
  ...{ calls: [], moreCalls: 0, hasNetworks: false, days: [], networks: [] },
};

export function evidencePage(sql: SqlStorage, query: EvidenceQuery): EvidencePage {
  const { name, session, at } = query;
  const [where, values] = session ? ["session = ?", [session]] : whereNamed(name, at);
  const found = rows(sql, where, values, shownCalls);
  const calls = session
    ? found
    : found.map((call) => ({ ...call, peers: peersOfCall(sql, call, call) }));
  return {
    calls,
    moreCalls: calls.length < shownCalls ? 0 : countOf(sql, where, values) - calls.length,
    hasNetworks: countOf(sql, "id = (select id from evidence where network > '' limit 1)", []) > 0,
    days: daysOf(sql),
    networks: networksOf(
      sql,
      calls.map(({ network }) => network),
    ),
    ...(session ? {} : { hours: hoursNamed(sql, name) }),
  };
}

type Values = readonly (string | number)[];

function whereNamed(name: string | undefined, at?: number): [string, Values] {
  const ranges = namePrefixes(name).flatMap((prefix) =>
    ["identity", "network"].map((column) => ({ column, prefix })),
  );
  if (ranges.length === 0) return ["false", []];
  const [from, until] =
    at === undefined ? [0, Number.MAX_SAFE_INTEGER] : [at - aboutMs, at + aboutMs];
  return [
    `(${ranges.map(({ column }) => `(${column} >= ? and ${column} < ?)`).join(" or ")}) and first between ? and ?`,
    [...ranges.flatMap(({ prefix }) => [prefix, `${prefix}\uffff`]), from, until],
  ];
}

function countOf(sql: SqlStorage, where: string, values: Values): number {
  const [row] = sql
    .exec<{ count: number }>(`select count(*) as count from evidence where ${where}`, ...values)
    .toArray();
  return row?.count ?? 0;
}

/** The hours of the newest 30 days; of a person or a network beside those of everybody in other networks. */
function hoursNamed(sql: SqlStorage, name: string | undefined): EvidenceHour[] {
  const recent = `first > (select max(first) from evidence) - ${shownDays * dayMs}`;
  const all = rows(sql, recent, [], maxCallsOfHours);
  if (!name) return hoursOf(all);
  const [where, values] = whereNamed(name);
  const named = rows(sql, `(${where}) and ${recent}`, values, maxCallsOfHours);
  const networks = new Set(["", ...named.map(({ network }) => network)]);
  return hoursOf(
    named,
    all.filter(({ network }) => !networks.has(network)),
  );
}

function rows(sql: SqlStorage, where: string, values: Values, most: number): StoredEvidence[] {
  return sql
    .exec<EvidenceRow>(
      `select * from evidence where ${where} order by first desc, id desc limit ${most}`,
      ...values,
    )
    .toArray()
    .map((row) => ({ ...evidenceIn(row), id: row.id }));
}

/** The next part of the file of all calls, in the order in which they were first heard of. */
export function evidenceFilePart(
  sql: SqlStorage,
  after: number | undefined,
): FilePart<Evidence, number> {
  const found = sql
    .exec<EvidenceRow>(
      "select * from evidence where id > ? order by id limit ?",
      ...[after ?? 0, filePartSize],
    )
    .toArray();
  const last = found.length === filePartSize ? found.at(-1) : undefined;
  return { rows: found.map(evidenceIn), ...(last ? { next: last.id } : {}) };
}
