import { expect, test } from "vitest";
import { oneConnectedVisitor, sentJson, success } from "../../support/auth/connected-visitor.ts";
import { googleEmail } from "../../support/google/google-fake.ts";
import { googleRequestLog, steerGoogle } from "../../support/google/google-tools.ts";

const use = oneConnectedVisitor("docs");

test("a document is created by its title, and its text is inserted", async () => {
  const { outcome } = await use("docs/create", { title: "Notes", body: "One 👋\r\nTwo" });
  const [created, written, ...more] = await googleRequestLog();
  expect(more).toEqual([]);
  expect(created).toEqual({
    method: "POST",
    path: "/v1/documents",
    query: {},
    headers: sentJson,
    body: { title: "Notes" },
  });
  const id = /^\/v1\/documents\/([\w-]+):batchUpdate$/.exec(written?.path ?? "")?.[1];
  expect(written).toMatchObject({
    method: "POST",
    body: { requests: [{ insertText: { location: { index: 1 }, text: "One 👋\nTwo" } }] },
  });
  const address = `https://docs.google.com/document/d/${id}/edit?authuser=customer.one%40example.com`;
  expect(outcome).toMatchObject({ message: success, link: { href: address } });
});

const ofDocuments = "mimeType = 'application/vnd.google-apps.document' and trashed = false";
const fields = "nextPageToken,files(id,name,modifiedTime,webViewLink)";

test("documents are listed a hundred at a time, the last changed first", async () => {
  const documents = Array.from({ length: 260 }, (_, index) => ({
    id: `doc-${index}`,
    title: `Document ${index}`,
    text: "",
    modified: new Date(Date.UTC(2026, 0, 1) + index * 60_000).toISOString(),
  }));
  await steerGoogle("seed", { email: googleEmail, documents });
  const { outcome } = await use("docs/list", { maxResults: "250" });
  const common = { q: ofDocuments, orderBy: "modifiedTime desc", fields };
  expect(
    (await googleRequestLog()).map(({ method, path, query }) => ({ method, path, query })),
  ).toEqual([
    { method: "GET", path: "/drive/v3/files", query: { ...common, pageSize: "100" } },
    {
      method: "GET",
      path: "/drive/v3/files",
      query: { ...common, pageSize: "100", pageToken: "page-100" },
    },
    {
      method: "GET",
      path: "/drive/v3/files",
      query: { ...common, pageSize: "50", pageToken: "page-200" },
    },
  ]);
  const result = (outcome.ok ? outcome.result : undefined) as { documents: { id: string }[] };
  expect(result.documents).toHaveLength(250);
  expect(result).toMatchObject({ next: "page-250" });
  expect(result.documents.at(0)?.id).toBe("doc-259");
  const rest = await use("docs/list", { maxResults: "250", pageToken: "page-250" });
  expect(rest.outcome).toMatchObject({ result: { documents: { length: 10 } } });
});

test.each(["0", "1001", "ten", "1.5"])("%s documents cannot be asked for", async (maxResults) => {
  const { outcome } = await use("docs/list", { maxResults });
  expect(outcome).toMatchObject({
    ok: false,
    fields: { maxResults: "Ask for 1 to 1000 documents." },
  });
  expect(await googleRequestLog()).toEqual([]);
});

test("a search escapes what was typed, so that it stays one term", async () => {
  await steerGoogle("seed", {
    email: googleEmail,
    documents: [
      { id: "one", title: "Valentine's plan", text: "", modified: "2026-11-01T00:00:00Z" },
      { id: "two", title: "Other", text: "Valentine's plan", modified: "2026-11-01T00:00:00Z" },
    ],
  });
  const { outcome } = await use("docs/search", { query: "Valentine's \\ plan" });
  const [request] = await googleRequestLog();
  expect(request?.query).toEqual({
    q: `${ofDocuments} and name contains 'Valentine\\'s \\\\ plan'`,
    orderBy: "modifiedTime desc",
    pageSize: "50",
    fields,
  });
  expect(outcome).toMatchObject({
    result: { documents: [{ id: "one", title: "Valentine's plan" }] },
  });
  const hostile = await use("docs/search", { query: "x' or fullText contains 'Valentine" });
  expect(hostile.outcome).toMatchObject({ ok: true, result: { documents: [] } });
});

const seedDocument = (text: string) =>
  steerGoogle("seed", {
    email: googleEmail,
    documents: [{ id: "doc-1", title: "Notes", text, modified: "2026-11-01T00:00:00Z" }],
  });

test("updating a document replaces exactly its body, at the revision that was read", async () => {
  await seedDocument("Old 👋\ntext\n");
  const { outcome } = await use("docs/update", {
    documentId: "https://docs.google.com/document/d/doc-1/edit",
    content: "New",
  });
  expect(outcome).toMatchObject({ ok: true, message: success });
  const [read, written] = await googleRequestLog();
  expect(read).toMatchObject({
    method: "GET",
    path: "/v1/documents/doc-1",
    query: { fields: "revisionId,body(content(endIndex))" },
  });
  expect(written).toMatchObject({
    method: "POST",
    path: "/v1/documents/doc-1:batchUpdate",
    headers: sentJson,
  });
  expect(written?.body).toEqual({
    requests: [
      { deleteContentRange: { range: { startIndex: 1, endIndex: 12 } } },
      { insertText: { location: { index: 1 }, text: "New" } },
    ],
    writeControl: { requiredRevisionId: expect.stringMatching(/.+/) },
  });
});

test("an empty document is filled without a deletion that Google would refuse", async () => {
  await seedDocument("\n");
  const { outcome } = await use("docs/update", { documentId: "doc-1", content: "New" });
  expect(outcome).toMatchObject({ ok: true });
  expect((await googleRequestLog())[1]?.body).toMatchObject({
    requests: [{ insertText: { location: { index: 1 }, text: "New" } }],
  });
});

test("a document that is not there, and an id that is none, are said", async () => {
  const unknown = await use("docs/update", { documentId: "doc-9", content: "New" });
  expect(unknown).toMatchObject({
    status: 404,
    outcome: { message: "Google has no document with this id that you may open." },
  });
  const none = await use("docs/update", { documentId: "../drive", content: "New" });
  expect(none).toMatchObject({
    status: 400,
    outcome: { fields: { documentId: "Paste the document's id or its address." } },
  });
});
