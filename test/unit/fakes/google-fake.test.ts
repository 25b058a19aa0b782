import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type GoogleFake, startGoogleFake } from "../../../fakes/google/fake.ts";
import {
  consentAtGoogle,
  type GoogleClient,
  googleControl,
  googleEmail,
  googleRequests,
} from "../../support/google/google-fake.ts";

const facts = {
  clientId: "test-client",
  clientSecret: "test-secret",
  redirectUri: "http://127.0.0.1:1/auth/v1/callback",
};
let google: GoogleFake;
let client: GoogleClient;

beforeAll(async () => {
  const { redirectUri, ...options } = facts;
  google = await startGoogleFake({ port: 0, ...options, redirectUris: [redirectUri] });
  client = { url: google.url, ...facts };
});
beforeEach(() => google.reset());
afterAll(() => google?.close());

const taskList = "/tasks/v1/lists/@default/tasks";

/** The parts of Google's answers that the tests read. */
type Answer = {
  error: { message: string; errors: { reason: string }[]; details: { reason: string }[] };
  items: unknown[];
  nextPageToken: string;
  documentId: string;
  revisionId: string;
  body: { content: unknown[] };
  files: unknown[];
  htmlLink: string;
  calendars: { primary: { busy: unknown[] } };
};

async function call(token: string, method: string, path: string, body?: object) {
  const response = await fetch(google.url + path, {
    method,
    headers: { authorization: `Bearer ${token}`, "content-type": "application/json" },
    body: body ? JSON.stringify(body) : null,
  });
  const answer = (await response.json()) as Answer;
  return { status: response.status, headers: response.headers, body: answer };
}

test("a token opens what was consented to, and says by tokeninfo what that is", async () => {
  const { access_token, scope, expires_in } = await consentAtGoogle(client, ["tasks.readonly"]);
  expect(expires_in).toBe(3600);
  expect(scope.split(" ")).toContain("https://www.googleapis.com/auth/tasks.readonly");
  expect((await call(access_token, "GET", taskList)).status).toBe(200);
  const refused = await call(access_token, "POST", taskList, { title: "No" });
  expect(refused.status).toBe(403);
  expect(refused.body.error.details).toMatchObject([{ reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" }]);
  const query = new URLSearchParams({ access_token });
  for (const info of [
    await fetch(`${google.url}/tokeninfo?${query}`),
    await fetch(`${google.url}/tokeninfo`, { method: "POST", body: query }),
  ]) {
    expect(await info.json()).toMatchObject({ scope, email: googleEmail });
  }
});

test("later consents include earlier ones where the request asks for that, and revoking ends all", async () => {
  const first = await consentAtGoogle(client, ["tasks"]);
  const both = await consentAtGoogle(client, ["documents"]);
  const alone = await consentAtGoogle(client, ["documents"], { includeGranted: false });
  expect((await call(both.access_token, "GET", taskList)).status).toBe(200);
  expect((await call(alone.access_token, "GET", taskList)).status).toBe(403);
  const revoked = await fetch(`${google.url}/revoke`, {
    method: "POST",
    body: new URLSearchParams({ token: both.access_token }),
  });
  expect(revoked.status).toBe(200);
  for (const { access_token } of [first, both, alone]) {
    expect((await call(access_token, "GET", taskList)).status).toBe(401);
  }
  const anew = await consentAtGoogle(client, ["documents"]);
  expect((await call(anew.access_token, "GET", taskList)).status).toBe(403);
});

test("a person may untick a scope, and tokens end after the lifetime that a test sets", async () => {
  await googleControl(google.url, "consent", {
    withhold: ["https://www.googleapis.com/auth/tasks"],
  });
  const less = await consentAtGoogle(client, ["tasks", "documents"]);
  expect((await call(less.access_token, "GET", taskList)).status).toBe(403);
  await google.reset();
  await googleControl(google.url, "tokens", { lifetimeSeconds: 60 });
  const brief = await consentAtGoogle(client, ["tasks"]);
  expect(brief.expires_in).toBe(60);
  await googleControl(google.url, "tokens", { expire: true });
  expect((await call(brief.access_token, "GET", taskList)).status).toBe(401);
});

test.each([
  ["quota", 403, "rateLimitExceeded"],
  ["forbidden", 403, "forbidden"],
  ["notFound", 404, "notFound"],
  ["tooMany", 429, "rateLimitExceeded"],
  ["serverError", 500, "backendError"],
  ["unavailable", 503, "backendError"],
])("the fault %s answers %i, as often as asked for", async (kind, status, reason) => {
  const { access_token } = await consentAtGoogle(client, ["tasks"]);
  await googleControl(google.url, "faults", { kind, match: "/tasks/", after: 1, times: 1 });
  expect((await call(access_token, "GET", taskList)).status).toBe(200);
  const failed = await call(access_token, "GET", taskList);
  expect(failed.status).toBe(status);
  expect(failed.body.error.errors).toMatchObject([{ reason }]);
  expect(failed.headers.get("retry-after")).toBe(status === 429 ? "30" : null);
  expect((await call(access_token, "GET", taskList)).status).toBe(200);
});

test("a lost answer has done its work, and the log has the request", async () => {
  const { access_token } = await consentAtGoogle(client, ["tasks"]);
  await googleControl(google.url, "faults", { kind: "lostAnswer", times: 1 });
  expect((await call(access_token, "POST", taskList, { title: "Once" })).status).toBe(500);
  expect((await call(access_token, "GET", taskList)).body.items).toMatchObject([{ title: "Once" }]);
  expect(await googleRequests(google.url)).toMatchObject([
    { method: "POST", path: taskList, body: { title: "Once" } },
    { method: "GET", path: taskList, body: null },
  ]);
});

test("tasks keep the day of a due time, and come in pages without what is done", async () => {
  const { access_token } = await consentAtGoogle(client, ["tasks"]);
  const made = await call(access_token, "POST", taskList, {
    title: "Minutes",
    due: "2026-11-24T15:30:00.000Z",
  });
  expect(made.body).toMatchObject({ status: "needsAction", due: "2026-11-24T00:00:00.000Z" });
  await googleControl(google.url, "seed", {
    email: googleEmail,
    tasks: [
      { id: "open", title: "Open" },
      { id: "done", title: "Done", completed: "2026-11-01T09:00:00.000Z", hidden: true },
    ],
  });
  const first = await call(access_token, "GET", `${taskList}?maxResults=1&showCompleted=false`);
  expect(first.body.items).toMatchObject([{ title: "Minutes" }]);
  const next = `${taskList}?maxResults=1&showCompleted=false&pageToken=${first.body.nextPageToken}`;
  const second = await call(access_token, "GET", next);
  expect(second.body).toMatchObject({ items: [{ title: "Open" }] });
  expect(second.body).not.toHaveProperty("nextPageToken");
  const all = await call(access_token, "GET", `${taskList}?showHidden=true`);
  expect(all.body.items).toHaveLength(3);
});

test("a document counts UTF-16 units, keeps its last newline and knows its revision", async () => {
  const { access_token } = await consentAtGoogle(client, ["documents"]);
  const made = await call(access_token, "POST", "/v1/documents", { title: "Notes", body: {} });
  const { documentId, revisionId, body } = made.body;
  expect(body.content.at(-1)).toMatchObject({ startIndex: 1, endIndex: 2 });
  const change = (requests: object[], requiredRevisionId?: string) =>
    call(access_token, "POST", `/v1/documents/${documentId}:batchUpdate`, {
      requests,
      ...(requiredRevisionId ? { writeControl: { requiredRevisionId } } : {}),
    });
  const insert = [{ insertText: { location: { index: 1 }, text: "A 👋\nB" } }];
  expect((await change(insert, revisionId)).status).toBe(200);
  expect((await change(insert, revisionId)).status).toBe(400);
  const read = await call(
    access_token,
    "GET",
    `/v1/documents/${documentId}?fields=body/content/endIndex`,
  );
  expect(read.body).toEqual({
    body: { content: [{ endIndex: 1 }, { endIndex: 6 }, { endIndex: 8 }] },
  });
  const range = (endIndex: number) => [
    { deleteContentRange: { range: { startIndex: 1, endIndex } } },
  ];
  expect((await change(range(8))).body.error.message).toContain("newline character at the end");
  expect((await change(range(1))).body.error.message).toContain("should not be empty");
  expect((await change(range(7))).status).toBe(200);
});

test("drive finds whole words, takes escaped quotes, and does not sort what it searches", async () => {
  const { access_token } = await consentAtGoogle(client, ["drive.readonly"]);
  await googleControl(google.url, "seed", {
    email: googleEmail,
    documents: [
      { id: "one", title: "Minutes", text: "Valentine's day", modified: "2026-11-01T00:00:00Z" },
      { id: "two", title: "Budget", text: "None", modified: "2026-11-02T00:00:00Z" },
    ],
  });
  const find = (query: Record<string, string>) =>
    call(access_token, "GET", `/drive/v3/files?${new URLSearchParams(query)}`);
  const kind = "mimeType = 'application/vnd.google-apps.document' and trashed = false";
  const found = await find({ q: `${kind} and fullText contains 'valentine\\'s'` });
  expect(found.body.files).toEqual([
    {
      kind: "drive#file",
      id: "one",
      name: "Minutes",
      mimeType: "application/vnd.google-apps.document",
    },
  ]);
  expect((await find({ q: "fullText contains 'a'", orderBy: "name" })).status).toBe(400);
  const less = await consentAtGoogle(client, ["drive.metadata.readonly"], {
    includeGranted: false,
  });
  const search = (q: string) =>
    call(less.access_token, "GET", `/drive/v3/files?${new URLSearchParams({ q })}`);
  expect((await search("fullText contains 'day'")).body.error.details).toMatchObject([
    { reason: "ACCESS_TOKEN_SCOPE_INSUFFICIENT" },
  ]);
  expect((await search("name contains 'minu'")).body.files).toMatchObject([{ id: "one" }]);
  expect((await find({ q: "fullText contains 'a'b'" })).status).toBe(400);
  const pages = await find({ q: kind, orderBy: "modifiedTime desc", pageSize: "1", fields: "*" });
  expect(pages.body).toMatchObject({ nextPageToken: "page-1", files: [{ id: "two" }] });
});

test("the calendar reads local times in their zone, and joins what overlaps", async () => {
  const { access_token } = await consentAtGoogle(client, ["calendar.events", "calendar.freebusy"]);
  const events = "/calendar/v3/calendars/primary/events";
  const at = (dateTime: string) => ({ dateTime, timeZone: "Europe/Berlin" });
  for (const [start, end] of [
    ["2026-03-29T01:30:00", "2026-03-29T03:30:00"],
    ["2026-03-29T03:00:00", "2026-03-29T04:00:00"],
  ] as const) {
    const made = await call(access_token, "POST", events, { start: at(start), end: at(end) });
    expect(made.status).toBe(200);
    expect(made.body.htmlLink).toMatch(/^https:\/\/www\.google\.com\/calendar\/event\?eid=/);
  }
  const busy = await call(access_token, "POST", "/calendar/v3/freeBusy", {
    timeMin: "2026-03-28T00:00:00Z",
    timeMax: "2026-04-04T00:00:00Z",
    items: [{ id: "primary" }],
  });
  expect(busy.body.calendars.primary.busy).toEqual([
    { start: "2026-03-29T00:30:00Z", end: "2026-03-29T02:00:00Z" },
  ]);
  const noZone = { start: { dateTime: "2026-03-29T01:30:00" }, end: at("2026-03-29T03:30:00") };
  expect((await call(access_token, "POST", events, noZone)).body.error.message).toBe(
    "Missing time zone definition for start time.",
  );
});
