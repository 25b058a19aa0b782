/** A pasted table: named columns, and a row for each message. */
export type MergeTable = { columns: readonly string[]; rows: readonly (readonly string[])[] };

/** Gmail lets a personal account write to 500 receivers a day. */
export const maxRows = 500;

/** The text of a file in UTF-8; undefined if it is not UTF-8, since no other encoding can be recognised surely. */
export function decodeTable(bytes: AllowSharedBufferSource): string | undefined {
  try {
    return new TextDecoder("utf-8", { fatal: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/**
 * Reads CSV (RFC 4180): quoted fields with commas, line breaks and doubled quotation marks, CRLF or
 * LF, a byte order mark. Semicolons and tabs separate too, whichever the first line has most of.
 * Answers a sentence for the person when it is no table.
 */
export function readTable(text: string): MergeTable | { problem: string } {
  const source = text.replace(/^\uFEFF/, "");
  if (source.trim() === "") return { problem: "Paste a table, or choose a CSV file." };
  const records = readRecords(source, separatorOf(source));
  if (records === undefined) {
    return { problem: "A quotation mark is opened in the table and never closed." };
  }
  const [head = [], ...rows] = records.filter((record) => record.some((cell) => cell.trim()));
  const columns = head.map((name) => name.trim());
  if (columns.some((name) => name === "")) {
    return { problem: "Every column needs a name in the first line." };
  }
  const duplicate = columns.find((name, at) => columns.indexOf(name) !== at);
  if (duplicate) return { problem: `Two columns are called “${duplicate}”.` };
  if (rows.length === 0) return { problem: "The table has a first line and nothing below it." };
  if (rows.length > maxRows) {
    return { problem: `The table has ${rows.length} rows; ${maxRows} are the most at a time.` };
  }
  const long = rows.findIndex((row) => row.length > columns.length);
  if (long >= 0) return { problem: `Row ${long + 1} has more cells than there are columns.` };
  return { columns, rows };
}

/** The names of a table and some of its rows, as text that reads back with the same separator. */
export function writeTable(text: string, columns: readonly string[], rows: MergeTable["rows"]) {
  const separator = separatorOf(text.replace(/^\uFEFF/, ""));
  const quoted = (cell: string) =>
    /[",;\t\r\n]/.test(cell) ? `"${cell.replaceAll('"', '""')}"` : cell;
  return [columns, ...rows].map((cells) => cells.map(quoted).join(separator)).join("\n");
}

function separatorOf(text: string): string {
  const line = text.split(/\r\n?|\n/, 1)[0] ?? "";
  const count = (separator: string) => line.split(separator).length;
  return [",", ";", "\t"].reduce((best, each) => (count(each) > count(best) ? each : best));
}

function readRecords(text: string, separator: string): string[][] | undefined {
  const records: string[][] = [];
  let record: string[] = [];
  let cell = "";
  let quoted = false;
  const endCell = () => {
    record.push(cell);
    cell = "";
  };
  const endRecord = () => {
    endCell();
    records.push(record);
    record = [];
  };
  for (let at = 0; at < text.length; at++) {
    const character = text.charAt(at);
    if (quoted) {
      if (character !== '"') cell += character;
      else if (text[at + 1] === '"') cell += text.charAt(++at);
      else quoted = false;
    } else if (character === '"' && cell === "") quoted = true;
    else if (character === separator) endCell();
    else if (character === "\n") endRecord();
    else if (character === "\r") {
      if (text[at + 1] === "\n") at++;
      endRecord();
    } else cell += character;
  }
  if (quoted) return;
  if (cell !== "" || record.length > 0) endRecord();
  return records;
}
