import { readAs } from "./as-person.ts";
import type { Query } from "./many-rows.ts";

/** One step of a plan that reads a table of ours. */
export interface Scan {
  table: string;
  /** PostgreSQL's word for how. */
  how: string;
  /** What of an index is read; undefined where the table or the index is read whole. */
  condition: string | undefined;
}

type Node = { [name: string]: unknown; Plans?: Node[] };

/** How PostgreSQL reads our tables for a query of somebody's, in the order of the plan. */
export async function scansOf(query: Query, person: string, sql: string): Promise<Scan[]> {
  const rows = await readAs<{ "QUERY PLAN": { Plan: Node }[] }>(
    query,
    person,
    `explain (format json) ${sql}`,
  );
  const scans: Scan[] = [];
  const walk = (node: Node) => {
    const table = node["Relation Name"];
    const condition = node["Index Cond"] ?? node["Recheck Cond"];
    if (typeof table === "string") {
      scans.push({
        table,
        how: String(node["Node Type"]),
        condition: typeof condition === "string" ? condition : undefined,
      });
    }
    for (const each of node.Plans ?? []) walk(each);
  };
  for (const { Plan } of rows[0]?.["QUERY PLAN"] ?? []) walk(Plan);
  return scans;
}
