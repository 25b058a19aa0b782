import type { ServerRecord } from "~/features/servers/state/server-record";
import { fallsSilent, isHiddenByOutage, type Outage } from "~/features/servers/state/state";
import { lastingSuspension } from "~/features/servers/state/suspension.server";
import { logFailure } from "../log-failure";
import { saveSetting, settingIn } from "../storage/tables.server";
import { factsIn } from "./workspace-facts.server";

const minute = 60_000;
/** Silences count together within this time. */
export const windowMs = 5 * minute;
/** Of all servers but those of the owners that are left out. */
const maxShare = 0.05;
/**
 * Fewer servers, or those of fewer owners, are somebody's own outage, however few there are in all. So are fewer beside
 * the owners that are left out, unless more than half of all others fell.
 */
const minServers = 10;
const minOwners = 5;
/** No owner's servers count as more than these, however many they have. */
const maxPerOwner = 20;
/**
 * So many owners are left out, those of which most servers are silent: whatever any three do at once, with all of their
 * workspaces, the others' silence decides.
 */
const ownersLeftOut = 3;
/**
 * Where half of all servers report, it lasts no longer than this: then it is another's outage, such as a provider's. Nor
 * does it for a fleet that cannot reach the judge.
 */
const maxOutageMs = 30 * minute;

/** How many servers of an owner fell silent at a time. */
export type Fall = { owner: string; at: number; count: number };

/**
 * Of the servers that count, those of the three owners with most silent ones left out: how many were silent when it began
 * is `before`, how many have fallen silent since `fell`.
 */
export type JudgedOutage = Outage & { before: number; fell: number };

/** What each owner's fleets have in all, and the falls of the last five minutes at least. */
export type Silences = {
  owners: ReadonlyMap<string, { servers: number; silent: number }>;
  falls: readonly Fall[];
};

const weightOf = (count: number): number => Math.min(count, maxPerOwner);
const sumOf = (counts: readonly number[]): number => counts.reduce((sum, count) => sum + count, 0);
const descending = (one: number, other: number): number => other - one;

/**
 * Whether so many servers fell silent at once that it is our fault, and whether that is over: when half of those that fell
 * have returned. The same object comes back where nothing changed.
 */
export function judgeOutage(
  former: JudgedOutage | undefined,
  { owners, falls }: Silences,
  now: number,
): JudgedOutage | undefined {
  const all = [...owners.values()];
  const servers = sumOf(all.map((owner) => weightOf(owner.servers)));
  const silent = sumOf(
    all
      .map((owner) => weightOf(owner.silent))
      .toSorted(descending)
      .slice(ownersLeftOut),
  );
  if (former && former.endedAt === undefined) {
    const missing = silent - former.before;
    const fell = Math.max(former.fell, missing);
    const isTooLong = now - former.since >= maxOutageMs && silent * 2 < servers;
    if (missing * 2 <= fell || isTooLong) return { ...former, fell, endedAt: now };
    return fell === former.fell ? former : { ...former, fell };
  }
  const from = Math.max(now - windowMs, former?.endedAt ?? 0);
  const counted = falls.filter(({ at }) => at > from && at <= now);
  const fallen = [...Map.groupBy(counted, ({ owner }) => owner)]
    .map(([owner, same]) => ({
      fell: weightOf(sumOf(same.map(({ count }) => count))),
      servers: weightOf(owners.get(owner)?.servers ?? 0),
    }))
    .toSorted((one, other) => other.fell - one.fell || one.servers - other.servers);
  if (fallen.length < minOwners || sumOf(fallen.map(({ fell }) => fell)) < minServers)
    return former;
  const leftOut = fallen.slice(0, ownersLeftOut);
  const fell = sumOf(fallen.slice(ownersLeftOut).map((owner) => owner.fell));
  const others = servers - sumOf(leftOut.map((owner) => owner.servers));
  if (fell <= others * maxShare || (fell < minServers && fell * 2 <= others)) return former;
  const since = Math.min(...counted.map(({ at }) => at));
  return { since, before: Math.max(0, silent - fell), fell };
}

/** For so long after a server fell silent it may turn out to be our fault: silences count together for five minutes. */
export const judgedWithinMs = 6 * 60_000;

/** Who is silent for longer than this is gone, and says nothing of us any more. */
export const countsForMs = 24 * 60 * 60_000;

/** A server counts so long after it was connected: what was connected for a fall says nothing of us. */
const countsAfterMs = 3 * 24 * 60 * 60_000;

/**
 * The counts of one fleet: how many servers it has that should report and were not silent for days, how many of these are
 * silent, and how many just fell so, each once within the time in which silences count together.
 */
export type SilenceCounts = { servers: number; silent: number; fell: number };

const answersWithinMs = 5_000;

type StoredOutage = {
  told?: Pick<SilenceCounts, "servers" | "silent">;
  outage?: Outage | undefined;
};

/** The ingest outage as one fleet has it from the judge. */
export class IngestOutage {
  readonly #sql: SqlStorage;
  readonly #env: ServersEnv;
  readonly #fleet: string;
  #stored: StoredOutage | undefined;

  constructor(sql: SqlStorage, env: ServersEnv, fleet: string) {
    this.#sql = sql;
    this.#env = env;
    this.#fleet = fleet;
  }

  /** The last one; it lasts where it has no end. */
  get last(): Outage | undefined {
    return this.#read().outage;
  }

  forget(): void {
    this.#stored = undefined;
  }

  /**
   * Reports the counts of this fleet to the judge where they changed or an outage may begin or end. Where the judge cannot be
   * reached, its last answer counts, and an outage that lasts ends after half an hour: notifications are then sent as usual.
   */
  async report(records: readonly ServerRecord[], now: number): Promise<void> {
    const counted = records.filter((record) => counts(record, now, this.last));
    const fallen = counted.filter((record) => fallsSilent(record, now, this.last));
    // One that falls silent again so soon was counted already, unless that was before the end of an outage of ours: the
    // judge counts only what fell since.
    const countedAfter = Math.max(now - windowMs, this.last?.endedAt ?? Number.NEGATIVE_INFINITY);
    const fell = fallen.filter(({ fellAt }) => fellAt === undefined || fellAt <= countedAfter);
    const silent = counted.filter(({ silence }) => silence).length + fallen.length;
    const totals = { servers: counted.length, silent };
    const former = this.#read().told;
    const isSame = former?.servers === totals.servers && former.silent === silent;
    const lasts = this.last !== undefined && this.last.endedAt === undefined;
    const isOpen = records.some(({ silence }) => silence && now - silence.foundAt < judgedWithinMs);
    // One that does not count is hidden by an outage all the same, so its fleet must learn of it.
    const isFalling = records.some((record) => fallsSilent(record, now, this.last));
    if (isSame && !isFalling && !lasts && !isOpen) return;
    try {
      const judge = this.#env.OUTAGES.getByName("all");
      const outage = await withinTime(
        judge.tell(this.#fleet, { ...totals, fell: fell.length }, now, factsIn(this.#sql)?.owner),
      );
      this.#save({ told: totals, outage });
    } catch (error) {
      logFailure("The count of silent servers could not be reached", error);
      this.#endUnjudged(now);
    }
  }

  #endUnjudged(now: number): void {
    const { last } = this;
    if (!last || last.endedAt !== undefined || now - last.since < maxOutageMs) return;
    this.#save({ ...this.#read(), outage: { ...last, endedAt: now } });
  }

  #read(): StoredOutage {
    this.#stored ??= settingIn<StoredOutage>(this.#sql, "our-outage") ?? {};
    return this.#stored;
  }

  #save(stored: StoredOutage): void {
    if (JSON.stringify(stored) === JSON.stringify(this.#read())) return;
    this.#stored = stored;
    saveSetting(this.#sql, "our-outage", stored);
  }
}

/** A judge that does not answer holds up no messages: it counts as one that cannot be reached. */
async function withinTime<Answer>(answer: Promise<Answer>): Promise<Answer> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const tooLate = new Promise<never>((_, reject) => {
    const late = () => reject(new Error(`It did not answer within ${answersWithinMs} ms`));
    timer = setTimeout(late, answersWithinMs);
  });
  try {
    return await Promise.race([answer, tooLate]);
  } finally {
    clearTimeout(timer);
  }
}

/** Whether a server should report now, so that its silence, or its report, says something of us. */
function counts(record: ServerRecord, now: number, outage: Outage | undefined): boolean {
  const { enrolledAt, retiredAt, reportAt, silence } = record;
  if (now - enrolledAt < countsAfterMs) return false;
  if (retiredAt !== undefined || reportAt === undefined || lastingSuspension(record)) return false;
  return !silence || now - silence.foundAt < countsForMs || isHiddenByOutage(record, now, outage);
}
