import type { ServerRecord } from "../state/server-record";
import { saveSetting, settingIn } from "../storage/tables.server";
import { type Approvers, approversIn } from "./approvers.server";
import { manifestOf, zipOfRollout } from "./manifest";
import { isApprovalOf } from "./passkey";
import { relyingParty } from "./relying-party";
import {
  type Assertion,
  currentTarget,
  isApproved,
  isEnded,
  type MachineStep,
  type Rollout,
  type Target,
  withAbort,
  withApproval,
  withStep,
} from "./rollout";
import type { RefusedApproval, RolloutRefusal, RolloutRequest } from "./rollout-request";
import { RolloutTable } from "./rollout-table.server";
import { isUpdateWindow, nextWindow, type UpdateWindow } from "./update-window";

/** Machines begin it within a day, and refuse what ends more than two days ahead (approval.py). */
const validMs = 86_400_000;
/** Of one server, however many of them gave way to the next. */
const maxADay = 50;

/** `addresses`: of the approvers for whom it waits, by the ids of their accounts. */
export type WaitingRollout = {
  rollout: Rollout;
  servers: { id: string; name: string }[];
  addresses: ReadonlyMap<string, string>;
};

/** The rollouts of a fleet. */
export class Rollouts {
  readonly #sql: SqlStorage;
  readonly #now: () => number;
  readonly #table: RolloutTable;
  readonly #generator: string;
  readonly #record: (id: string) => ServerRecord | undefined;
  readonly #records: () => ServerRecord[];
  readonly #zone: () => string;
  readonly #announce: (rollout: string) => void;
  readonly #notify: (server: string) => void;

  constructor(
    sql: SqlStorage,
    now: () => number,
    parts: {
      generator: string;
      record: (id: string) => ServerRecord | undefined;
      records: () => ServerRecord[];
      /** The time zone by which windows are read. */
      zone: () => string;
      /** That a new one waits for approvers. */
      announce: (rollout: string) => void;
      notify: (server: string) => void;
    },
  ) {
    this.#sql = sql;
    this.#now = now;
    this.#table = new RolloutTable(sql, now);
    this.#generator = parts.generator;
    this.#record = parts.record;
    this.#records = parts.records;
    this.#zone = parts.zone;
    this.#announce = parts.announce;
    this.#notify = parts.notify;
  }

  /** Those that a server is part of, newest first. */
  list(server: string): Rollout[] {
    return this.#table.list().filter((each) => targetIds(each).includes(server));
  }

  get(id: string): Rollout | undefined {
    return this.#table.get(id);
  }

  /** What `request` would answer without a new rollout; undefined where it would make one. */
  check(request: RolloutRequest): { rollout: Rollout } | { refused: RolloutRefusal } | undefined {
    const examined = this.#examined(request);
    return "found" in examined ? undefined : examined;
  }

  #examined(
    request: RolloutRequest,
  ):
    | { rollout: Rollout }
    | { refused: RolloutRefusal }
    | { found: ServerRecord[]; others: Rollout[]; times: { beginsAt?: number; endsAt: number } } {
    const { version, isLower, window } = request;
    if (window && !isUpdateWindow(window)) return { refused: "no-window" };
    const records = request.servers.map((id) => this.#record(id));
    const named = records.filter((each) => each !== undefined);
    if (named.length === 0 || named.length < records.length) return { refused: "no-server" };
    const found = edgeLast(request.withOthers ? [...named, ...this.#others(request)] : named);
    const open = this.#table.open();
    const ids = found.map(({ id }) => id);
    const now = this.#now();
    const times = window ? nextWindow(window, this.#zone(), now) : { endsAt: now + validMs };
    const isSameWindow = ({ beginsAt, endsAt }: Rollout) =>
      window ? beginsAt !== undefined && endsAt === times.endsAt : beginsAt === undefined;
    const same = open.find(
      (each) =>
        each.version === version &&
        each.isLower === isLower &&
        isSameWindow(each) &&
        targetIds(each).join() === ids.join(),
    );
    if (same) return { rollout: same };
    const refusals = found.map((record) => refusalOf(record, request));
    const refused = refusals.find((each) => each !== undefined);
    if (refused) return { refused };
    const others = open.filter((each) => targetIds(each).some((id) => ids.includes(id)));
    if (others.some(({ approvals }) => approvals.length > 0)) return { refused: "under-way" };
    const today = this.#table.ofToday().flatMap(targetIds);
    if (ids.some((id) => today.filter((each) => each === id).length >= maxADay)) {
      return { refused: "too-many" };
    }
    return { found, others, times };
  }

  /** What is open already, of the same version on the same servers, is answered again. */
  request(request: RolloutRequest): { rollout: Rollout } | { refused: RolloutRefusal } {
    const examined = this.#examined(request);
    if (!("found" in examined)) return examined;
    const { found, others, times } = examined;
    const { deployment, version, isLower, inputs, by } = request;
    const ids = found.map(({ id }) => id);
    const approvers = approversIn(this.#sql);
    const local = found.map(({ report }) => report?.approvals?.needed ?? 1);
    const now = this.#now();
    const id = crypto.randomUUID();
    const generator = this.#generator;
    const contents = { id, servers: ids, deployment, version, generator, isLower, ...times };
    const manifest = manifestOf(contents, inputs);
    if (!manifest) return { refused: "no-files" };
    const rollout: Rollout = {
      ...{ id, deployment, version, isLower, manifest, inputs, ...times },
      ...{ requestedAt: now, requestedBy: by, approvals: [] },
      needed: Math.max(approvers?.needed ?? 1, ...local),
      targets: found.map(({ id: server, name }) => ({
        ...{ server, name, state: "requested" },
        steps: [{ state: "requested", at: now }],
      })),
    };
    if (request.savesWindow)
      saveSetting(this.#sql, windowSetting(deployment), request.window ?? null);
    for (const other of others) this.#supersede(other);
    this.#save(rollout);
    this.#announce(id);
    return { rollout };
  }

  /** A rollout and for whom it waits: who did not ask for it, has not approved it, and has a passkey that each server knows. */
  waiting(id: string): WaitingRollout | undefined {
    const rollout = this.get(id);
    if (!rollout || currentTarget(rollout)?.state !== "requested") return;
    const keys = (approversIn(this.#sql)?.keys ?? []).filter(
      ({ person, by, fingerprint }) =>
        by !== rollout.requestedBy &&
        !rollout.approvals.some((each) => each.person === person) &&
        !this.#targetWithout(rollout, fingerprint),
    );
    return {
      rollout,
      servers: rollout.targets.map(({ server, name }) => ({ id: server, name })),
      addresses: new Map(keys.map(({ person, by }) => [person, by])),
    };
  }

  /** A server that does not know a passkey. */
  #targetWithout({ targets }: Rollout, fingerprint: string): Target | undefined {
    return targets.find(
      ({ server }) => !this.#record(server)?.report?.approvals?.known.includes(fingerprint),
    );
  }

  /** The window that the last form of a deployment had. */
  windowOf(deployment: string | undefined): UpdateWindow | undefined {
    if (deployment === undefined) return;
    return settingIn<UpdateWindow | null>(this.#sql, windowSetting(deployment)) ?? undefined;
  }

  #others(request: RolloutRequest): ServerRecord[] {
    return this.#records().filter(
      (record) =>
        !request.servers.includes(record.id) && !record.silence && !refusalOf(record, request),
    );
  }

  /** What nobody has approved yet gives way to another version. */
  #supersede(rollout: Rollout): void {
    const ended = withAbort(rollout, this.#now(), "the request for another version");
    if (ended) this.#save(ended);
  }

  /** Why an approval would not count; undefined where it would. */
  async checkApproval(
    id: string,
    person: string,
    assertion: Assertion,
  ): Promise<RefusedApproval | undefined> {
    const rollout = this.get(id);
    const approvers = approversIn(this.#sql);
    if (!rollout || !approvers) return { refused: "no-rollout" };
    const found = this.#approvalRefusal(rollout, approvers, { person, assertion });
    if ("refused" in found) return found;
    const site = relyingParty(approvers.origin);
    const isSigned = await isApprovalOf(rollout.manifest ?? "", assertion, found.key, site);
    return isSigned ? undefined : { refused: "not-signed" };
  }

  async approve(
    id: string,
    person: string,
    assertion: Assertion,
  ): Promise<{ rollout: Rollout } | RefusedApproval> {
    const refused = await this.checkApproval(id, person, assertion);
    if (refused) return refused;
    // Another approval may have come meanwhile, or the passkey be removed.
    const present = this.get(id);
    const approvers = approversIn(this.#sql);
    const found =
      present && approvers && this.#approvalRefusal(present, approvers, { person, assertion });
    if (!present || !found || "refused" in found) return { refused: "not-open" };
    const { by, fingerprint } = found.key;
    const approved = withApproval(present, {
      ...{ person, by, fingerprint, at: this.#now(), assertion },
    });
    this.#save(approved);
    return { rollout: approved };
  }

  #approvalRefusal(
    rollout: Rollout,
    { keys }: Approvers,
    { person, assertion }: { person: string; assertion: Assertion },
  ): RefusedApproval | { key: Approvers["keys"][number] } {
    if (currentTarget(rollout)?.state !== "requested") return { refused: "not-open" };
    if (rollout.approvals.some((each) => each.person === person)) return { refused: "twice" };
    const key = keys.find(
      (each) => each.credential === assertion.credential && each.person === person,
    );
    if (!key) return { refused: "no-passkey" };
    const unknown = this.#targetWithout(rollout, key.fingerprint);
    return unknown ? { refused: "unknown-there", server: unknown.name } : { key };
  }

  /** Undefined where it is too late. */
  abort(id: string, by: string): Rollout | undefined {
    const rollout = this.get(id);
    const aborted = rollout && withAbort(rollout, this.#now(), by);
    if (aborted) this.#save(aborted);
    return aborted;
  }

  /** What a server is to take up now, or has begun: until it says how that ended, each report's answer names it again. */
  orderFor(server: string): Rollout | undefined {
    return this.#table.open().find((each) => {
      const target = currentTarget(each);
      return target?.server === server && isApproved(each);
    });
  }

  /** What a machine says of its rollout; answers how that is now. */
  step(
    server: string,
    id: string,
    said: { step: MachineStep; reason?: string | undefined },
  ): { isAborting: boolean } | undefined {
    const rollout = this.get(id);
    const target = rollout?.targets.find((each) => each.server === server);
    if (!rollout || !target) return;
    const changed = withStep(rollout, server, said, this.#now());
    if (changed) this.#save(changed);
    const isAborted = isEnded(target.state) && !isEnded(said.step);
    return { isAborting: isAborted || target.isAborting === true };
  }

  /** The files for the server whose turn it is. */
  zip(server: string, id: string): Uint8Array | undefined {
    const rollout = this.orderFor(server);
    return rollout?.id === id ? zipOfRollout(rollout) : undefined;
  }

  removeOld(): void {
    this.#table.removeOld();
  }

  #save(rollout: Rollout): void {
    this.#table.save(rollout);
    for (const { server } of rollout.targets) this.#notify(server);
  }
}

const windowSetting = (deployment: string): string => `update-window ${deployment}`;

const targetIds = ({ targets }: Rollout): string[] => targets.map(({ server }) => server);

/** In a cluster everybody comes through the edge: it takes up nothing that its media machines have not proved. */
const edgeLast = (records: readonly ServerRecord[]): ServerRecord[] =>
  records.toSorted((one, other) => Number(isEdge(one)) - Number(isEdge(other)));

const isEdge = ({ report }: ServerRecord): boolean => report?.role === "edge";

function refusalOf(
  { deployment: its, retiredAt, report }: ServerRecord,
  { deployment, version, isLower, window }: RolloutRequest,
): RolloutRefusal | undefined {
  if (retiredAt !== undefined) return "no-server";
  const { madeFrom, approvals } = report ?? {};
  if (!approvals || its !== deployment) return "cannot";
  if (approvals.known.length < approvals.needed) return "no-approvers";
  if (window && !approvals.knowsWindows) return "no-windows";
  if (madeFrom?.deployment !== deployment) return;
  if (madeFrom.version === version && !madeFrom.isChanged) return "runs-it";
  return madeFrom.version > version && !isLower ? "older" : undefined;
}
