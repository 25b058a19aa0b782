import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { pathToFileURL } from "node:url";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { openEmptyDatabase } from "../../../fakes/supabase/database/empty-database.ts";

let folder = "";

beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), "samples-"));
  writeFileSync(join(folder, "package.json"), '{"type":"module"}');
});
afterEach(() => {
  vi.unstubAllGlobals();
  vi.restoreAllMocks();
  rmSync(folder, { recursive: true });
});

/** Puts the samples of a page into files, as somebody who copies them would. Answers their text. */
function copySamples(page: string): Map<string, string> {
  const source = readFileSync(`app/content/samples/${page}.md`, "utf8");
  const samples = [...source.matchAll(/```\w+ (\S+)\n([\s\S]*?)```/g)];
  for (const [, name = "", text = ""] of samples) writeFileSync(join(folder, name), text);
  return new Map(samples.map(([, name = "", text = ""]) => [name, text]));
}

const load = (name: string) => import(/* @vite-ignore */ pathToFileURL(join(folder, name)).href);

type Call = {
  method: string;
  url: URL;
  authorization: string | null;
  body: Record<string, unknown> | undefined;
};

/** Google, as far as the samples can see it. */
function fakeForGoogle(answers: object[], status = 200): Call[] {
  const calls: Call[] = [];
  vi.stubGlobal("fetch", async (address: string, init: RequestInit) => {
    const request = new Request(address, init);
    const text = await request.text();
    calls.push({
      method: request.method,
      url: new URL(request.url),
      authorization: request.headers.get("authorization"),
      body: text ? JSON.parse(text) : undefined,
    });
    return Response.json(answers.shift() ?? {}, { status });
  });
  return calls;
}

/** The message in a call to Gmail, which takes it in base64url. */
function messageIn(call: Call | undefined): string {
  expect(call?.body).toEqual({ raw: expect.stringMatching(/^[\w-]+$/) });
  const { raw = "" } = call?.body ?? {};
  return Buffer.from(String(raw), "base64url").toString();
}

test("the email sample sends a message that says what it should, in any script", async () => {
  copySamples("google-services");
  const calls = fakeForGoogle([{ id: "m1", threadId: "t1" }]);
  const { sendEmail } = await load("send-email.ts");
  const subject = "Überraschung: 会議は10時から始まります 🎉 und noch ein paar Wörter mehr";
  const body = `${"Grüße, ".repeat(40)}\nEnde`;
  expect(await sendEmail("token", "ada@example.com", subject, body)).toEqual({
    id: "m1",
    threadId: "t1",
  });
  const [call] = calls;
  expect(call).toMatchObject({ method: "POST", authorization: "Bearer token" });
  expect(call?.url.href).toBe("https://gmail.googleapis.com/gmail/v1/users/me/messages/send");
  const message = messageIn(call);
  const [head = "", text = ""] = message.split("\r\n\r\n");
  for (const line of message.split("\r\n")) expect(line.length).toBeLessThanOrEqual(76);
  const headers = head.replace(/\r\n /g, " ").split("\r\n");
  expect(headers).toContain("To: ada@example.com");
  const encoded = headers.find((header) => header.startsWith("Subject: ")) ?? "";
  const words = [...encoded.matchAll(/=\?UTF-8\?B\?([^?]*)\?=/g)];
  expect(words.map(([, word = ""]) => Buffer.from(word, "base64").toString()).join("")).toBe(
    subject,
  );
  expect(Buffer.from(text, "base64").toString()).toBe(body);
});

test("the email sample lets nobody add a header", async () => {
  copySamples("google-services");
  const calls = fakeForGoogle([{}]);
  const { sendEmail } = await load("send-email.ts");
  await expect(sendEmail("token", "a@b.co\r\nBcc: c@d.co", "Hello", "")).rejects.toThrow(
    "one line",
  );
  await sendEmail("token", "a@b.co", "Hello\r\nBcc: c@d.co", "");
  expect(messageIn(calls[0])).not.toMatch(/^Bcc/m);
});

test("the event, task and document samples make the requests of Google's reference", async () => {
  copySamples("google-services");
  const calls = fakeForGoogle([{ id: "e" }, { id: "t" }, { documentId: "d1" }, {}, { files: [] }]);
  const { createKickOff } = await load("create-event.ts");
  await createKickOff("token", "https://meet.example.com/kick-off");
  const { createTask } = await load("create-task.ts");
  await createTask("token", "Send the minutes", "To everybody", "2027-03-29");
  const { createDocument, searchDocuments } = await load("documents.ts");
  expect(await createDocument("token", "Minutes", "First line")).toBe("d1");
  expect(await searchDocuments("token", "Ada's \\ list")).toEqual([]);

  const made = calls.map(({ method, url, body }) => ({
    call: `${method} ${url.origin}${url.pathname}`,
    body,
  }));
  expect(made).toEqual([
    {
      call: "POST https://www.googleapis.com/calendar/v3/calendars/primary/events",
      body: expect.objectContaining({
        summary: "Kick-off",
        location: "https://meet.example.com/kick-off",
        start: { dateTime: "2027-03-29T10:00:00", timeZone: "Europe/Berlin" },
        end: { dateTime: "2027-03-29T10:45:00", timeZone: "Europe/Berlin" },
      }),
    },
    {
      call: "POST https://tasks.googleapis.com/tasks/v1/lists/@default/tasks",
      body: { title: "Send the minutes", notes: "To everybody", due: "2027-03-29T00:00:00.000Z" },
    },
    { call: "POST https://docs.googleapis.com/v1/documents", body: { title: "Minutes" } },
    {
      call: "POST https://docs.googleapis.com/v1/documents/d1:batchUpdate",
      body: { requests: [{ insertText: { location: { index: 1 }, text: "First line" } }] },
    },
    { call: "GET https://www.googleapis.com/drive/v3/files", body: undefined },
  ]);
  expect(calls.at(-1)?.url.searchParams.get("q")).toBe(
    "mimeType = 'application/vnd.google-apps.document' and trashed = false and name contains 'Ada\\'s \\\\ list'",
  );
});

test("the samples say what Google answered when it refused", async () => {
  copySamples("google-services");
  fakeForGoogle([{ error: { code: 403, status: "PERMISSION_DENIED" } }], 403);
  const { createTask } = await load("create-task.ts");
  await expect(createTask("token", "a", "b", "2027-03-29")).rejects.toThrow(
    /Google answered 403: .*PERMISSION_DENIED/,
  );
});

test("the usage sample logs each response once and takes it from its user's balance", {
  timeout: 60_000,
}, async () => {
  const samples = copySamples("token-usage");
  await using database = await openEmptyDatabase();
  await database.exec(samples.get("schema.sql") ?? "");
  await database.exec("insert into token_balance values ('ada', 2000), ('bob', 2000)");
  const lines = vi.spyOn(console, "log").mockReturnValue();
  const { countTokens } = await load("agent.ts");
  const connection = new EventTarget();
  const { recordUsage } = await load("token-usage.ts");
  const usage = { total_tokens: 1500, input_tokens: 500, output_tokens: 1000 };
  const done = (id: string) => ({ type: "response.done", event_id: id, response: { usage } });

  expect(await recordUsage(database, "ada", done("event_1"))).toBe(500);
  expect(await recordUsage(database, "ada", done("event_1"))).toBe(undefined);
  expect(await recordUsage(database, "ada", { ...done("event_2"), response: {} })).toBe(undefined);

  const writes: Promise<unknown>[] = [];
  const pool = {
    query(...parameters: Parameters<typeof database.query>) {
      const write = database.query(...parameters);
      writes.push(write);
      return write;
    },
  };
  countTokens(connection, pool, "ada");
  for (const event of [{ type: "response.created" }, done("event_3")]) {
    connection.dispatchEvent(new MessageEvent("message", { data: JSON.stringify(event) }));
  }
  expect(writes.length).toBe(1);
  await Promise.all(writes);
  const balances = await database.query("select user_id, tokens from token_balance order by 1");
  expect(balances.rows).toEqual([
    { user_id: "ada", tokens: 0 },
    { user_id: "bob", tokens: 2000 },
  ]);
  const { rows } = await database.query("select event_id, total_tokens from token_log order by 1");
  expect(rows).toEqual([
    { event_id: "event_1", total_tokens: 1500 },
    { event_id: "event_3", total_tokens: 1500 },
  ]);
  const [first] = lines.mock.calls;
  expect(JSON.parse(String(first?.[0]))).toMatchObject({
    userId: "ada",
    totalTokens: 1500,
    eventId: "event_1",
    usageRaw: usage,
  });
});
