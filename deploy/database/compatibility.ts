import type { Migration } from "./migration-files.ts";
import { readStatements, type Statement } from "./sql-statements.ts";

/** What is said against a statement, and the object or column that is harmless when it is new. */
type Objection = { about: string; says: string };
type Rule = { pattern: RegExp; says: string };

const drops =
  /^drop (?:table|(?:materialized )?view|sequence|type|domain|schema|function|procedure|routine|aggregate) (.+)$/;

/** The first group of each pattern names what it is about, several after one another with commas. */
const rules: readonly Rule[] = [
  { pattern: drops, says: "drops what the code may use" },
  {
    pattern: /^drop (?:policy|trigger) (?:if exists )?\w+ on (.+)$/,
    says: "drops a rule that the code relies on",
  },
  {
    pattern: /^create policy \w+ on (\S+) as restrictive/,
    says: "lets the code see or write less",
  },
  {
    pattern: /^create unique index (?:concurrently )?(?:if not exists )?(?:\w+ )?on (\S+)/,
    says: "refuses rows that were good",
  },
  { pattern: /^truncate (?:table )?(.+)$/, says: "empties it" },
  {
    pattern: /^revoke .+? on (?:(?:table|function|sequence|schema) )?(.+?) from /,
    says: "takes a right away",
  },
  {
    pattern: /^alter (?!table|foreign table)(?:materialized )?\w+ (\S+).* (?:rename|set schema)\b/,
    says: "renames or moves it",
  },
  { pattern: /^(do) /, says: "cannot be judged by reading" },
];

/** The same for the parts of an `alter table`. A first group names the column. */
const alterations: readonly Rule[] = [
  { pattern: /^drop (?!constraint )/, says: "drops a column" },
  { pattern: /^rename /, says: "renames" },
  { pattern: /^set schema /, says: "moves it" },
  { pattern: /^(?:enable|force) row level security/, says: "hides its rows" },
  { pattern: /^alter (?:column )?\w+ (?:set data )?type /, says: "changes the type of a column" },
  { pattern: /^alter (?:column )?(\w+) set not null/, says: "wants a value the code may not give" },
  { pattern: /^alter (?:column )?\w+ drop default/, says: "wants a value the code may not give" },
  {
    pattern: /^add (?:constraint \w+ )?(?:check|unique|primary key|foreign key|exclude)\b/,
    says: "refuses rows that were good",
  },
  {
    pattern: /^add (?!constraint)(?!.*\b(?:default|generated)\b).*\bnot null\b/,
    says: "adds a column that must be given and has no default",
  },
];

const creates =
  /^create (?:or replace )?(?:table|(?:materialized )?view|sequence|type|domain|schema|function|procedure) (?:if not exists )?([\w.]+)/;
const altersTable = /^alter (?:foreign )?table (?:if exists )?(?:only )?([\w.]+) (.*)$/;
const givesDefault =
  /^(?:add (?:column )?(?:if not exists )?(\w+) .*\bdefault\b|alter (?:column )?(\w+) set default)/;

/**
 * Sentences about statements of `pending` that code written for `former` may not survive. A deploy
 * migrates first, so the running version meets the new database. What the same deploy creates, the
 * running code has never seen. The rules read and do not run, so one that objects may be wrong: then
 * the statement gets a comment in front of it, `-- allowed: why`.
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
      const objections = objectionsTo(statement).filter(({ about }) => !fresh.has(about));
      if (isAllowed(statement)) objections.length = 0;
      for (const { about, says } of objections) {
        found.push(`${file}, line ${statement.line}: ${about}: ${says}`);
      }
      // What comes again after its end is new; that it ended has been judged.
      for (const object of ended(statement)) fresh.add(object);
    }
  }
  return found;
}

/** A reason has at least three words: whoever reads the migration must learn it. */
function isAllowed({ comments }: Statement): boolean {
  return comments.some((comment) => /^allowed:(\s+\S+){3}/.test(comment));
}

/** What a statement brings into the world: an object, or a default as `table.column default`. */
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

function objectionsTo({ words }: Statement): Objection[] {
  const [, table = "", changes = ""] = altersTable.exec(words) ?? [];
  const ofTable = splitAtCommas(changes).flatMap((change) =>
    alterations.flatMap(({ pattern, says }) => {
      const found = pattern.exec(change);
      if (!found) return [];
      const about = [withoutSchema(table), ...found.slice(1)].join(".");
      return [{ about, says: `${says} (${brief(change)})` }];
    }),
  );
  const others = rules.flatMap(({ pattern, says }) => {
    const named = pattern.exec(words)?.[1];
    return splitAtCommas(named ?? "").map((about) => ({ about: objectIn(about), says }));
  });
  return [...ofTable, ...others];
}

/** The name in `if exists public.pets (text) cascade`. */
function objectIn(text: string): string {
  return withoutSchema(
    /^(?:if exists )?(?:only )?([\w.]+(?: tables in.*)?)/.exec(text)?.[1] ?? text,
  );
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
  return words.length > 80 ? `${words.slice(0, 77)}…` : words;
}
