import type { Migration } from "./migration-files.ts";
import { readStatements, type Statement } from "./sql-statements.ts";

const kinds =
  "(?:(?:foreign )?table|(?:materialized )?view|sequence|type|domain|schema|function|procedure|index)";

/** Statements that only add something. They suit older code, whatever they are about. */
const additions: readonly RegExp[] = [
  new RegExp(`^create (?:or replace )?(?:${kinds}|extension) `),
  // A policy that is not restrictive shows more rows, never fewer.
  /^create policy \w+ on [\w.]+(?! as restrictive)(?: |$)/,
  /^(?:grant|comment on|insert into) /,
];

/** The same for the parts of an `alter table`. */
const additiveChanges: readonly RegExp[] = [
  // A column that older code may leave out, without a rule for the rows that it writes.
  /^add (?!.*\b(?:check|unique|primary|references|exclude)\b)(?:.*\b(?:default|generated)\b|(?!.*\bnot null\b))/,
  /^alter (?:column )?\w+ (?:drop not null|set default)\b/,
];

const drops = new RegExp(`^drop ${kinds} (.+)$`);

/** The first group of each names what a statement is about, several with commas between them. */
const subjects: readonly RegExp[] = [
  drops,
  new RegExp(`^alter (?!table)${kinds} (.+)$`),
  /^(?:create|alter|drop) (?:(?:constraint )?trigger|policy|unique index) .*?\bon (?:only )?([\w.]+)/,
  /^revoke .+? on (?:(?:table|function|sequence|schema) )?(.+?) from /,
  /^truncate (?:table )?(.+)$/,
  /^(?:delete from|update) ([\w.]+)/,
];

const creates = new RegExp(
  `^create (?:or replace )?(?:unique )?${kinds} (?:concurrently )?(?:if not exists )?(?!on )([\\w.]+)`,
);
const altersTable = /^alter (?:foreign )?table (?:if exists )?(?:only )?([\w.]+) (.*)$/;
const givesDefault =
  /^(?:add (?:column )?(?:if not exists )?(\w+) .*\bdefault\b|alter (?:column )?(\w+) set default)/;
const wantsValue = /^alter (?:column )?(\w+) set not null$/;

/**
 * The statements of `pending` that may break code written for the schema of `former`, with file and line. A deploy
 * migrates first, so the running version meets the new schema. A statement is accepted if it only adds something, or
 * if it is about an object that the same deploy creates, because the running version does not use it. These rules
 * read the statements without running them. If one is too strict, the statement gets a comment in front of it, `--
 * allowed: why`.
 */
export function findIncompatible(
  pending: readonly Migration[],
  former: readonly Migration[],
): string[] {
  // Before the first migration nothing runs that could break.
  if (former.length === 0) return [];
  const fresh = new Set(pending.flatMap(({ sql }) => readStatements(sql).flatMap(introduced)));
  for (const { sql } of former) {
    for (const object of readStatements(sql).flatMap(introduced)) fresh.delete(object);
  }
  const found: string[] = [];
  for (const { file, sql } of pending) {
    for (const statement of readStatements(sql)) {
      if (!isAllowed(statement) && !isHarmless(statement, fresh)) {
        found.push(`${file}, line ${statement.line}: ${brief(statement.words)}`);
      }
      // An object that is dropped and created again counts as new: the drop has been judged.
      for (const object of ended(statement)) fresh.add(object);
    }
  }
  return found;
}

/**
 * Whether a comment allows the statement. It must give a reason, of at least three words, for readers of the
 * migration.
 */
function isAllowed({ comments }: Statement): boolean {
  return comments.some((comment) => /^allowed:(\s+\S+){3}/.test(comment));
}

function isHarmless({ words }: Statement, fresh: ReadonlySet<string>): boolean {
  if (additions.some((pattern) => pattern.test(words))) return true;
  const [, altered, changes = ""] = altersTable.exec(words) ?? [];
  if (altered) {
    const table = withoutSchema(altered);
    if (fresh.has(table)) return true;
    return splitAtCommas(changes).every((change) => {
      const [, column] = wantsValue.exec(change) ?? [];
      if (column) return fresh.has(`${table}.${column}`);
      return additiveChanges.some((pattern) => pattern.test(change));
    });
  }
  const named = subjects.flatMap((pattern) => pattern.exec(words)?.[1] ?? []);
  const objects = named.flatMap(splitAtCommas).map(objectIn);
  return objects.length > 0 && objects.every((object) => fresh.has(object));
}

/** What a statement creates: an object, or a column's default as `table.column`. */
function introduced({ words }: Statement): string[] {
  const object = creates.exec(words)?.[1];
  if (object) return [withoutSchema(object)];
  const [, table = "", changes = ""] = altersTable.exec(words) ?? [];
  return splitAtCommas(changes).flatMap((change) => {
    const [, added, altered] = givesDefault.exec(change) ?? [];
    const column = added ?? altered;
    return column ? [`${withoutSchema(table)}.${column}`] : [];
  });
}

function ended({ words }: Statement): string[] {
  return splitAtCommas(drops.exec(words)?.[1] ?? "").map(objectIn);
}

/** The name in `if exists public.pets (text) cascade`. */
function objectIn(text: string): string {
  return withoutSchema(/^(?:if exists )?(?:only )?([\w.]+)/.exec(text)?.[1] ?? text);
}

function withoutSchema(object: string): string {
  return object.replace(/^public\./, "");
}

/** The parts of `add a int, drop b`, without splitting `numeric(5, 2)`. */
function splitAtCommas(text: string): string[] {
  let depth = 0;
  const parts = [""];
  for (const letter of text) {
    if (letter === "(") depth += 1;
    if (letter === ")") depth -= 1;
    if (letter === "," && depth === 0) parts.push("");
    else parts[parts.length - 1] += letter;
  }
  return parts.map((part) => part.trim()).filter(Boolean);
}

function brief(words: string): string {
  return words.length > 160 ? `${words.slice(0, 157)}…` : words;
}
