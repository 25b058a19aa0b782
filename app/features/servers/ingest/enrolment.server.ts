import * as z from "zod/mini";
import { instanceId, machineId } from "~/features/servers/ingest/report";
import type { FileInputs } from "~/features/servers/state/file-inputs";
import type { ServerRecord } from "~/features/servers/state/server-record";
import { factsIn, listAgeMs, type Member } from "~/features/servers/state/workspace-facts.server";
import { nextNumber } from "../metrics/metrics-table.server";
import { addRecord, connectedIn } from "../state/server-table.server";

/** How many servers a workspace has where its plan is not known. */
const maxServers = 500;
const dayMs = 86_400_000;
/** For so long an expired token is refused as expired; after that it is deleted and refused as unknown. */
const endedTokenRetentionMs = 30 * dayMs;

/** What a token lets so many machines become, until it `ends`, in milliseconds since 1970. */
export type EnrolmentTerms = {
  /** Missing where it connects a machine as it is. */
  deployment?: string | undefined;
  /** What the server is to be called; otherwise as the machine calls itself. */
  name?: string | undefined;
  domain?: string;
  uses: number;
  ends: number;
  /** The member who made it, by the id of their account. A site of before does not say it. */
  maker?: string | undefined;
  /** What the files are made of that come with it. */
  inputs?: FileInputs | undefined;
};

/** Which tokens are revoked: those of a deployment, those that a person made, or those that connect machines as they are. */
export type Revoked = { deployment: string } | { maker: string } | "without-deployment";

/** `deployment`: empty where the token connects a machine as it is. */
type TokenRow = {
  deployment: string;
  name: string | null;
  domain: string | null;
  uses: number;
  used: number;
  ends: number;
  revoked: number;
  inputs: string | null;
};

/** How many tokens of a deployment can still connect machines, and when the last of them ends. */
export type LivingTokens = { deployment?: string | undefined; count: number; ends: number };

export type EnrolRefusal =
  | "unknown-token"
  | "token-ended"
  | "token-used"
  | "token-revoked"
  | "plan-limit";

/** `hash`: that of the token's secret, which is not stored. */
export function saveToken(sql: SqlStorage, hash: string, terms: EnrolmentTerms, now: number): void {
  const { deployment = "", name, domain, uses, ends, maker, inputs } = terms;
  sql.exec(
    `insert into tokens (hash, deployment, name, domain, uses, used, ends, revoked, maker, made, inputs)
     values (?, ?, ?, ?, ?, 0, ?, 0, ?, ?, ?)`,
    ...[hash, deployment, name ?? null, domain ?? null, uses, ends, maker ?? null, now],
    inputs ? JSON.stringify(inputs) : null,
  );
}

/** Servers that tokens have connected go on. */
export function revokeTokens(sql: SqlStorage, which: Revoked): void {
  const [column, value] =
    which === "without-deployment"
      ? ["deployment", ""]
      : "maker" in which
        ? ["maker", which.maker]
        : ["deployment", which.deployment];
  sql.exec(
    `update tokens set revoked = 1, inputs = null where revoked = 0 and ${column} = ?`,
    value,
  );
}

/**
 * Revokes the tokens of all who may not connect servers by this list of members. It repairs what is left where the call
 * at a member's removal failed. A token that may be newer than the list stays valid.
 */
export function revokeTokensOfNonMembers(
  sql: SqlStorage,
  members: readonly Member[],
  now: number,
): void {
  const makers = members.flatMap(({ person, connects = true }) => (connects ? [person] : []));
  sql.exec(
    `update tokens set revoked = 1, inputs = null where revoked = 0 and made <= ?
     and maker not in (select value from json_each(?))`,
    ...[now - listAgeMs, JSON.stringify(makers)],
  );
}

/** What can still connect machines, by deployment. */
export function livingTokens(sql: SqlStorage, now: number): LivingTokens[] {
  const rows = sql.exec<Required<LivingTokens> & { deployment: string }>(
    `select deployment, count(*) as count, max(ends) as ends from tokens
     where revoked = 0 and used < uses and ends > ? group by deployment`,
    now,
  );
  return rows.toArray().map(({ deployment, count, ends }) => ({
    ...(deployment ? { deployment } : {}),
    ...{ count, ends },
  }));
}

export function removeOldTokens(sql: SqlStorage, now: number): void {
  sql.exec("delete from tokens where ends < ?", now - endedTokenRetentionMs);
  sql.exec("update tokens set inputs = null where ends < ? and inputs is not null", now);
}

/** Why a token connects no machine now; undefined where it does. */
function tokenRefusal(token: TokenRow | undefined, now: number): EnrolRefusal | undefined {
  if (!token) return "unknown-token";
  if (token.revoked) return "token-revoked";
  if (token.ends <= now) return "token-ended";
  if (token.used >= token.uses) return "token-used";
}

/** What the archive that comes with a token is made of. A token that is typed has none. */
export function archiveInputsOf(
  sql: SqlStorage,
  tokenHash: string,
  now: number,
): { deployment: string; inputs: FileInputs } | { refused: EnrolRefusal | "not-found" } {
  const [token] = sql.exec<TokenRow>("select * from tokens where hash = ?", tokenHash).toArray();
  const refused = tokenRefusal(token, now);
  if (refused) return { refused };
  if (!token?.inputs) return { refused: "not-found" };
  return { deployment: token.deployment, inputs: JSON.parse(token.inputs) };
}

/**
 * Makes the machine that introduces itself a server. The same token with the same key is the same server again, also
 * when the token's uses are up or it has ended; then `isNew` is false and nothing is written.
 */
export function enrol(
  sql: SqlStorage,
  tokenHash: string,
  enrolment: Enrolment,
  now: number,
): { server: string; isNew: boolean } | { refused: EnrolRefusal } {
  const { keyHash, ...machine } = enrolment;
  const [again] = sql
    .exec<{ id: string }>(
      "select id from servers where token_hash = ? and key_hash = ?",
      ...[tokenHash, keyHash],
    )
    .toArray();
  if (again) return { server: again.id, isNew: false };
  const [token] = sql.exec<TokenRow>("select * from tokens where hash = ?", tokenHash).toArray();
  const refused = tokenRefusal(token, now);
  if (!token || refused) return { refused: refused ?? "unknown-token" };
  const allowed = factsIn(sql)?.servers ?? maxServers;
  if (connectedIn(sql).length >= allowed) return { refused: "plan-limit" };
  const id = crypto.randomUUID();
  const record: ServerRecord = {
    ...machine,
    id,
    keyHash,
    ...(token.deployment ? { deployment: token.deployment } : {}),
    ...(token.name === null ? {} : { name: token.name }),
    ...(token.domain === null ? {} : { domain: token.domain }),
    enrolledAt: now,
    refused: [],
    boots: [],
    bucket: { left: 10, at: now },
    changes: [],
  };
  sql.exec(
    `update tokens set used = used + 1, inputs = case when used + 1 < uses then inputs end
     where hash = ?`,
    tokenHash,
  );
  addRecord(sql, record, { number: nextNumber(sql), tokenHash });
  return { server: id, isNew: true };
}

const enrolment = z.object({
  "key-hash": z.string().check(z.regex(/^[0-9a-f]{64}$/)),
  machine: machineId,
  instance: instanceId,
  name: z.string().check(z.regex(/^[A-Za-z0-9.-]{1,63}$/)),
});

/** What a machine says when it introduces itself. Machines with older files say more, which is skipped. */
export type Enrolment = {
  keyHash: string;
  machine: string;
  instance: string;
  name: string;
};

/** Undefined where a line is missing or has another form. */
export function parseEnrolment(body: string): Enrolment | undefined {
  const { data } = enrolment.safeParse(linesOf(body));
  if (!data) return;
  const { "key-hash": keyHash, ...rest } = data;
  return { keyHash, ...rest };
}

const leaving = z.object({
  machine: machineId,
  instance: instanceId,
  left: z.optional(z.literal("yes")),
});

/** Which machine takes its leave. `left`: it leaves its cluster, whose other machines go on. */
export type Leaving = z.infer<typeof leaving>;

/** Undefined where a line has another form. */
export function parseLeaving(body: string): Leaving | undefined {
  return leaving.safeParse(linesOf(body)).data;
}

/** Reads lines `name value`. Lines with other names are skipped. */
function linesOf(body: string): Record<string, string> {
  const lines = body.split("\n").map((line) => {
    const [name = "", ...value] = line.split(" ");
    return [name, value.join(" ")];
  });
  return Object.fromEntries(lines);
}
