import { hclString } from "../../quoting.ts";

/** A list of texts in Terraform's language. */
export function hclList(texts: readonly string[]): string {
  return `[${texts.map(hclString).join(", ")}]`;
}

/** The rows of a map as `terraform fmt` leaves them: each at the same column. */
export function hclRows(rows: readonly (readonly [key: string, value: string])[]): string {
  const width = Math.max(...rows.map(([key]) => key.length));
  return rows.map(([key, value]) => `    ${key.padEnd(width)} = ${value}`).join("\n");
}

/** Several such maps, each below its key. */
export function hclMaps(maps: readonly (readonly [key: string, rows: string])[]): string {
  return maps
    .map(([key, rows]) => `    ${key} = {\n${rows.replaceAll(/^/gm, "  ")}\n    }`)
    .join("\n");
}
