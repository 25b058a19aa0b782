type Cell = string | number;

/** CSV as in RFC 4180. Text that a spreadsheet would run as a formula gets an apostrophe in front. */
export function csvOf(rows: readonly (readonly Cell[])[]): string {
  return rows.map((row) => `${row.map(quoted).join(",")}\r\n`).join("");
}

function quoted(value: Cell): string {
  if (typeof value === "number") return String(value);
  const text = /^[=+\-@\t\r]/.test(value) ? `'${value}` : value;
  return /[",\r\n]/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
