import { expect, test } from "vitest";
import { mergeMessages, unknownColumns } from "../../../app/features/google/mail/mail-merge.ts";
import {
  type MergeEnd,
  type MergeProgress,
  type MergeSteps,
  runMerge,
} from "../../../app/features/google/mail/merge-run.ts";
import { decodeTable, readTable } from "../../../app/features/google/mail/merge-table.ts";
import type { OperationResult } from "../../../app/features/google/tools/operation.ts";

function table(text: string) {
  const read = readTable(text);
  if ("problem" in read) throw new Error(read.problem);
  return read;
}

test("a table is read with quoted fields, doubled quotation marks, line breaks and CRLF", () => {
  const text =
    '\uFEFFname,email,note\r\n"Doe, Jo",jo@example.com,"says ""hi""\r\ntwice"\r\n\r\nZoë,z@example.com,\r\n';
  expect(table(text)).toEqual({
    columns: ["name", "email", "note"],
    rows: [
      ["Doe, Jo", "jo@example.com", 'says "hi"\r\ntwice'],
      ["Zoë", "z@example.com", ""],
    ],
  });
  expect(table("a;b\n1,5;2").rows).toEqual([["1,5", "2"]]);
  expect(table("a\tb\n1\t2").rows).toEqual([["1", "2"]]);
});

test("a file is read as UTF-8, and one in another encoding not at all, rather than with wrong letters", () => {
  expect(decodeTable(Buffer.from("name\nMüller", "utf8"))).toBe("name\nMüller");
  expect(decodeTable(Buffer.from("name\nMüller", "latin1"))).toBeUndefined();
});

test.each([
  ["", "Paste a table, or choose a CSV file."],
  ["email,name", "The table has a first line and nothing below it."],
  ["email,\na,b", "Every column needs a name in the first line."],
  ["email,email\na,b", "Two columns are called “email”."],
  ["email,name\na,b,c", "Row 1 has more cells than there are columns."],
  ['email\n"a', "A quotation mark is opened in the table and never closed."],
  [`email\n${"a\n".repeat(501)}`, "The table has 501 rows; 500 are the most at a time."],
])("%j is no table, and the person reads why", (text, problem) => {
  expect(readTable(text)).toEqual({ problem });
});

const template = {
  to: "{{name}} <{{email}}>",
  subject: "For {{ company }}",
  body: "Dear {{name}},\nhello.",
};

test("every row becomes a message, and missing values are named", () => {
  const rows = table(
    'name,email,company\n"Doe, Jo",jo@example.com,Acme\nZoë,,Acme\nKim,kim@example.com,\nJo,JO@example.com,Acme\nX,nobody,Acme\nY,y@example.com,"A\nB"',
  );
  expect(mergeMessages(template, rows)).toEqual([
    {
      row: 1,
      ok: true,
      to: "Doe, Jo <jo@example.com>",
      address: "jo@example.com",
      subject: "For Acme",
      body: "Dear Doe, Jo,\nhello.",
    },
    { row: 2, ok: false, to: "Zoë <>", problem: "No value for {{email}}." },
    { row: 3, ok: false, to: "Kim <kim@example.com>", problem: "No value for {{company}}." },
    { row: 4, ok: false, to: "Jo <JO@example.com>", problem: "Row 1 has the same address." },
    { row: 5, ok: false, to: "X <nobody>", problem: "“X <nobody>” is not an e-mail address." },
    { row: 6, ok: false, to: "Y <y@example.com>", problem: "The subject must be on one line." },
  ]);
  expect(unknownColumns(template, rows)).toEqual([]);
  expect(unknownColumns({ ...template, body: "{{Name}} {{x}}" }, rows)).toEqual(["Name", "x"]);
});

test("a value that looks like a placeholder stays what it is", () => {
  const rows = table("name,email,company\n{{email}},jo@example.com,$&");
  expect(mergeMessages(template, rows)[0]).toMatchObject({
    subject: "For $&",
    body: "Dear {{email}},\nhello.",
  });
});

/** A browser that may be closed at any step, and a Gmail that counts. */
function world(rows: number) {
  const delivered = new Map<number, number>();
  let stored = JSON.stringify({ id: crypto.randomUUID(), startedAt: 0, rowStates: {} });
  let now = 0;
  const failing: { send?: (row: number) => OperationResult | undefined; isUnsure?: boolean } = {};
  const waitedFor: (string | undefined)[] = [];
  return {
    waitedFor,
    delivered,
    failing,
    rows: Array.from({ length: rows }, (_, at) => at + 1),
    /** Runs until the end or until the page is gone: `closeAt` is how many steps it is there for. */
    async open(closeAt = Number.POSITIVE_INFINITY, found?: { row: number; left: boolean }) {
      const progress: MergeProgress = JSON.parse(stored);
      const closing = new AbortController();
      let step = 0;
      const mayClose = () => {
        if (++step >= closeAt) closing.abort();
        closing.signal.throwIfAborted();
      };
      const steps: MergeSteps = {
        keep(each) {
          mayClose();
          stored = JSON.stringify(each);
        },
        async send(row) {
          mayClose();
          const failure = failing.send?.(row);
          if (failure) return failure;
          delivered.set(row, (delivered.get(row) ?? 0) + 1);
          // Gone with the page: the message has left, and nobody hears of it.
          mayClose();
          return { ok: true, message: "Operation completed successfully!" };
        },
        async find(row) {
          mayClose();
          return {
            ok: true,
            sent: !failing.isUnsure && delivered.has(row),
            sure: !failing.isUnsure,
          };
        },
        now: () => now,
        async wait(milliseconds, _, why) {
          now += milliseconds;
          waitedFor.push(why);
        },
      };
      const end = await runMerge(this.rows, progress, steps, closing.signal, found);
      return { end, rowStates: progress.rowStates };
    },
  };
}

test("200 messages, interrupted after every single step and resumed, are each sent once", async () => {
  const { delivered, rows, open } = Object.assign(world(200));
  const person = { rows, open };
  let end: MergeEnd = { state: "stopped" };
  let pages = 0;
  for (let closeAt = 2; end.state === "stopped"; closeAt = (closeAt % 7) + 2, pages++) {
    ({ end } = await person.open(closeAt));
  }
  expect(end).toEqual({ state: "done" });
  expect(pages).toBeGreaterThan(100);
  expect(delivered.size).toBe(200);
  expect([...delivered.values()].every((times) => times === 1)).toBe(true);
});

test("a lost answer is looked for before anything is sent again", async () => {
  const site = world(3);
  site.failing.send = (row) => {
    if (row !== 2 || site.delivered.has(2)) return;
    site.delivered.set(2, 1);
    return { ok: false, status: 503, message: "Google is not answering." };
  };
  const { end, rowStates } = await site.open();
  expect(end).toEqual({ state: "done" });
  expect(rowStates[2]).toEqual({ state: "sent" });
  expect([...site.delivered.values()]).toEqual([1, 1, 1]);
});

test("a message that surely did not leave is sent again, and not for ever", async () => {
  const site = world(1);
  let tries = 0;
  site.failing.send = () => {
    tries++;
    return { ok: false, status: 503, message: "Google is not answering." };
  };
  expect((await site.open()).end).toMatchObject({ state: "interrupted", outcome: { status: 503 } });
  expect(tries).toBe(3);
  delete site.failing.send;
  expect((await site.open()).end).toEqual({ state: "done" });
  expect(site.delivered.get(1)).toBe(1);
});

test.each([true, false])(
  "the user says whether a message that Gmail cannot find has left: %j",
  async (left) => {
    const site = world(2);
    site.failing.send = (row) => {
      if (row === 2 && !site.failing.isUnsure) {
        site.failing.isUnsure = true;
        return { ok: false, status: 503, message: "Google is not answering." };
      }
    };
    expect((await site.open()).end).toEqual({ state: "unsure", row: 2 });
    expect((await site.open()).end).toEqual({ state: "unsure", row: 2 });
    expect((await site.open(undefined, { row: 2, left })).end).toEqual({ state: "done" });
    const { end, rowStates } = await site.open();
    expect(end).toEqual({ state: "done" });
    expect(rowStates).toEqual({ 1: { state: "sent" }, 2: { state: "sent" } });
    expect([...site.delivered.keys()]).toEqual(left ? [1] : [1, 2]);
  },
);

test("while a limit is waited for it is named, and it is what a merge ends with that is still over it", async () => {
  const site = world(1);
  const limit = { ok: false, status: 429, message: "Google's limit is reached." } as const;
  site.failing.send = () => limit;
  expect((await site.open()).end).toEqual({ state: "interrupted", outcome: limit });
  expect(new Set(site.waitedFor)).toEqual(new Set([limit.message]));
});

test("one refused message does not hold up the others, a limit is waited for, an end of consent stops", async () => {
  const site = world(4);
  const rows: number[] = [];
  site.failing.send = (row) => {
    rows.push(row);
    if (row === 1) return { ok: false, status: 400, message: "No such address." };
    if (row === 2 && rows.length === 2) {
      return { ok: false, status: 429, message: "Too many.", retryAfter: 20 };
    }
    if (row === 3) return { ok: false, status: 403, message: "Connect again.", consent: true };
  };
  const { end, rowStates } = await site.open();
  expect(rows).toEqual([1, 2, 2, 3]);
  expect(end).toMatchObject({ state: "interrupted", outcome: { consent: true } });
  expect(rowStates).toEqual({
    1: { state: "failed", message: "No such address." },
    2: { state: "sent" },
  });
  delete site.failing.send;
  expect((await site.open()).end).toEqual({ state: "done" });
  expect([...site.delivered.keys()]).toEqual([2, 3, 4]);
});
