import type { ColumnDescription, DatabaseDescription, TableDescription } from "./description.ts";

const typescriptTypes: Record<string, string> = {
  bool: "boolean",
  int2: "number",
  int4: "number",
  int8: "number",
  float4: "number",
  float8: "number",
  numeric: "number",
  json: "Json",
  jsonb: "Json",
  void: "undefined",
};
const textTypes = [
  ["text", "varchar", "bpchar", "char", "name", "citext", "uuid", "bytea"],
  ["date", "time", "timetz", "timestamp", "timestamptz", "interval", "inet", "cidr"],
].flat();
for (const name of textTypes) typescriptTypes[name] = "string";

type Lines = string[];

const indented = (lines: Lines): Lines => lines.map((line) => `  ${line}`);

/** An object type over several lines, or the type of an object with no keys. */
function object(name: string, entries: Lines): Lines {
  return entries.length === 0
    ? [`${name}: Record<never, never>;`]
    : [`${name}: {`, ...indented(entries), "};"];
}

const byName = (a: { name: string }, b: { name: string }) => (a.name < b.name ? -1 : 1);

function typeNamer(database: DatabaseDescription): (type: string) => string {
  const enums = new Set(database.enums.map(({ name }) => name));
  const rows = new Map<string, string>();
  for (const { name, isView } of database.tables) rows.set(name, isView ? "Views" : "Tables");
  const typeOf = (type: string): string => {
    if (type.startsWith("_")) return `${typeOf(type.slice(1))}[]`;
    if (enums.has(type)) return `Database["public"]["Enums"]["${type}"]`;
    const relation = rows.get(type);
    if (relation) return `Database["public"]["${relation}"]["${type}"]["Row"]`;
    if (database.composites.some(({ name }) => name === type)) {
      return `Database["public"]["CompositeTypes"]["${type}"]`;
    }
    return typescriptTypes[type] ?? "unknown";
  };
  return typeOf;
}

/** Writes supabase-js's `Database` type. The same database always gives the same text. */
export function renderDatabaseTypes(database: DatabaseDescription): string {
  const typeOf = typeNamer(database);
  const column = ({ name, type, nullable }: ColumnDescription, mark: "" | "?") =>
    `${name}${mark}: ${typeOf(type)}${nullable ? " | null" : ""};`;

  function table({ name, isView, columns, relationships }: TableDescription): Lines {
    const writable = columns.filter(({ generated }) => !generated);
    const related = relationships.flatMap((each) => [
      "{",
      ...indented([
        `foreignKeyName: "${each.name}";`,
        `columns: [${each.columns.map((one) => `"${one}"`).join(", ")}];`,
        `isOneToOne: ${each.oneToOne};`,
        `referencedRelation: "${each.referencedTable}";`,
        `referencedColumns: [${each.referencedColumns.map((one) => `"${one}"`).join(", ")}];`,
      ]),
      "},",
    ]);
    const insert = writable.map((each) =>
      column(each, each.nullable || each.hasDefault ? "?" : ""),
    );
    return object(name, [
      ...object(
        "Row",
        columns.map((each) => column(each, "")),
      ),
      ...(isView
        ? []
        : [
            ...object("Insert", insert),
            ...object(
              "Update",
              writable.map((each) => column(each, "?")),
            ),
          ]),
      ...(related.length > 0
        ? ["Relationships: [", ...indented(related), "];"]
        : ["Relationships: [];"]),
    ]);
  }

  const functions = database.functions.flatMap((each) =>
    object(each.name, [
      ...object(
        "Args",
        each.arguments
          .toSorted(byName)
          .map(({ name, type, optional }) => `${name}${optional ? "?" : ""}: ${typeOf(type)};`),
      ),
      `Returns: ${typeOf(each.returns)}${each.returnsSet ? "[]" : ""};`,
    ]),
  );
  const enums = database.enums.map(
    ({ name, values }) => `${name}: ${values.map((value) => JSON.stringify(value)).join(" | ")};`,
  );
  const composites = database.composites.flatMap(({ name, columns }) =>
    object(
      name,
      columns.map((each) => `${each.name}: ${typeOf(each.type)} | null;`),
    ),
  );
  const schema = [
    ...object("Tables", database.tables.filter(({ isView }) => !isView).flatMap(table)),
    ...object("Views", database.tables.filter(({ isView }) => isView).flatMap(table)),
    ...object("Functions", functions),
    ...object("Enums", enums),
    ...object("CompositeTypes", composites),
  ];
  return [
    "// Written by `npm run database:types` from supabase/migrations. Do not edit.",
    "export type Json = string | number | boolean | null | { [key: string]: Json | undefined } | Json[];",
    "",
    "export type Database = {",
    ...indented(object("public", schema)),
    "};",
    "",
  ].join("\n");
}
